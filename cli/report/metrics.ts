import type { Goal, Report, Step } from "../../report";
import { isUtc } from "../../report/model/format";
import { verdictWords } from "../../report/model/model";
import { type Gauge, type Labels, numbered, unixSeconds } from "../parts/metrics";

/** The reports of the last runs, as gauges. */
export function reportMetrics(reports: readonly Report[]): readonly Gauge[] {
  const runs = labelled(reports);
  return [...gaugesOfRuns(runs), ...gaugesOfRestores(runs)];
}

type Runs = ReturnType<typeof labelled>;

function gaugesOfRuns(runs: Runs): readonly Gauge[] {
  const ofRuns = (name: string, help: string, valueOf: (report: Report) => number | undefined): Gauge => ({
    name,
    help,
    samples: runs.map(({ report, labels }) => ({ labels, value: valueOf(report) })),
  });
  return [
    {
      name: "run_verdict",
      help: "The verdict of the last run: 1 for this verdict, 0 for the others.",
      samples: runs.flatMap(({ report, labels }) =>
        verdictWords.map((verdict) => ({
          labels: { ...labels, verdict },
          value: report.verdict.result === verdict,
        })),
      ),
    },
    {
      name: "run_info",
      help: "The name of the last run, as a label; always 1.",
      samples: runs.map(({ report, labels }) => ({
        labels: { ...labels, run: report.run.name, kind: report.run.kind },
        value: 1,
      })),
    },
    ofRuns("run_started_timestamp_seconds", "Unix time at which the last run began.", ({ run }) =>
      unixSeconds(run.startedAt === undefined || !isUtc(run.startedAt) ? undefined : run.startedAt),
    ),
    ofRuns(
      "run_recovery_seconds",
      "Time from the last run's first request until its last restore or check ended.",
      ({ measured }) => measured.recoveryTimeSeconds,
    ),
    ofRuns("run_recovery_goal_seconds", "Maximum allowed recovery time for the whole run.", (report) =>
      targetsOf(report).get(keyOf("recoveryTime")),
    ),
    ofRuns("run_planned_restores", "Number of planned restores.", ({ counts }) => counts.planned),
    ofRuns("run_complete_restores", "Number of complete restores.", ({ counts }) => counts.complete),
    ofRuns("run_failed_checks", "Number of checks that did not pass.", ({ counts }) => counts.checks.failed),
    ofRuns("run_checks_not_run", "Number of checks that have not run.", ({ counts }) => counts.checks.notRun),
  ];
}

function gaugesOfRestores(runs: Runs): readonly Gauge[] {
  const ofRestores = (
    name: string,
    help: string,
    valueOf: (restore: Step, targetOf: (goal: Goal["goal"]) => number | undefined) => Gauge["samples"][number]["value"],
  ): Gauge => ({
    name,
    help,
    samples: runs.flatMap(({ report, labels: ofRun }) => {
      const targets = targetsOf(report);
      return report.waves.flatMap(({ name: wave, restores }) =>
        restores.map((step) => ({
          labels: { ...ofRun, wave, restore: step.name, kind: step.kind, machine: step.virtualMachineId },
          value: valueOf(step, (goal) => targets.get(keyOf(goal, step.name))),
        })),
      );
    }),
  });
  return [
    ofRestores("run_restore_complete", "Whether the restore is complete: 1 or 0.", ({ state }) => state === "complete"),
    ofRestores(
      "run_restore_recovery_seconds",
      "Time from the restore's first request to the end of its last check.",
      ({ recoveredSeconds }) => recoveredSeconds,
    ),
    ofRestores("run_restore_recovery_goal_seconds", "Maximum allowed recovery time.", (_, targetOf) =>
      targetOf("recoveryTime"),
    ),
    ofRestores("run_restore_data_age_seconds", "Age of the restored data.", ({ dataAgeSeconds }) => dataAgeSeconds),
    ofRestores("run_restore_data_age_goal_seconds", "Maximum allowed age of the data.", (_, targetOf) =>
      targetOf("dataAge"),
    ),
  ];
}

function targetsOf({ goals }: Report): ReadonlyMap<string, number> {
  return new Map(goals.map(({ goal, restore, targetSeconds }) => [keyOf(goal, restore), targetSeconds]));
}

function keyOf(goal: Goal["goal"], restore = ""): string {
  return `${goal}\n${restore}`;
}

function labelled(reports: readonly Report[]): readonly { readonly report: Report; readonly labels: Labels }[] {
  const labels = numbered(
    "plan",
    reports.map(({ scope: { kind, name, ...of } }) => ({ ...of, plan: kind === "plan" ? name : undefined })),
  );
  return reports.map((report, index) => ({ report, labels: labels[index] ?? {} }));
}
