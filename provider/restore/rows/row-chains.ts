import { compareIds } from "../../panel/terms/ids";
import type { Transaction } from "../../panel/terms/types";
import { without } from "../../plain/without";

/** What is kept of a row while a restore is identified and followed: not its log, and not the panel's own copy of every field. */
export type Row = Omit<Transaction, "fields" | "logOutput">;

/** Transactions that belong together: one job of the panel, oldest first. */
export type Chain = readonly [Row, ...Row[]];

export function rowOf(transaction: Transaction): Row {
  return without(transaction, "fields", "logOutput");
}

/** Later rows win: the same id is the same row, heard of again. */
export function mergeRows(known: readonly Row[], heard: readonly Row[]): readonly Row[] {
  if (heard.length === 0) return known;
  const byId = new Map(known.map((row) => [row.id, row]));
  for (const row of heard) byId.set(row.id, row);
  return [...byId.values()];
}

/**
 * Sorts rows into chains: by equal `chain_id`, and by `dependent_transaction_id` where neither row has one. A panel that
 * gives chain ids gives one to every row of a chain, so a row that waits for a job with another one, or with none, merely
 * queues behind somebody else's.
 */
export function chainsOf(rows: readonly Row[]): readonly Chain[] {
  const leader = new Map<string, string>(rows.map((row) => [row.id, row.id]));
  const find = (id: string): string => {
    let at = id;
    for (let up = leader.get(at); up !== undefined && up !== at; up = leader.get(at)) at = up;
    return at;
  };
  const join = (a: string, b: string): void => {
    leader.set(find(a), find(b));
  };

  const byId = new Map<string, Row>(rows.map((row) => [row.id, row]));
  const firstOfChain = new Map<string, string>();
  for (const row of rows) {
    if (row.chainId !== undefined) {
      const first = firstOfChain.get(row.chainId);
      if (first === undefined) firstOfChain.set(row.chainId, row.id);
      else join(row.id, first);
    }
    const waitsFor = row.dependentTransactionId === undefined ? undefined : byId.get(row.dependentTransactionId);
    if (waitsFor && row.chainId === waitsFor.chainId && madeTogether(row, waitsFor)) join(row.id, waitsFor.id);
  }

  const chains = new Map<string, [Row, ...Row[]]>();
  for (const row of rows) {
    const key = find(row.id);
    const chain = chains.get(key);
    if (chain) chain.push(row);
    else chains.set(key, [row]);
  }
  return [...chains.values()].map((chain) =>
    chain.sort((a, b) => oldestFirst(a, b) || queueLength(a, byId) - queueLength(b, byId) || begunFirst(a, b)),
  );
}

/**
 * Without a chain id a row that waits for ours may as well be somebody's later job, queued behind it. The panel makes the rows of
 * one job at once, so one made a minute later is not of it.
 */
function madeTogether(a: Row, b: Row): boolean {
  if (a.chainId !== undefined) return true;
  const apart = Math.abs(Date.parse(a.createdAt ?? "") - Date.parse(b.createdAt ?? ""));
  return Number.isNaN(apart) || apart <= 60_000;
}

/** How many rows a row waits for, one behind the other: the order of a chain whose ids and stamps do not tell it. */
function queueLength(row: Row, byId: ReadonlyMap<string, Row>): number {
  const passed = new Set<string>();
  for (let at: Row | undefined = row; at !== undefined && !passed.has(at.id);) {
    passed.add(at.id);
    at = at.dependentTransactionId === undefined ? undefined : byId.get(at.dependentTransactionId);
  }
  return passed.size;
}

/** A chain is worked through in its order, so what has begun comes before what has not. */
function begunFirst(a: Row, b: Row): number {
  const [begunA, begunB] = [a, b].map(({ startedAt }) => Date.parse(startedAt ?? ""));
  if (begunA === undefined || begunB === undefined || (Number.isNaN(begunA) && Number.isNaN(begunB))) return 0;
  if (Number.isNaN(begunA) || Number.isNaN(begunB)) return Number.isNaN(begunA) ? 1 : -1;
  return begunA - begunB;
}

export function oldestFirst(a: Row, b: Row): number {
  const order = compareIds(a.id, b.id);
  if (order !== undefined) return order;
  const byTime = Date.parse(a.createdAt ?? "") - Date.parse(b.createdAt ?? "");
  return Number.isNaN(byTime) ? 0 : byTime;
}
