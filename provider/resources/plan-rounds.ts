import type { ReadRestore } from "../plan/read/read-plan";

/**
 * A machine is restored once at a time. Where it comes more than once in a wave, its later restores are put into a later round, which
 * begins when the round before has ended: posted in the same round they would hold a place of the engine each while
 * they wait, and keep the wave from noticing the ends of all the others. An id that is not known yet is taken for a machine of its own; the
 * provider process still restores it once at a time.
 */
export function roundsOf(restores: readonly ReadRestore[]): readonly (readonly ReadRestore[])[] {
  const seen = new Map<string, number>();
  const rounds: ReadRestore[][] = [];
  for (const restore of restores) {
    const { virtualMachineId } = restore.inputs;
    const isKnown = typeof virtualMachineId === "string" || typeof virtualMachineId === "number";
    const round = isKnown ? (seen.get(String(virtualMachineId)) ?? 0) : 0;
    if (isKnown) seen.set(String(virtualMachineId), round + 1);
    (rounds[round] ??= []).push(restore);
  }
  return rounds;
}
