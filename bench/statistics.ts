export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}

export interface Pairs {
  readonly ours: readonly number[];
  readonly other: readonly number[];
}

/**
 * Measures two things in turns, so that what the machine does meanwhile falls on both alike; which of them goes
 * first changes from pair to pair. The first pair warms up and is not counted.
 */
export async function interleaved(
  pairs: number,
  ours: () => Promise<number>,
  other: () => Promise<number>,
): Promise<Pairs> {
  const result = { ours: [] as number[], other: [] as number[] };
  for (let pair = 0; pair <= pairs; pair++) {
    const oursFirst = pair % 2 === 0;
    const first = await (oursFirst ? ours() : other());
    const second = await (oursFirst ? other() : ours());
    if (pair === 0) continue;
    result.ours.push(oursFirst ? first : second);
    result.other.push(oursFirst ? second : first);
  }
  return result;
}
