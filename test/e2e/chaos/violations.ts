import type { StoredStep, StoredVerdict, StoredWave } from "../../../provider/plan/stored";
import type { RestoreRecord } from "../../../sandbox/panel/records";
import type { StoredResource } from "../support/stored";
import type { Intent, Target } from "./world";

type Posted = Pick<
  RestoreRecord,
  "machineId" | "recoveryPointId" | "kind" | "transactionId" | "status" | "requestedAt" | "endedAt"
>;
type Stored = Pick<StoredResource, "urn" | "type" | "outputs" | "delete">;
/** What somebody reads of a restore: in its own resource, or in the wave of its plan. */
type Shown = Partial<Pick<StoredStep, "status" | "transactionId" | "durationSeconds">>;

/** The panel stamps whole seconds, at both ends. */
const mostOffSeconds = 2;

const same = (one: Target, other: Target): boolean =>
  one.machineId === other.machineId && one.recoveryPointId === other.recoveryPointId && one.kind === other.kind;

const ended = (status: unknown): boolean => status === "complete" || status === "failed" || status === "cancelled";

/** By their names in the program; of one that is being replaced, the new one. Components only repeat what lies below them. */
function named<Outputs>(stored: readonly Stored[], type: RegExp): ReadonlyMap<string, Outputs> {
  const found = stored.filter((one) => type.test(one.type) && one.delete !== true);
  return new Map(found.map((one) => [one.urn.split("::").at(-1) ?? "", (one.outputs ?? {}) as Outputs]));
}

const restoresIn = (stored: readonly Stored[]): ReadonlyMap<string, Shown> =>
  named(stored, /^pulumi-nodejs:dynamic\/recovery:(Vm|File)Restore$|^recovery:index:(Vm|File)RestoreRun$/);

function stepsIn(stored: readonly Stored[]): ReadonlyMap<string, Shown> {
  const waves = named<Partial<StoredWave>>(stored, /recovery:PlanWave$/);
  return new Map([...waves.values()].flatMap(({ restores }) => Object.entries(restores ?? {})));
}

const verdictsIn = (stored: readonly Stored[]): readonly Partial<StoredVerdict>[] => [
  ...named<Partial<StoredVerdict>>(stored, /recovery:PlanVerdict$/).values(),
];

const passed = ({ verdict }: Partial<StoredVerdict>): boolean =>
  verdict === "passed" || verdict === "passed with warnings";

/**
 * What may never be so, at no moment: a machine restored again although nothing went wrong with its restore, a stored status or
 * duration that is not what the panel's own ledger says, a restore that took another's transaction, a verdict that passes what is not
 * back. One line for each.
 */
export function violations(intents: readonly Intent[], ledger: readonly Posted[], stored: readonly Stored[]): string[] {
  const [restores, steps] = [restoresIn(stored), stepsIn(stored)];
  return [
    ...intents.flatMap(({ name, target }) => repeated(name, of(ledger, target))),
    ...ledger
      .filter((one) => !intents.some(({ target }) => same(one, target)))
      .map((one) => `transaction ${one.transactionId} restores what nobody asked for`),
    ...intents.flatMap(({ name, target, planned }) => [
      ...untrue(name, target, ledger, restores.get(name)),
      ...(planned ? untrue(`${name}, by its wave,`, target, ledger, steps.get(planned.step)) : []),
    ]),
    ...verdictsIn(stored)
      .filter(passed)
      .flatMap(({ verdict }) =>
        notBack(intents, ledger).map((name) => `the verdict is ${String(verdict)}, and ${name}`),
      ),
  ];
}

/** What has to be so besides when all is done: each intent complete, with one completed restore, and each plan passed. */
export function unfinished(intents: readonly Intent[], ledger: readonly Posted[], stored: readonly Stored[]): string[] {
  const [restores, steps] = [restoresIn(stored), stepsIn(stored)];
  const inPlans = intents.filter(({ planned }) => planned !== undefined);
  const verdicts = verdictsIn(stored).filter((one) => passed(one) && one.counts?.complete === inPlans.length);
  return [
    ...intents.flatMap(({ name, target, planned }) => {
      // What a plan's restore has stored itself is that it was accepted: its wave waits for the end.
      const status = (planned ? steps.get(planned.step) : restores.get(name))?.status;
      const complete = of(ledger, target).filter((one) => one.status === "complete").length;
      return [
        ...(status === "complete" ? [] : [`${name} is ${String(status)} in the state`]),
        ...(complete === 1 ? [] : [`${name} was restored ${String(complete)} times by the ledger`]),
      ];
    }),
    ...(inPlans.length > 0 && verdicts.length === 0 ? ["the plan has not passed"] : []),
  ];
}

/** Restores that the state says were sent, and that the ledger has never seen: their requests were lost on the way. */
export function lost(intents: readonly Intent[], ledger: readonly Posted[], stored: readonly Stored[]): Intent[] {
  const restores = restoresIn(stored);
  return intents.filter(({ name, target }) => {
    const status = restores.get(name)?.status;
    return (
      (status === "unknown" || status === "accepted") &&
      of(ledger, target).every((one) => ended(one.status) && one.status !== "complete")
    );
  });
}

function notBack(intents: readonly Intent[], ledger: readonly Posted[]): string[] {
  return intents
    .filter(({ planned, target }) => planned !== undefined && of(ledger, target).at(-1)?.status !== "complete")
    .map(({ name }) => `${name} is not complete by the ledger`);
}

function of(ledger: readonly Posted[], target: Target): readonly Posted[] {
  return ledger.filter((one) => same(one, target)).sort((one, other) => one.requestedAt - other.requestedAt);
}

/** Only a restore that had failed by then may be followed by another. */
function repeated(name: string, posted: readonly Posted[]): string[] {
  return posted.slice(1).flatMap((next, index) => {
    const before = posted[index] as Posted;
    const hadFailed =
      (before.status === "failed" || before.status === "cancelled") && (before.endedAt ?? Infinity) <= next.requestedAt;
    return hadFailed
      ? []
      : [`${name} was posted again (${next.transactionId}) after ${before.transactionId}, which is ${before.status}`];
  });
}

function untrue(name: string, target: Target, ledger: readonly Posted[], told: Shown | undefined): string[] {
  const { status, transactionId: id, durationSeconds } = told ?? {};
  if (id === undefined && !ended(status)) return [];
  const found = ledger.find((one) => one.transactionId === id);
  if (found === undefined) return [`${name} is ${String(status)} by transaction ${String(id)}, which is no restore`];
  if (!same(found, target)) return [`${name} has taken transaction ${String(id)}, which is another's`];
  if (!ended(status)) return [];
  if (found.status !== status) return [`${name} is ${String(status)} in the state, and ${found.status} by the ledger`];
  const seconds = ((found.endedAt ?? Infinity) - found.requestedAt) / 1000;
  return durationSeconds !== undefined && Math.abs(durationSeconds - seconds) > mostOffSeconds
    ? [`${name} took ${durationSeconds} s in the state, and ${seconds} s by the ledger`]
    : [];
}
