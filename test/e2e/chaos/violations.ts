import { restoresOfState } from "../../../drills/judge/state";
import type { PostedRestoreRecord } from "../../../sandbox";
import type { StoredResource } from "../support/stored";
import type { Intent, Target } from "./world";

type Posted = Pick<
  PostedRestoreRecord,
  "machineId" | "recoveryPointId" | "kind" | "transactionId" | "status" | "requestedAt" | "endedAt"
>;
type Stored = Pick<StoredResource, "urn" | "type" | "outputs" | "delete">;
/** The record of a restore, as a resource of its own or in a wave. */
interface Shown {
  readonly status?: string;
  /** Its own transactions, and those of its other parts. */
  readonly transactionIds: readonly string[];
  readonly durationSeconds?: number | undefined;
}

/** The panel rounds both stamps to whole seconds. */
const mostOffSeconds = 2;

const same = (one: Target, other: Target): boolean =>
  one.machineId === other.machineId && one.recoveryPointId === other.recoveryPointId && one.kind === other.kind;

const ended = (status: unknown): boolean => status === "complete" || status === "failed" || status === "cancelled";

function shownOf(intent: Intent, stored: readonly Stored[]): Shown | undefined {
  const { name, planned } = intent;
  const { restores } = restoresOfState({ resources: stored });
  const found = restores.find((one) =>
    planned ? one.plan !== undefined && one.name === planned.step : one.name === name,
  );
  if (found === undefined || (found.record === undefined && found.events.length === 0)) return undefined;
  const { happened, record } = found;
  return {
    status: record ? record.status : happened.state,
    transactionIds: record?.transactionIds ?? happened.counts?.ids ?? [],
    durationSeconds: record?.durationSeconds,
  };
}

const verdictsIn = (stored: readonly Stored[]): readonly string[] =>
  stored
    .filter(({ type }) => /recovery:(index:)?Verdict$/.test(type))
    .map(({ outputs }) => String(outputs?.["verdict"]));

const passed = (verdict: string): boolean => verdict.startsWith("passed");

/**
 * Violations at any moment: a machine restored again although nothing went wrong with its restore, a stored status or duration
 * that differs from the panel's own ledger, a restore that took another's transaction, a verdict that passes an incomplete
 * restore. One line for each.
 */
export function violations(intents: readonly Intent[], ledger: readonly Posted[], stored: readonly Stored[]): string[] {
  return [
    ...intents.flatMap(({ name, target }) => repeated(name, of(ledger, target), ledger)),
    ...ledger
      .filter((one) => !intents.some(({ target }) => same(one, target)))
      .map((one) => `transaction ${one.transactionId} restores what nobody asked for`),
    ...intents.flatMap((intent) => untrue(intent, ledger, shownOf(intent, stored))),
    ...verdictsIn(stored)
      .filter(passed)
      .flatMap((verdict) => notBack(intents, ledger).map((name) => `the verdict is ${verdict}, and ${name}`)),
  ];
}

/** Further rules at the end: each intent has one completed restore, and each plan has passed. */
export function unfinished(intents: readonly Intent[], ledger: readonly Posted[], stored: readonly Stored[]): string[] {
  const inPlans = intents.filter(({ planned }) => planned !== undefined);
  return [
    ...intents.flatMap((intent) => {
      const { name, target } = intent;
      const status = shownOf(intent, stored)?.status;
      const isLeft = (one: Posted): boolean => one.status === "complete" && !isOverwritten(one, ledger);
      const complete = of(ledger, target).filter(isLeft).length;
      return [
        ...(status === "complete" ? [] : [`${name} is ${String(status)} in the state`]),
        ...(complete === 1 ? [] : [`${name} was restored ${String(complete)} times by the ledger`]),
      ];
    }),
    ...(inPlans.length > 0 && !verdictsIn(stored).some(passed) ? ["the plan has not passed"] : []),
  ];
}

/** Restores that were sent according to the state, but that the ledger has never seen: their requests were lost on the way. */
export function lost(intents: readonly Intent[], ledger: readonly Posted[], stored: readonly Stored[]): Intent[] {
  return intents.filter(
    (intent) =>
      shownOf(intent, stored)?.status === "sent" &&
      of(ledger, intent.target).every((one) => ended(one.status) && one.status !== "complete"),
  );
}

function notBack(intents: readonly Intent[], ledger: readonly Posted[]): string[] {
  return intents
    .filter(({ planned, target }) => planned !== undefined && of(ledger, target).at(-1)?.status !== "complete")
    .map(({ name }) => `${name} is not complete by the ledger`);
}

function of(ledger: readonly Posted[], target: Target): readonly Posted[] {
  return ledger.filter((one) => same(one, target)).sort((one, other) => one.requestedAt - other.requestedAt);
}

/** Files whose machine was restored again. */
function isOverwritten({ kind, machineId, requestedAt }: Posted, ledger: readonly Posted[], until = Infinity): boolean {
  const isBetween = (at: number): boolean => at > requestedAt && at <= until;
  const again = ledger.filter((one) => one.kind === "machine" && one.machineId === machineId);
  return kind === "files" && again.some((one) => isBetween(one.requestedAt));
}

/** Only a restore that had failed by then may be followed by another restore; files may, after their machine was restored again. */
function repeated(name: string, posted: readonly Posted[], ledger: readonly Posted[]): string[] {
  return posted.slice(1).flatMap((next, index) => {
    const before = posted[index] as Posted;
    const hadFailed =
      (before.status === "failed" || before.status === "cancelled") && (before.endedAt ?? Infinity) <= next.requestedAt;
    return hadFailed || isOverwritten(before, ledger, next.requestedAt)
      ? []
      : [`${name} was posted again (${next.transactionId}) after ${before.transactionId}, which is ${before.status}`];
  });
}

function untrue({ name, target }: Intent, ledger: readonly Posted[], told: Shown | undefined): string[] {
  const { status, transactionIds: ids = [], durationSeconds } = told ?? {};
  if (ids.length === 0 && !ended(status)) return [];
  const restores = ledger.filter((one) => ids.includes(one.transactionId));
  const other = restores.find((one) => !same(one, target));
  if (other !== undefined) return [`${name} has taken transaction ${other.transactionId}, which is another's`];
  const [found] = restores;
  // The first listed row may be another part.
  if (found === undefined && !ended(status)) return [];
  if (found === undefined) return [`${name} is ${String(status)} by ${ids.join(", ")}, of which none is a restore`];
  if (!ended(status)) return [];
  if (found.status !== status) return [`${name} is ${String(status)} in the state, and ${found.status} by the ledger`];
  const seconds = ((found.endedAt ?? Infinity) - found.requestedAt) / 1000;
  return durationSeconds !== undefined && Math.abs(durationSeconds - seconds) > mostOffSeconds
    ? [`${name} took ${durationSeconds} s in the state, and ${seconds} s by the ledger`]
    : [];
}
