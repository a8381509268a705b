import type { RestoreRequest } from "../inputs/intent";
import type { RestoreRecord } from "../inputs/record";
import { readPointRule, ruleText } from "../inputs/read-point-rule";
import { containsUnknown, knownLater } from "../inputs/read-values";
import { messageText, partsOf, withoutHelp } from "../plain/message";
import type { Properties } from "../plain/plain";
import { firstFew, transactionsNamed } from "../plain/text";
import { subject } from "../restore/messages";

// Messages for calls from the engine, most of which make no request to the panel. `who` names the restore in the form that all messages use.

/** What a preview knows about a restore. */
interface Previewed {
  readonly machine: unknown;
  /** The recovery point's id, or the rule that chooses the point. */
  readonly point: unknown;
  readonly paths?: unknown;
}

export interface HowSent {
  readonly isPerhapsSent?: boolean;
  /** Set if the restore was sent before. */
  readonly again?: Readonly<Record<"replaces" | "unknown" | "transactionIds", readonly string[]>>;
}

/** The preview line for a restore that this `up` may send. Values that are unknown in the preview are known before `up` sends anything. */
export function overwritesText(restore: Previewed, { again, isPerhapsSent = false }: HowSent): string {
  const [what, from] = [targetInWords(restore), pointInWords(restore.point)];
  const unless = isPerhapsSent ? ", unless already sent" : "";
  if (again === undefined) return `overwrites ${what} from ${from}${unless}`;
  const { replaces, unknown, transactionIds } = again;
  if (replaces.includes("status"))
    return `${transactionsNamed(transactionIds)} failed: \`pulumi up\` overwrites ${what} again from ${from}, unless it finds a newer restore`;
  const later = unknown.filter((name) => name !== "__behind");
  const changed = replaces.filter((name) => name !== "__behind" && !unknown.includes(name));
  const why = [
    ...(changed.length > 0 ? [`${changed.join(", ")} changed`] : []),
    ...(later.length > 0 ? [`${later.join(", ")} known only later`] : []),
  ];
  if (why.length === 0) why.push("an earlier restore of its machine runs first");
  return `overwrites ${what}${replaces.includes("virtualMachineId") ? "" : " again"} from ${from}${unless}: ${why.join("; ")}`;
}

/** A preview line for a restore that ended badly, and is not sent again. */
export const staysText = ({ status, transactionIds }: RestoreRecord): string =>
  `this restore's status is ${status} (transaction ${transactionIds.join(", ")}): \`pulumi up\` sends nothing for it, and fails`;

export function targetInWords({ machine, paths }: Previewed): string {
  const name = `machine ${containsUnknown(machine) ? knownLater : String(machine)}`;
  if (paths === undefined) return name;
  const files = Array.isArray(paths) && !containsUnknown(paths) ? firstFew(paths.map(String)) : `files ${knownLater}`;
  return `${files} on ${name}`;
}

export function pointInWords(point: unknown): string {
  if (containsUnknown(point)) return `recovery point ${knownLater}`;
  const rule = typeof point === "string" ? undefined : readPointRule(point);
  return rule !== undefined && "value" in rule
    ? ruleText(rule.value, "recovery point")
    : `recovery point ${String(point)}`;
}

/** A preview shows this line first, because an id means nothing without its panel. */
export const panelText = (endpoint: string): string => `restores are sent to the panel ${endpoint}`;

/** The preview line for a restore whose transaction `adopt` names. */
export const takesText = (id: string): string => `adopts transaction ${id}, named in adopt, and sends nothing`;

/** The error if a change was reverted. `reason`: what the request in between may have left on the panel. */
export function takenBackText(
  request: RestoreRequest,
  { status, transactionIds: [id] }: RestoreRecord,
  reason?: string,
): string {
  const [sentences, ...rows] = reason === undefined ? [] : withoutHelp(reason).lines;
  const which = id === undefined ? "" : ` (transaction ${id})`;
  return messageText({
    what: `${subject(request)} is ${status}${which}, but its inputs were changed and changed back, and an \`up\` in between, which left no record, may have sent another restore`,
    next:
      id === undefined
        ? "If one of the machine's transactions is this restore, set adopt to its id; if none is, change triggers to restore again"
        : `If none of the machine's later transactions is a restore, set adopt: "${id}"; if one is, change triggers to restore again`,
    lines: rows.length === 0 && sentences !== undefined ? [sentences] : rows,
    help: "question",
  });
}

/** The error if a restore is requested again, but its `adopt` names a transaction of its previous request. */
export const adoptedBeforeText = (name: string, id: string): string =>
  messageText({
    what: `nothing was sent for restore "${name}": adopt names transaction ${id}, which belongs to its previous request`,
    next: `To keep that transaction's result, change triggers, recovery point and paths back to that request's values; to restore the machine again, remove adopt and change triggers`,
    help: "adopt",
  });

/** A preview line, shown if an earlier run saved the intent but not the restore. */
export const perhapsSentText =
  "an earlier `pulumi up` requested this restore and left no record, so this `pulumi up` first searches the panel for a restore that may already have been sent";

/** A warning about deleting a restore that has not ended. It says "earlier", because this run may already have restored `name` again. */
export function forgottenText(name: string, { status, transactionIds }: RestoreRecord): string {
  const which =
    transactionIds.length === 0
      ? "was sent but never listed"
      : `was last recorded as ${status} (transaction ${transactionIds.join(", ")})`;
  return `the earlier restore "${name}" ${which}, and is being removed from the state: if it is still running, later restores no longer wait for it`;
}

/** A warning about deleting an intent whose restore is not in the state. */
export function lostText({
  virtualMachineId: machine,
  recoveryPointId: point,
  recoveryPoint,
  paths,
}: Properties): string {
  const what = `${targetInWords({ machine, point, paths })} from ${pointInWords(point ?? recoveryPoint)}`;
  return `an earlier \`pulumi up\` requested a restore of ${what} and left no record: the restore may have been sent, and later restores no longer wait for it`;
}

function notSentText(who: string, why: string, next: string): string {
  return messageText({ what: `${who} was not sent: ${why}`, next, help: "intent" });
}

export function noCheckpointsText(who: string): string {
  return notSentText(
    who,
    "PULUMI_SKIP_CHECKPOINTS is set (with PULUMI_EXPERIMENTAL), so a killed run would leave no record of the restore, and the next run could restore the machine a second time",
    "Unset PULUMI_SKIP_CHECKPOINTS",
  );
}

export function noIntentText(who: string): string {
  return notSentText(
    who,
    "its intent is missing, which happens when a run is limited to the restore",
    "Include its intent in --target as well, or run `pulumi up` without --target",
  );
}

export function otherIntentText(who: string, differing: readonly string[], intentUrn: string): string {
  return notSentText(
    who,
    `its intent was made for another restore (different ${differing.join(", ")})`,
    `Include the intent in --target or --replace ('${intentUrn}'), remove these properties from ignoreChanges, or change triggers`,
  );
}

/** `what` names the input to change in order to restore on this panel. */
export const backToPanel = (panel: string, what = "triggers"): string =>
  `Go back to that panel (\`pulumi config set recovery:endpoint ${panel}\`), or change ${what} to restore on this panel`;

/** The error if a restore, or its intent, was made on another panel. */
export function elsewhereText(who: string, panel: string, configured: string): string {
  return messageText({
    what: `${who} belongs to the panel ${panel}, but the configured panel is ${configured}, so nothing was sent or searched for`,
    next: backToPanel(panel),
    help: "intent",
  });
}

/** `urn` is the previous restore's URN, and `how` its status. */
export function previousText(who: string, urn: string, name: string, how: string): string {
  return messageText({
    what: `${who} was not sent: "${name}", the previous restore of the same machine, is not complete (${how})`,
    next: `Run \`pulumi up\` without --target or --exclude, or include that restore ('${urn}') and its intent; if it has wait: false, remove that`,
    help: "order",
  });
}

/** An error for an intent that was made while `adopt` named a transaction, so no point was chosen. */
export function noPointText(request: RestoreRequest): string {
  return messageText({
    what: `${subject(request)} was not sent: its intent was made while adopt named a transaction, so no recovery point was chosen`,
    next: "Change triggers so that the rule chooses a point, or name the transaction in adopt again",
    help: "adopt",
  });
}

/** An error for replacing or tainting only the restore: its intent is kept, so `create` finds the finished restore again. */
export function nothingRestoredText(name: string, transactionId: string, both: readonly string[]): string {
  const options = both.map((urn) => `--replace '${urn}'`).join(" ");
  return messageText({
    what: `restore "${name}": nothing was restored, because only the restore was replaced, not its intent, and transaction ${transactionId} was found again`,
    next: `To restore again, change triggers${options === "" ? "" : `, or replace both: ${options}`}`,
    help: "intent",
  });
}

/** Explains a failed refresh. A refresh uses the configuration of the last `up`, so it may use an outdated password. */
export function refreshFailedText(request: RestoreRequest, error: unknown): string {
  const { next, ...parts } = partsOf(error, `${subject(request)} was not refreshed`);
  const stored = "after changing settings, run `pulumi up` or `pulumi refresh --run-program`";
  return messageText({ ...parts, next: next === undefined ? stored : `${next}; ${stored}` });
}

/** An error for settings that are missing or cannot be read. */
export function notConnectedText(request: RestoreRequest, error: unknown): string {
  return messageText(partsOf(error, `${subject(request)} was neither sent nor checked`));
}
