import { sha256Of } from "./canonical";
import type { Report, Step } from "./model";
import { known } from "./state/values";

/** Puts the figures of the run before beside this one's: the newest earlier report of the same plan, or stack. */
export function besideEarlier(report: Report, earlier: readonly Report[]): Report {
  const before = earlier
    .filter(({ scope }) => scope.kind === report.scope.kind && scope.name === report.scope.name)
    .filter(({ run }) => run.startedAt !== undefined && Date.parse(run.startedAt) < startOf(report))
    .reduce<Report | undefined>((a, b) => (a === undefined || startOf(b) > startOf(a) ? b : a), undefined);
  if (before === undefined) return report;
  const steps = new Map(before.waves.flatMap(({ restores }) => restores).map((step) => [keyOf(step), step]));
  return {
    ...report,
    before: known({
      run: before.run.name,
      startedAt: before.run.startedAt,
      verdict: before.verdict.result,
      recoveryTimeSeconds: before.measured.recoveryTimeSeconds,
      sha256: sha256Of(before),
    }) as NonNullable<Report["before"]>,
    waves: report.waves.map((wave) => ({
      ...wave,
      restores: wave.restores.map((step) => beside(step, steps.get(keyOf(step)))),
    })),
  };
}

/** The same restore in another run: of the same name and machine, whatever the recovery point. */
export function keyOf({ name, virtualMachineId }: Pick<Step, "name" | "virtualMachineId">): string {
  return `${virtualMachineId}\n${name}`;
}

function startOf({ run }: Report): number {
  return run.startedAt === undefined ? Infinity : Date.parse(run.startedAt);
}

function beside(step: Step, before: Step | undefined): Step {
  if (before === undefined) return step;
  const { result, recoveredSeconds, dataAgeSeconds } = before;
  return { ...step, before: known({ result, recoveredSeconds, dataAgeSeconds }) as NonNullable<Step["before"]> };
}
