import type { Mark } from "../inputs/intent";
import { chainIdsOfTwoMachines, mergeRows, type Row, rowOf, withoutChainIds } from "../rows/chains";
import { isMarkRow, laterMark, markOf, rowsAbove } from "../rows/mark";
import { whoseRow } from "../rows/whose-row";
import type { ListReadEvent } from "./poller";

/** What the reads of a list have shown above a mark. Each goes down to where the one before began, so a look costs no more with time. */
export interface RowsAbove {
  /** In the order of the list, each as last read. Another machine's are left out. */
  readonly above: readonly Row[];
  /** The place where the last read without a gap began. */
  readonly seenFrom?: Mark;
  /** Chains of which a row stands below the mark, and those that two machines share, which are none. */
  readonly olderChainIds: readonly string[];
  readonly sharedChainIds: readonly string[];
}

export const nothingRead: RowsAbove = { above: [], olderChainIds: [], sharedChainIds: [] };

/** True if a read went down to this very mark. */
export function isReadDownTo(mark: Mark, { reachedMark, stopRule }: ListReadEvent): boolean {
  return reachedMark && stopRule.mark === mark;
}

/** Adds what one read has shown. `below`: the rows that it met below the mark; `newIds`: those above it that no read had met. */
export function addRead(
  known: RowsAbove,
  read: ListReadEvent,
  mark: Mark,
  machine: string,
): RowsAbove & { readonly below: readonly Row[]; readonly newIds: ReadonlySet<string> } {
  const { newestPage, reachedStop, reachedMark, stopRule } = read;
  const page = newestPage.rows.map(rowOf);
  const sharedChainIds = union(known.sharedChainIds, chainIdsOfTwoMachines(page));
  const pageIds = new Set<string>(page.map(({ id }) => id));
  // Where ids do not compare, a scan leaves out known rows at and below the place where it stops: their page shows how they are now.
  const rows = withoutChainIds([...page, ...read.rows.filter(({ id }) => !pageIds.has(id))], sharedChainIds);
  const made = rowsAbove(rows, mark, isReadDownTo(mark, read) ? mark : known.seenFrom);
  const knownIds = new Set<string>(known.above.map(({ id }) => id));
  const aboveIds = new Set<string>([...made.map(({ id }) => id), ...knownIds]);
  const isOurs = (row: Row): boolean => knownIds.has(row.id) || whoseRow(row, machine) !== "another machine";
  const below = rows.filter((row) => !aboveIds.has(row.id) && isOurs(row));
  const hasNoGap = stopRule.mark === undefined ? reachedStop : reachedMark;
  return {
    above: mergeRows(
      known.above,
      rows.filter((row) => aboveIds.has(row.id) && isOurs(row)),
    ),
    below,
    newIds: new Set([...aboveIds].filter((id) => !knownIds.has(id))),
    sharedChainIds,
    olderChainIds: union(
      known.olderChainIds,
      below.flatMap(({ chainId }) => chainId ?? []),
    ),
    ...(known.seenFrom && { seenFrom: known.seenFrom }),
    ...(hasNoGap && { seenFrom: laterMark(known.seenFrom, markOf(newestPage, mark.panel)) }),
  };
}

/** True for a row that may be the machine's, or by which a read knows the mark or the place where the read before began. */
export function isNeededAbove(row: Row, seenFrom: Mark | undefined, mark: Mark, machine: string): boolean {
  return whoseRow(row, machine) !== "another machine" || isMarkRow(row, seenFrom ?? mark) || isMarkRow(row, mark);
}

function union(some: readonly string[], more: readonly string[]): readonly string[] {
  return [...new Set([...some, ...more])];
}
