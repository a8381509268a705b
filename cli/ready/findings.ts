import { formatDuration } from "../../provider/inputs/duration";
import type { Proof } from "../../drills/judge/stored";
import { declaredForm, formDigest, nextStep, openChecks, provenAt } from "../../drills/judge/history";
import { isProofOf, isRefused, notCompleteText } from "../../drills/judge/restores";
import { isFinished } from "../../provider/inputs/record";
import { type AllowedMachines, whyNotAllowed } from "../../provider/inputs/settings";
import type { PanelError } from "../../provider/panel/errors";
import { shellQuoted } from "../parts/command";
import type { MachineReading } from "../parts/read-machine";
import { defaultProvider } from "../parts/provider-settings";
import type { StackRestore, StackState } from "../parts/stack-state";
import { roughly } from "../parts/words";
import { finding, type FindingVerdict, notReady, question, type ReadyFinding } from "./result";
import { omitUndefined } from "../../provider/plain/plain";

/** At most one finding, about the restore's stored state. A `complete` restore has none. */
export function stateFindings(restore: StackRestore, from: StackState["from"]): readonly ReadyFinding[] {
  const { state, happened, whyOverwritten, checks, wanted } = restore;
  const { counts } = happened;
  const reason = `It ${notCompleteText(restore) ?? ""}`;
  const found = (verdict: FindingVerdict, says: string, then?: string): readonly ReadyFinding[] => [
    finding(verdict)(`restore.${state.replace(" ", "-")}`, state, says, then),
  ];
  // A preview is about the next `up`, which will deal with anything that the last `up` left unfinished.
  const bad = from === "preview" ? "warning" : "not ready";
  switch (state) {
    case "complete":
      return [];
    case "not checked": {
      const open = openChecks(counts, checks);
      return found("warning", `It is complete, but not every check has passed: ${open.join(", ")}.`);
    }
    case "not sent":
      // In a preview, this only means that the next `up` will send the restore.
      return from === "preview" && happened.stop === undefined ? [] : found("warning", reason);
    case "failed":
    case "cancelled":
      return found(
        bad,
        reason,
        state === "failed" && counts?.ended?.failedPart === undefined && wanted.retryFailed !== false
          ? "`pulumi up` tries again, or asks you what to do."
          : "Change its `triggers` to restore it again, or set `adopt` to the transaction that restored it.",
      );
    case "overwritten":
      return found(bad, `It ${whyOverwritten ?? "was overwritten"}.`, newTriggers);
    case "perhaps sent":
    case "sent":
    case "pending":
    case "running":
      return found(
        bad,
        reason,
        "`npx pulumi-recovery status` shows what is going on now, and what the next `pulumi up` will do.",
      );
  }
}

const newTriggers = "Change its `triggers` to restore it again.";

/** Reports that a restore belongs to another panel or provider, and that this panel therefore shows nothing about it. */
export function elsewhereFinding(
  { provider = defaultProvider, panel }: StackRestore,
  asked: { readonly provider: string; readonly panel: string },
): ReadyFinding | undefined {
  if (provider !== asked.provider)
    return question(
      "restore.other-provider",
      "another provider",
      `It belongs to the provider ${provider}, which may have a different panel, user or list of allowed machines.`,
      `Query it with that provider's settings: \`pulumi-recovery ready --provider ${shellQuoted(provider)}\`.`,
    );
  if (panel === undefined || panel === asked.panel) return undefined;
  const says = `It is on the panel ${panel}, but ${asked.panel} was queried.`;
  const then =
    "Set `recovery:endpoint` or pass --provider; if the panel's address changed, accept this until the next restore.";
  return question("restore.other-panel", "another panel", says, then);
}

export function notAllowedFindings(machine: string, lists: readonly AllowedMachines[]): readonly ReadyFinding[] {
  const why = whyNotAllowed(machine, lists);
  if (why === undefined) return [];
  const then =
    "Correct the id; or, if this machine may be overwritten, add it to recovery:allowedMachines wherever that is set.";
  return [notReady("machine.not-allowed", "machine not allowed", `M${why.slice(1)}`, then)];
}

export function machineLogFindings({ log }: MachineReading, machine: string): readonly ReadyFinding[] {
  if ("items" in log) return [];
  const { error } = log;
  if (error.kind === "notFound")
    return [
      notReady(
        "machine.unknown",
        "machine unknown",
        `The panel does not know machine ${machine}, or does not show it to this user.`,
        "Check on the panel what happened to it, and use the id shown there.",
      ),
    ];
  const says = `The log of machine ${machine} cannot be read, so it is not certain that the panel knows this machine. ${error.message}`;
  const then = error.kind === "forbidden" ? "Allow this in the user's role." : undefined;
  return [question("machine.log", "log not read", says, then)];
}

/** No restore is sent if the list cannot be read. */
export function listFinding(error: PanelError): ReadyFinding {
  const says = `No restore is sent without the list of transactions. ${error.message}`;
  return error.kind === "forbidden"
    ? question("list.forbidden", "transactions forbidden", says, "Allow this in the user's role.")
    : notReady("list.unusable", "list not usable", says, "`pulumi-recovery check` shows what this panel lacks.");
}

/** Panels use many time zones, and some timestamps do not name theirs, so a timestamp may seem to be this far in the future. */
const farthestZoneMs = 86_400_000;

/** When a run last completed the restore with all checks passed, and whether the restore was then declared as it is now. */
export function proofOf(
  { happened, state, entry, proof, planned, checks, run, panel }: StackRestore,
  { panel: asked, now }: { readonly panel: string; readonly now: Date },
): (Pick<Proof, "at"> & { readonly run?: string; readonly isOfToday: boolean }) | undefined {
  const isPast = (at: string): boolean => Date.parse(at) <= now.getTime() + farthestZoneMs;
  const { counts } = happened;
  // A check added later does not change the age of the proof.
  const at = provenAt(counts);
  const isProof = counts !== undefined && (entry === undefined || isProofOf(counts.sent, entry));
  if (state === "complete" && isProof && at !== undefined && isPast(at))
    return { at, ...omitUndefined({ run }), isOfToday: true };
  if (proof === undefined || proof.panel !== (panel ?? asked) || !isPast(proof.at)) return undefined;
  // If this run's current result is not a proof, an earlier result of the same run is not a proof either.
  if (proof.run === run && isFinished(happened.state)) return undefined;
  const isSame = planned !== undefined && proof.form === formDigest(declaredForm(planned));
  return { ...proof, isOfToday: isSame && checks.every(({ asks }) => proof.asks.includes(asks)) };
}

/** A new `run` would repeat what the current run has completed, so it is suggested only if the current run has nothing left to do for the restore. */
function howToProve(restore: StackRestore): string {
  const next = isRefused(restore) ? "keep" : nextStep(restore.happened, restore.wanted)?.does;
  if (next === undefined)
    return "Restore it in a drill: set a new `run` on its plan, or new `triggers` if it has no plan. A drill overwrites the machine.";
  return next === "keep" ? newTriggers : "It is not finished: `pulumi up` continues it, or asks you what to do.";
}

/** Returns a finding unless the restore, as it is declared now, was proven recently. */
export function proofFindings(
  restore: StackRestore,
  proof: ReturnType<typeof proofOf>,
  withinSeconds: number,
  now: Date,
): readonly ReadyFinding[] {
  const found = (code: string, short: string, says: string): readonly ReadyFinding[] => [
    notReady(code, short, says, howToProve(restore)),
  ];
  if (proof === undefined) {
    const says = "No known run completed it as declared with all checks passing, or it has been overwritten since.";
    return found("restore.not-proven", "not proven", says);
  }
  const on = `on ${proof.at.slice(0, 10)}${proof.run === undefined ? "" : ` in run ${proof.run}`}`;
  if (!proof.isOfToday)
    return found("restore.changed-since", "changed since proven", `It was proven ${on}, but has changed since.`);
  const ageSeconds = (now.getTime() - Date.parse(proof.at)) / 1_000;
  if (ageSeconds <= withinSeconds) return [];
  const ago = roughly(ageSeconds);
  const says = `It was last proven ${on}, ${ago} ago, but the limit is ${formatDuration(withinSeconds)}.`;
  return found("restore.proof-old", `proven ${ago} ago`, says);
}
