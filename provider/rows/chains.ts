import { compareIds, knownStanding, type KnownStanding, type Transaction } from "../panel/types";
import { parseStamp } from "../plain/clock";
import { omit } from "../plain/plain";

/** What is kept of a row while a restore is identified and followed: not its log, and not the panel's own copy of every field. */
export type Row = Omit<Transaction, "fields" | "logOutput">;

/** Transactions that belong together: one job of the panel, oldest first. */
export type Chain = readonly [Row, ...Row[]];

export function rowOf(transaction: Transaction): Row {
  return omit(transaction, "fields", "logOutput");
}

/** Later rows win: the same id is the same row, heard of again. */
export function mergeRows(known: readonly Row[], heard: readonly Row[]): readonly Row[] {
  if (heard.length === 0) return known;
  const byId = new Map(known.map((row) => [row.id, row]));
  for (const row of heard) byId.set(row.id, row);
  return [...byId.values()];
}

/**
 * Sorts rows into chains: by equal `chain_id`, and where neither row has one, by `dependent_transaction_id`. A panel that gives
 * chain ids gives one to every row of a chain. So a row that waits for a job with another one, or with none, merely queues behind it.
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
    if (waitsFor && row.chainId === waitsFor.chainId) join(row.id, waitsFor.id);
  }

  const chains = new Map<string, [Row, ...Row[]]>();
  for (const row of rows) {
    const key = find(row.id);
    const chain = chains.get(key);
    if (chain) chain.push(row);
    else chains.set(key, [row]);
  }
  return [...chains.values()].map((chain) =>
    chain.sort((a, b) => oldestFirst(a, b) || queueLength(a, byId) - queueLength(b, byId)),
  );
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

function oldestFirst(a: Row, b: Row): number {
  const order = compareIds(a.id, b.id);
  if (order !== undefined) return order;
  return (parseStamp(a.createdAt)?.at ?? 0) - (parseStamp(b.createdAt)?.at ?? 0);
}

/** How a whole chain stands. */
export type ChainStanding = Exclude<Standing, "unheard-of">;

/**
 * A chain counts whole. It has ended when every row has; a row that did not complete decides how, and the oldest
 * such row is the cause: what follows it only fell with it.
 */
export function chainStanding(chain: Chain, words: Words): ChainStanding {
  const standings = chain.map((row) => standingOf(row.status, words));
  if (standings.every(hasEnded)) return standings.find(isNotGood) ?? "complete";
  return chain.some((row) => !awaitsItsTurn(row, words)) ? "running" : "pending";
}

export function isUnfinished(chain: Chain, words: Words): boolean {
  return !hasEnded(chainStanding(chain, words));
}

/**
 * How a chain ends if what has not begun behind the row that did not complete never does: not every panel cancels the rest of a
 * chain. Undefined while no row went wrong, or one is still under way.
 */
export function brokenStanding(chain: Chain, words: Words): "failed" | "cancelled" | undefined {
  const standings = chain.map((row) => standingOf(row.status, words));
  const cause = standings.findIndex(isNotGood);
  const isSettled = chain.every(
    (row, index) => hasEnded(standings[index] ?? "pending") || (index > cause && awaitsItsTurn(row, words)),
  );
  return isSettled ? standings.find(isNotGood) : undefined;
}

/** How a chain stands where what has not begun behind the row that did not complete never will. */
export function standingAtLast(chain: Chain, words: Words): ChainStanding {
  return brokenStanding(chain, words) ?? chainStanding(chain, words);
}

/** Rows that nobody has begun to work on. */
export function notBegun(chain: Chain, words: Words): readonly Row[] {
  return chain.filter((row) => awaitsItsTurn(row, words));
}

function awaitsItsTurn(row: Row, words: Words): boolean {
  const standing = standingOf(row.status, words);
  return standing === "pending" || (standing === "unheard-of" && row.startedAt === undefined);
}

export function isNotGood(standing: Standing): standing is "failed" | "cancelled" {
  return standing === "failed" || standing === "cancelled";
}

/** Words of a chain that no setting classifies. */
export function unheardOf(chain: Chain, words: Words): readonly string[] {
  return chain.flatMap((row) =>
    row.status !== undefined && standingOf(row.status, words) === "unheard-of" ? [row.status] : [],
  );
}

export type ChainVerdict =
  | {
      readonly ended: false;
      readonly standing: "pending" | "running";
      /** What it comes to when the rest of chains that broke off never begins. */
      readonly broken?: ChainEnd;
    }
  | ({ readonly ended: true } & ChainEnd);

export interface ChainEnd {
  /** `differs`: of several chains that nothing tells apart. */
  readonly standing: "complete" | "failed" | "cancelled" | "differs";
}

/** Several chains that nothing tells apart are all waited for; when they end differently, nobody knows which was ours. */
export function verdictOf(chains: readonly Chain[], words: Words): ChainVerdict {
  const standings = chains.map((chain) => chainStanding(chain, words));
  const outcome = outcomeOf(standings);
  if (outcome) return { ended: true, ...outcome };
  const broken = outcomeOf(chains.map((chain) => standingAtLast(chain, words)));
  const standing = standings.every((each) => each === "pending") ? "pending" : "running";
  return { ended: false, standing, ...(broken && { broken }) };
}

/** Undefined while one has not ended, or there is none. */
function outcomeOf(standings: readonly ChainStanding[]): ChainEnd | undefined {
  const [first] = standings;
  if (first === undefined || !standings.every(hasEnded)) return undefined;
  return { standing: standings.every((standing) => standing === first) && hasEnded(first) ? first : "differs" };
}

/** What a transaction's status means to somebody who waits for it. */
export type Standing = KnownStanding | "unheard-of";

/** The words of this panel, beyond those every panel of this kind uses. All lower case. */
export interface Words {
  readonly restoreActions: readonly string[];
  readonly completeStatuses: readonly string[];
  readonly failedStatuses: readonly string[];
}

/**
 * A word never seen before is neither success nor failure: it is `unheard-of`, the restore goes on being waited
 * for, and a warning names the setting that classifies the word.
 */
export function standingOf(status: string | undefined, words: Words): Standing {
  const word = status?.trim().toLowerCase() ?? "";
  if (words.completeStatuses.includes(word)) return "complete";
  if (words.failedStatuses.includes(word)) return "failed";
  return knownStanding(word) ?? "unheard-of";
}

export function hasEnded(standing: Standing): standing is "complete" | "failed" | "cancelled" {
  return standing === "complete" || standing === "failed" || standing === "cancelled";
}

/**
 * Whether a row may be a restore by the name of its action. A row that does not say its action may be one; a
 * backup, a start or a firewall update may not.
 */
export function mayBeRestore(row: Pick<Transaction, "action">, words: Words): boolean {
  const action = row.action?.trim().toLowerCase();
  if (action === undefined || action === "") return true;
  return words.restoreActions.length > 0 ? words.restoreActions.includes(action) : action.includes("restore");
}
