import { compareIds, type Transaction } from "../panel/types";
import { parseStamp } from "../plain/clock";
import { omit } from "../plain/plain";
import { type ConfiguredWords, hasEnded, isFailedOrCancelled, normalizeStatus, type TransactionStatus } from "./words";
import { namesMachine, nameTwoMachines } from "./whose-row";

/** A transaction without its log and without the panel's own copy of every field. */
export type Row = Omit<Transaction, "fields" | "logOutput">;

/** The transactions of one job of the panel, oldest first. */
export type Chain = readonly [Row, ...Row[]];

export function rowOf(transaction: Transaction): Row {
  const row: Row = rowsOf.get(transaction) ?? omit(transaction, "fields", "logOutput");
  rowsOf.set(transaction, row);
  return row;
}

/** Everybody who waits on a panel keeps the same ones. */
const rowsOf = new WeakMap<Transaction, Row>();

/** In the order of the list: a row that is read again replaces the known one, and one that is met for the first time stands above all known. */
export function mergeRows(known: readonly Row[], read: readonly Row[]): readonly Row[] {
  if (read.length === 0) return known;
  const byId = new Map<string, Row>(read.map((row) => [row.id, row]));
  const updated = known.map((row) => byId.get(row.id) ?? row);
  for (const { id } of known) byId.delete(id);
  return [...byId.values(), ...updated];
}

/**
 * Sorts rows into chains: by equal `chain_id`, and rows without one by `dependent_transaction_id`. A panel that gives chain ids gives one to
 * every row of a chain, so a row that waits for a job with another one merely queues behind it. Rows of two machines are no chain.
 */
export function chainsOf(rows: readonly Row[]): readonly Chain[] {
  const byId = new Map<string, Row>(rows.map((row) => [row.id, row]));
  const chains = new Map<string, Row[]>(rows.map((row) => [row.id, [row]]));
  const join = (a: string, b: string): void => {
    const [from, to] = [chains.get(a) ?? [], chains.get(b) ?? []];
    if (from === to) return;
    to.push(...from);
    for (const { id } of from) chains.set(id, to);
  };
  const firstOfChain = new Map<string, string>();
  for (const { id, chainId, dependentTransactionId = "" } of rows) {
    if (chainId !== undefined) {
      const first = firstOfChain.get(chainId) ?? id;
      firstOfChain.set(chainId, first);
      join(id, first);
    }
    const waitsFor = byId.get(dependentTransactionId);
    if (waitsFor && chainId === waitsFor.chainId) join(id, waitsFor.id);
  }
  return [...new Set(chains.values())]
    .flatMap((chain) => (isOfTwoMachines(chain) ? chain.map((row) => [row]) : [chain]))
    .map(
      (chain) =>
        chain.sort((a, b) => oldestFirst(a, b) || dependencyDepth(a, byId) - dependencyDepth(b, byId)) as [
          Row,
          ...Row[],
        ],
    );
}

/** Chain ids that rows of two machines have: on such a panel they are not one per job. */
export function chainIdsOfTwoMachines(rows: readonly Row[]): readonly string[] {
  const ids = new Set(rows.flatMap(({ chainId }) => chainId ?? []));
  return [...ids].filter((id) => isOfTwoMachines(rows.filter(({ chainId }) => chainId === id)));
}

export function withoutChainIds(rows: readonly Row[], chainIds: readonly string[]): readonly Row[] {
  if (chainIds.length === 0) return rows;
  return rows.map((row) => (row.chainId !== undefined && chainIds.includes(row.chainId) ? omit(row, "chainId") : row));
}

function isOfTwoMachines(rows: readonly Row[]): boolean {
  const naming = rows.filter(namesMachine);
  return naming.some((row) => nameTwoMachines(row, naming[0] ?? row));
}

/** Counts the rows before a row, one behind the other. It orders a chain whose ids and stamps do not. */
function dependencyDepth(row: Row, byId: ReadonlyMap<string, Row>): number {
  const passed = new Set<string>();
  for (let at: Row | undefined = row; at !== undefined && !passed.has(at.id);) {
    passed.add(at.id);
    at = byId.get(at.dependentTransactionId ?? "");
  }
  return passed.size;
}

/** The order in which two rows were made, as far as ids or stamps tell it. */
export function oldestFirst(a: Row, b: Row): number {
  const order = compareIds(a.id, b.id);
  if (order !== undefined) return order;
  return (parseStamp(a.createdAt)?.at ?? 0) - (parseStamp(b.createdAt)?.at ?? 0);
}

/** Rows that a panel makes together have stamps no further apart. */
const madeTogetherMs = 2_000;

/** True if the panel has made rows of a chain one after the other, by their stamps. It may make further ones. */
export function wasMadeInSteps(chain: Chain): boolean {
  const made = chain.flatMap((row) => parseStamp(row.createdAt)?.at ?? []);
  return made.length > 1 && Math.max(...made) - Math.min(...made) > madeTogetherMs;
}

export type ChainStatus = Exclude<TransactionStatus, "unrecognized">;

/**
 * The status of a whole chain. It has ended when every row has. The oldest row that did not complete decides how: the rows behind it only fell
 * with it.
 */
export function chainStatus(chain: Chain, words: ConfiguredWords): ChainStatus {
  const statuses = chain.map((row) => normalizeStatus(row.status, words));
  if (statuses.every(hasEnded)) return statuses.find(isFailedOrCancelled) ?? "complete";
  return chain.some((row) => !isNotStarted(row, words)) ? "running" : "pending";
}

export function isUnfinished(chain: Chain, words: ConfiguredWords): boolean {
  return !hasEnded(chainStatus(chain, words));
}

/**
 * The status of a chain, counting rows behind an unsuccessful one as never to start: not every panel cancels them. While a row still runs, the
 * chain does.
 */
export function finalChainStatus(chain: Chain, words: ConfiguredWords): ChainStatus {
  const statuses = chain.map((row) => normalizeStatus(row.status, words));
  const cause = statuses.findIndex(isFailedOrCancelled);
  const isSettled = chain.every(
    (row, index) => hasEnded(statuses[index] ?? "pending") || (index > cause && isNotStarted(row, words)),
  );
  return (isSettled ? statuses.find(isFailedOrCancelled) : undefined) ?? chainStatus(chain, words);
}

/** The rows that the panel has not started. */
export function rowsNotStarted(chain: Chain, words: ConfiguredWords): readonly Row[] {
  return chain.filter((row) => isNotStarted(row, words));
}

function isNotStarted(row: Row, words: ConfiguredWords): boolean {
  const status = normalizeStatus(row.status, words);
  return status === "pending" || (status === "unrecognized" && row.startedAt === undefined);
}

/** The status words of a chain that no setting classifies. */
export function unrecognizedStatuses(chain: Chain, words: ConfiguredWords): readonly string[] {
  return chain.flatMap((row) =>
    row.status !== undefined && normalizeStatus(row.status, words) === "unrecognized" ? [row.status] : [],
  );
}

/**
 * How several chains that nothing tells apart have ended. `differs`: not all alike, so nobody knows how the restore has. Undefined while one has
 * not ended, or if there is none.
 */
export function combinedEnd(
  statuses: readonly ChainStatus[],
): "complete" | "failed" | "cancelled" | "differs" | undefined {
  const [first] = statuses;
  if (first === undefined || !statuses.every(hasEnded)) return undefined;
  return statuses.every((status) => status === first) ? (first as "complete" | "failed" | "cancelled") : "differs";
}
