import type { Report, Step } from "../model/model";
import { known } from "../state/values";
import { byStart, keyOf, type EarlierReport, type EarlierStep } from "./entry";

/** Puts the figures of the run before this one beside its own: those of the newest earlier report of the same plan, or stack. */
export function besideEarlier(report: Report, earlier: readonly EarlierReport[]): Report {
  const start = report.run.startedAt === undefined ? Infinity : Date.parse(report.run.startedAt);
  const before = earlier
    .filter(({ scope }) => scope.kind === report.scope.kind && scope.name === report.scope.name)
    .filter(({ startedAt }) => startedAt !== undefined && Date.parse(startedAt) < start)
    .sort(byStart)
    .at(-1);
  if (before === undefined) return report;
  const steps = new Map(before.steps.map((step) => [keyOf(step), step]));
  return {
    ...report,
    before: known({
      run: before.run,
      startedAt: before.startedAt,
      verdict: before.verdict,
      recoveryTimeSeconds: before.recoveryTimeSeconds,
      sha256: before.sha256,
    }),
    waves: report.waves.map((wave) => ({
      ...wave,
      restores: wave.restores.map((step) => beside(step, steps.get(keyOf(step)))),
    })),
  };
}

function beside(step: Step, before: EarlierStep | undefined): Step {
  if (before === undefined || before.result === "not carried out") return step;
  const { result, recoveredSeconds, dataAgeSeconds } = before;
  return { ...step, before: known({ result, recoveredSeconds, dataAgeSeconds }) };
}
