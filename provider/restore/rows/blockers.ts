import { chainsOf, type Chain, type Row } from "./row-chains";
import { chainStanding } from "./standing";
import { tieOf, type Identifiers } from "./tie";
import { hasEnded, type Words } from "./row-words";

/** Jobs of the machine that have not ended, whatever they do: a restore posted now would queue behind them. */
export function blockersOf(
  rows: readonly Row[],
  machine: string,
  words: Words,
  identifiers: Identifiers,
  inMachineLog: ReadonlySet<string> = new Set(),
): readonly Chain[] {
  const isOurs = (row: Row): boolean => {
    const tie = tieOf(row, machine, identifiers);
    return tie === "ours" || (tie === "untold" && inMachineLog.has(row.id));
  };
  return chainsOf(rows).filter((chain) => chain.some(isOurs) && !hasEnded(chainStanding(chain, words)));
}
