export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}

/**
 * Measures several things in turn, so that other load on the machine affects all of them equally. Each round begins with a different measurement. The first
 * round is a warm-up and is left out.
 */
export async function interleaved<Name extends string, Measured>(
  rounds: number,
  ways: Readonly<Record<Name, () => Promise<Measured>>>,
): Promise<Readonly<Record<Name, readonly Measured[]>>> {
  const names = Object.keys(ways) as Name[];
  const results = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Measured[]>;
  for (let round = 0; round <= rounds; round++) {
    const first = round % names.length;
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      const measured = await ways[name]();
      if (round > 0) results[name].push(measured);
    }
  }
  return results;
}
