import { attemptsNotBack, recoveryTime } from "./goals";
import { whatHappened } from "./history";
import { unrecordedSends } from "./overwritten";
import { restoresOfWave, type WaveRestore } from "./restores";
import type { JudgedWave, PlanWave } from "./stored";

/** The restores of a run, each with its time: the verdict judges by it, and reports show it. */
export function restoresOfRun(run: string, declared: readonly PlanWave[], waves: readonly JudgedWave[]) {
  const stored = new Map(waves.map((wave) => [wave.name, wave]));
  const all = declared.flatMap((wave) => restoresOfWave(run, wave, stored.get(wave.name)));
  const unsettled = unsettledSends(run, all, waves);
  const restores = all.map((one): WaveRestore => {
    const isOfIt = (sent: Sent): boolean =>
      sent.machine === one.machine && (sent.name === one.name || sent.isOfFiles === one.isOfFiles);
    const time = unsettled.some(isOfIt) ? undefined : recoveryTime(one);
    return { ...one, ...(time && { time }) };
  });
  return { restores, isWholeKnown: unsettled.length === 0 };
}

interface Sent {
  readonly name: string;
  readonly machine: string | undefined;
  readonly isOfFiles: boolean;
}

/**
 * What a run may have sent without any record, and what it has sent under names that restore something else now, and that is not back: nobody knows how
 * long that has been down.
 */
function unsettledSends(run: string, present: readonly WaveRestore[], waves: readonly JudgedWave[]): readonly Sent[] {
  const byRecord = new Map(present.map((one) => [one.events, one]));
  return waves.flatMap((wave) => {
    const records = wave.waveRun === run ? Object.entries(wave.restores) : [];
    const moved = records.flatMap(([name, events]) => {
      const present = byRecord.get(events);
      return attemptsNotBack((present?.happened ?? whatHappened(events, undefined)).attempts).flatMap(({ sent }) => {
        const one = { name, machine: sent.machine, isOfFiles: sent.paths !== undefined };
        return one.machine === present?.machine && one.isOfFiles === present?.isOfFiles ? [] : [one];
      });
    });
    return [...unrecordedSends(wave).filter(({ isKnown }) => !isKnown), ...moved];
  });
}
