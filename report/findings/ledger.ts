import type { Change, EarlierTry, Report, Step, TakenOut } from "../model/model";
import type { StoredPlanRun } from "../state/plan-run";
import { wavesOf } from "../state/plan-wave";
import type { State } from "../state/read-state";
import { definedOnly, utcOf } from "../state/values";

/** Adds what was changed in the plan after the run began, and what became of restores that were taken out. Without a change there is neither. */
export function withLedger(report: Report, state: State, run: StoredPlanRun): Report {
  const changes = run.history.map(({ at, by, pipeline, changes: values }): Change =>
    definedOnly({ at: utcOf(at), user: by.user, host: by.host, pipeline, values }),
  );
  const takenOut = takenOutOf(state, run);
  return definedOnly({
    ...report,
    changes: changes.length === 0 ? undefined : changes,
    takenOut: takenOut.length === 0 ? undefined : takenOut,
  });
}

/** Restores that the plan has no longer in their wave, each with every try. */
function takenOutOf(state: State, run: StoredPlanRun): readonly TakenOut[] {
  if (run.waves === undefined) return [];
  const planned = new Map(run.waves.map(({ name, restores }) => [name, new Set(restores.map((one) => one.name))]));
  return wavesOf(run, state, "without logs").flatMap(({ name: wave, earlierTries, steps }) => {
    const last = new Map(steps.map(({ step }) => [step.name, lastTryOf(step)]));
    const names = [...new Set([...Object.keys(earlierTries), ...last.keys()])];
    return names
      .filter((name) => planned.get(wave)?.has(name) !== true)
      .map((restore): TakenOut => {
        const tries = [...(earlierTries[restore] ?? []), ...asArray(last.get(restore))];
        return { wave, restore, virtualMachineId: tries.at(-1)?.virtualMachineId ?? "not stored", tries };
      });
  });
}

const asArray = <T>(value: T | undefined): readonly T[] => (value === undefined ? [] : [value]);

/** A step as a try among others. */
export function lastTryOf({
  virtualMachineId,
  recoveryPointId,
  result,
  status,
  transactionIds,
  requestedAt,
  finishedAt,
  checks,
}: Step): EarlierTry {
  return definedOnly({
    virtualMachineId,
    recoveryPointId,
    result,
    status,
    transactionIds,
    requestedAt,
    finishedAt,
    checks,
  });
}
