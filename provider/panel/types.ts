import type { Properties } from "../plain/plain";
import type { KnownStatus } from "./conventions";

/** The panel client's types: items, page requests and answers. No HTTP and no waiting in here. */

declare const machine: unique symbol;
declare const point: unique symbol;
declare const transaction: unique symbol;

/** A virtual machine's id as the path carries it: letters, digits, `-` and `_`. */
export type MachineId = string & { readonly [machine]: true };
/** A recovery point's id. */
export type RecoveryPointId = string & { readonly [point]: true };
/** A transaction's id: a number of any size, or letters. */
export type TransactionId = string & { readonly [transaction]: true };

export type Format = "json" | "xml";

/** One row of the transaction list. Null and missing members are absent. */
export interface ListedTransaction {
  readonly id: TransactionId;
  readonly identifier?: string;
  readonly action?: string;
  /** As sent, in the panel's case and spelling. */
  readonly status?: string;
  readonly parentId?: string;
  readonly parentType?: string;
  readonly associatedObjectId?: string;
  readonly associatedObjectType?: string;
  readonly dependentTransactionId?: TransactionId;
  readonly chainId?: string;
  readonly lockVersion?: number;
  /** Free-form; may hold secrets. */
  readonly params?: Readonly<Record<string, unknown>>;
  /** Present only with `detailed`; may hold secrets. */
  readonly logOutput?: string;
  readonly userId?: string;
  readonly actor?: string;
  readonly pid?: number;
  readonly priority?: number;
  readonly allowedCancel?: boolean;
  readonly scheduled?: boolean;
  /** Time stamps stay as sent (ISO 8601, `Z` or an offset). The seconds or milliseconds since 1970 become ISO 8601. */
  readonly createdAt?: string;
  readonly updatedAt?: string;
  readonly startAfter?: string;
  readonly startedAt?: string;
  readonly finishedAt?: string;
  /** What it says, in one form for every panel. */
  readonly facts: Row;
  /** All members as sent, under the panel's names. */
  readonly fields: Properties;
}

/** `unclear`: it has ended, and nobody knows how. `unknown`: a word that no table and no setting has; it counts as unfinished. */
export type RowState = KnownStatus | "unclear" | "unknown";

/**
 * What a row of the list says, in one form for every panel: nothing outside this folder knows a panel's names and words. The texts that are shown or stored
 * are masked, the names that are only compared are not.
 */
export interface Row {
  readonly id: TransactionId;
  readonly state: RowState;
  /** It would be complete if no other field contradicted its status. */
  readonly saysComplete?: true;
  /** The words of its status as a person reads them, those of a second field with them. */
  readonly status?: string;
  /** The field that contradicts a good end: `error: disk full`. */
  readonly against?: string;
  /** The word that a setting could classify. */
  readonly word?: string;
  readonly action?: string;
  /** What its action says. `unknown`: perhaps this panel's word for a restore. Absent without an action. */
  readonly does?: "restore" | "other" | "unknown";
  /** The object of its action, where the word says one. */
  readonly kind?: "files" | "machine";
  /** The machines that it names, in lower case. */
  readonly machines: readonly string[];
  /** These count for a machine, never against one. */
  readonly perhaps: readonly string[];
  /** One of those: a machine's, or the row's own. A panel that has it names machines. */
  readonly identifier?: string;
  readonly points: readonly string[];
  readonly paths?: readonly string[];
  /** Rows of one chain are one job, and so are a parent and its parts. */
  readonly chain?: string;
  readonly parent?: string;
  /** The row that it waits for. */
  readonly after?: string;
  readonly createdAt?: string;
  readonly startedAt?: string;
  readonly finishedAt?: string;
  readonly updatedAt?: string;
  readonly startAfter?: string;
}

/** One row of a machine's log. */
export interface ListedLogItem {
  readonly id?: string;
  readonly action?: string;
  readonly status?: string;
  /** The transaction's id when `targetType` is `Transaction`. */
  readonly targetId?: string;
  readonly targetType?: string;
  /** The transaction that the item names: its target, or in a member of its own. */
  readonly transactionId?: string;
  readonly createdAt?: string;
  readonly updatedAt?: string;
  readonly resourceDiffId?: string;
  readonly resourceDiffIds?: readonly string[];
  readonly fields: Properties;
}

/** One row of the list of a machine's recovery points. */
export interface ListedPoint {
  readonly id: RecoveryPointId;
  /** As sent, in the panel's case and spelling. */
  readonly state?: string;
  readonly size?: number;
  readonly createdAt?: string;
  readonly updatedAt?: string;
  /** The machine's number as the row names it, even if the list was requested by the machine's name. */
  readonly virtualMachineId?: string;
  readonly fields: Properties;
}

/** Any of these rows. */
export type ListedRow = Pick<ListedLogItem, "id" | "fields">;

/** A key that distinguishes rows, even without an id. */
export function rowKey({ id, fields }: ListedRow): string {
  return id ?? JSON.stringify(fields);
}

/** The panel's defaults are page 1 and ten rows. */
export interface PageRequest {
  readonly page?: number;
  readonly perPage?: number;
}

export interface TransactionPageRequest extends PageRequest {
  /** Asks for `log_output`. */
  readonly detailed?: boolean;
}

export interface Page<Item> {
  /** As listed, but a page of ascending numbers is reversed: the newest comes first. Repeats within a page are dropped. */
  readonly items: readonly Item[];
  /** The number of rows left out: a transaction or a point without an id, or something that is not a row. */
  readonly skipped: number;
  /** The panel's clock, from the answer's `Date` header, in milliseconds since the epoch. */
  readonly panelTime?: number;
}

export interface GetOptions {
  /** Ends the call, its retries and its socket at once. A request has one `requestTimeoutMs` for all its tries. */
  readonly signal?: AbortSignal;
}

interface WalkOptions extends GetOptions {
  /** Rows asked for per request. */
  readonly perPage: number;
  readonly detailed?: boolean;
}

/**
 * The outcome of a POST, as far as known. *refused*: certainly not carried out. *unknown*: perhaps carried out. *denied*: the status says success and the
 * body says the opposite, so perhaps carried out. The type keeps them apart, so that nobody mistakes an unknown outcome for a refusal and posts again.
 */
export type PostAnswer =
  | {
      readonly kind: "accepted";
      readonly status: number;
      readonly requestId?: string;
      /** The transactions that the answer names. */
      readonly transactionIds?: readonly string[];
    }
  | { readonly kind: "refused"; readonly error: Error }
  | { readonly kind: "unknown"; readonly error: Error }
  /** `words`: the panel's own. `mayRun`: it names a transaction, perhaps of the restore, perhaps of what is in its way. */
  | { readonly kind: "denied"; readonly error: Error; readonly words: readonly string[]; readonly mayRun: boolean };

export interface PostOptions {
  /** The longest time for this request. @default the client's `requestTimeoutMs`, which is also the minimum */
  readonly limitMs?: number;
}

/**
 * The operations of the panel. GETs retry within their budget and throw a `PanelError`. POSTs are sent at most once
 * and never throw.
 */
export interface PanelClient {
  /** The base address without user name or password: messages show it, and it distinguishes panels. */
  readonly address: string;
  restoreMachine(machine: MachineId, point: RecoveryPointId, options?: PostOptions): Promise<PostAnswer>;
  restoreFiles(
    machine: MachineId,
    point: RecoveryPointId,
    paths: readonly string[],
    options?: PostOptions,
  ): Promise<PostAnswer>;
  listTransactions(request?: TransactionPageRequest, options?: GetOptions): Promise<Page<ListedTransaction>>;
  listLogItems(machine: MachineId, request?: PageRequest, options?: GetOptions): Promise<Page<ListedLogItem>>;
  /**
   * Reads the list page by page, newest first, down to its end. No row repeats, however pages shift meanwhile.
   * Leaving the loop stops the requests.
   */
  walkTransactions(options: WalkOptions): AsyncIterable<Page<ListedTransaction>>;
  walkLogItems(machine: MachineId, options: WalkOptions): AsyncIterable<Page<ListedLogItem>>;
  /** Reads all recovery points of the machine, in the panel's order. Only a few lists are read at a time. */
  listRecoveryPoints(machine: MachineId, options?: GetOptions): Promise<Page<ListedPoint>>;
  /** Closes kept-alive connections. */
  close(): void;
}

const decimal = /^[0-9]+$/;
/** An id becomes one segment of a request's path, so it may hold nothing that ends the segment or the path. */
const segment = /^[A-Za-z0-9_-]{1,128}$/;

/** True if a string can be an id on the panel. */
export function isValidId(text: string): boolean {
  return segment.test(text);
}

/**
 * The panel's spelling of a decimal id with leading zeros; undefined if the id has none. The panel reads `042` as a
 * number and lists its transactions under `42`, so a restore requested under `042` would never be found again.
 */
export function panelSpelling(id: string): string | undefined {
  const plain = decimal.test(id) ? withoutLeadingZeros(id) : id;
  return plain === id ? undefined : plain;
}

/** True if ids of this form grow in the order of their creation. */
export function isDecimalId(id: string): boolean {
  return decimal.test(id);
}

/** Compares two transaction ids: negative if `a` is older. Undefined if either is not decimal, because their order is unknown. */
export function compareIds(a: TransactionId, b: TransactionId): number | undefined {
  if (a === b) return 0;
  if (!decimal.test(a) || !decimal.test(b)) return undefined;
  // Compared as text: a thousand waits compare their ids with every row of every read, and BigInt would take most of
  // that time.
  const left = withoutLeadingZeros(a);
  const right = withoutLeadingZeros(b);
  if (left.length !== right.length) return left.length - right.length;
  return left < right ? -1 : left > right ? 1 : 0;
}

function withoutLeadingZeros(digits: string): string {
  return digits.startsWith("0") ? digits.replace(/^0+(?=.)/, "") : digits;
}
