import type { Change, EarlierTry, Report, Step, TakenOut } from "../model/model";
import type { StoredPlanRun } from "../state/plan-run";
import { wavesOf, type StoredPlanStep } from "../state/plan-wave";
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

function takenOutOf(state: State, run: StoredPlanRun): readonly TakenOut[] {
  const planned = new Set(
    (run.waves ?? []).flatMap(({ name, restores }) => restores.map((one) => JSON.stringify([name, one.name]))),
  );
  if (run.waves === undefined) return [];
  return wavesOf(run, state, "without logs").flatMap(({ name: wave, takenOut, steps }) =>
    [...takenOut, ...steps.filter(({ step }) => !planned.has(JSON.stringify([wave, step.name])))].map(
      ({ step }: StoredPlanStep): TakenOut => ({
        wave,
        restore: step.name,
        virtualMachineId: step.virtualMachineId,
        tries: [...(step.earlierTries ?? []), lastTryOf(step)],
      }),
    ),
  );
}

function lastTryOf({ result, status, transactionIds, requestedAt, finishedAt, checks }: Step): EarlierTry {
  const failed = checks.filter((check) => check.result !== "passed");
  const failedChecks = result === "complete" && failed.length > 0 ? failed : undefined;
  return definedOnly({ result, status, transactionIds, requestedAt, finishedAt, failedChecks });
}
