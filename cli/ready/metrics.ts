import { type Gauge, type Labels, numbered, unixSeconds } from "../parts/metrics";
import { isAccepted, type ReadyResult, type ReadyRestore } from "./result";

type Value = number | boolean | undefined;

/** What `ready` found, as gauges. Unknown values have no sample. */
export function readyMetrics(ready: ReadyResult): readonly Gauge[] {
  const { restores, verdict } = ready;
  const stack: Labels = { project: ready.project, stack: ready.stack };
  const labels = numbered(
    "restore",
    restores.map(({ plan, wave, name, kind, virtualMachineId: machine }) => ({
      ...stack,
      ...{ plan, wave, restore: name, kind, machine },
    })),
  );
  const ofStack = (name: string, help: string, value: Value): Gauge => ({
    name,
    help,
    samples: [{ labels: stack, value }],
  });
  const ofRestores = (name: string, help: string, valueOf: (restore: ReadyRestore) => Value): Gauge => ({
    name,
    help,
    samples: restores.map((one, index) => ({ labels: labels[index] ?? {}, value: valueOf(one) })),
  });
  return [
    ofStack(
      "ready",
      "Whether all restores are ready, apart from accepted questions: 1 or 0.",
      verdict === "ready" || ready.isAccepted,
    ),
    ofStack("ready_looked_timestamp_seconds", "Unix time at which the panel was queried.", unixSeconds(ready.lookedAt)),
    ofRestores("restore_ready", "Whether the restore could run now: 1 or 0.", ({ readiness }) =>
      readiness === "cannot be judged" ? undefined : readiness === "ready",
    ),
    ofRestores(
      "restore_cannot_be_judged",
      "Whether the restore cannot be judged, apart from accepted questions: 1 or 0.",
      (one) => one.readiness === "cannot be judged" && !isAccepted(one),
    ),
    ofRestores(
      "restore_point_age_seconds",
      "Age of the recovery point that would be restored, at the plan's incident or, without one, now (by the panel's clock).",
      ({ ageSeconds }) => ageSeconds,
    ),
    ofRestores("restore_point_age_goal_seconds", "Maximum allowed age of the data.", ({ goalSeconds }) => goalSeconds),
    ofRestores(
      "restore_proven_timestamp_seconds",
      "Unix time at which a run last completed the restore as currently declared, with all checks passing.",
      ({ provenAt }) => unixSeconds(provenAt),
    ),
    ofRestores(
      "restore_last_complete",
      "Whether the restore is complete according to the stored state: 1 or 0.",
      ({ state }) => state === "complete",
    ),
  ];
}
