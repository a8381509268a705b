import { type Report } from "../../report";
import type { Goal, Step, VerdictWord } from "../../report/model/model";
import { type Gauge, type Labels, unixSeconds } from "../parts/metrics";

const verdicts: readonly VerdictWord[] = ["passed", "passed with warnings", "failed", "incomplete"];

/** The reports of the last runs, as gauges. */
export function metricsOf(reports: readonly Report[]): readonly Gauge[] {
  const ofRuns = (name: string, help: string, valueOf: (report: Report) => number | undefined): Gauge => ({
    name,
    help,
    samples: reports.map((report) => ({ labels: runLabels(report), value: valueOf(report) })),
  });
  const ofRestores = (
    name: string,
    help: string,
    valueOf: (step: Step, targets: Targets) => number | boolean | undefined,
  ): Gauge => ({
    name,
    help,
    samples: reports.flatMap((report) => {
      const targets = targetsOf(report);
      return report.waves.flatMap((wave) =>
        wave.restores.map((step) => ({ labels: stepLabels(report, wave.name, step), value: valueOf(step, targets) })),
      );
    }),
  });
  return [
    {
      name: "run_verdict",
      help: "The verdict of the last run: 1 for the one that it has, 0 for the others.",
      samples: reports.flatMap((report) =>
        verdicts.map((verdict) => ({
          labels: { ...runLabels(report), verdict },
          value: report.verdict.result === verdict,
        })),
      ),
    },
    {
      name: "run_info",
      help: "The last run by its name: always 1.",
      samples: reports.map((report) => ({
        labels: { ...runLabels(report), run: report.run.name, kind: report.run.kind },
        value: 1,
      })),
    },
    ofRuns("run_started_timestamp_seconds", "When the last run began, in seconds since 1970.", ({ run }) =>
      unixSeconds(run.startedAt),
    ),
    ofRuns(
      "run_recovery_seconds",
      "From the first request of the last run to its last end or check.",
      ({ measured }) => measured.recoveryTimeSeconds,
    ),
    ofRuns("run_recovery_goal_seconds", "Highest allowed recovery time of the whole run.", (report) =>
      targetsOf(report).get(keyOf("recoveryTime")),
    ),
    ofRuns("run_planned_restores", "Restores that were planned.", ({ counts }) => counts.planned),
    ofRuns("run_complete_restores", "Restores that are complete.", ({ counts }) => counts.complete),
    ofRuns("run_failed_checks", "Checks that did not pass.", ({ counts }) => counts.checks.failed),
    ofRuns("run_checks_not_run", "Checks that were not run.", ({ counts }) => counts.checks.notRun),
    ofRestores(
      "run_restore_complete",
      "Whether the restore is complete: 1 or 0.",
      ({ result }) => result === "complete",
    ),
    ofRestores(
      "run_restore_recovery_seconds",
      "From the restore's first request to its last check.",
      ({ recoveredSeconds }) => recoveredSeconds,
    ),
    ofRestores("run_restore_recovery_goal_seconds", "Highest allowed recovery time.", ({ name }, targets) =>
      targets.get(keyOf("recoveryTime", name)),
    ),
    ofRestores("run_restore_data_age_seconds", "Age of the restored data.", ({ dataAgeSeconds }) => dataAgeSeconds),
    ofRestores("run_restore_data_age_goal_seconds", "Highest allowed age of the data.", ({ name }, targets) =>
      targets.get(keyOf("dataAge", name)),
    ),
  ];
}

type Targets = ReadonlyMap<string, number>;

function targetsOf({ goals }: Report): Targets {
  return new Map(goals.map(({ goal, restore, targetSeconds }) => [keyOf(goal, restore), targetSeconds]));
}

function keyOf(goal: Goal["goal"], restore = ""): string {
  return `${goal}\n${restore}`;
}

function runLabels({ scope }: Report): Labels {
  const { project, stack } = scope;
  return { project, stack, plan: scope.kind === "plan" ? scope.name : undefined };
}

function stepLabels(report: Report, wave: string | undefined, { name, kind, virtualMachineId }: Step): Labels {
  return { ...runLabels(report), wave, restore: name, kind, machine: virtualMachineId };
}
