/** What the panel client speaks: typed items, page requests and answers. No HTTP and no waiting in here. */

declare const machine: unique symbol;
declare const point: unique symbol;
declare const transaction: unique symbol;

/** A virtual machine's id as the path carries it: letters, digits, `-` and `_`. */
export type MachineId = string & { readonly [machine]: true };
/** A recovery point's id. */
export type RecoveryPointId = string & { readonly [point]: true };
/** A transaction's id; decimal on the panels known, but any size, so never a number. */
export type TransactionId = string & { readonly [transaction]: true };

export type Format = "json" | "xml";

/** One row of the transaction list. What the panel sent as null, or not at all, is absent. */
export interface Transaction {
  readonly id: TransactionId;
  readonly identifier?: string;
  readonly action?: string;
  /** As sent: case and spelling are the panel's. */
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
  /** Only with `detailed`; may hold secrets. */
  readonly logOutput?: string;
  readonly userId?: string;
  readonly actor?: string;
  readonly pid?: number;
  readonly priority?: number;
  readonly allowedCancel?: boolean;
  readonly scheduled?: boolean;
  /** Time stamps are kept as sent (ISO 8601, `Z` or an offset). */
  readonly createdAt?: string;
  readonly updatedAt?: string;
  readonly startAfter?: string;
  readonly startedAt?: string;
  readonly finishedAt?: string;
  /** Everything the panel sent, under its own names. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** One row of a machine's log. */
export interface LogItem {
  readonly id: string;
  readonly action?: string;
  readonly status?: string;
  /** The transaction's id when `targetType` is `Transaction`. */
  readonly targetId?: string;
  readonly targetType?: string;
  readonly createdAt?: string;
  readonly updatedAt?: string;
  readonly resourceDiffId?: string;
  readonly resourceDiffIds?: readonly string[];
  readonly fields: Readonly<Record<string, unknown>>;
}

/** One row of the list of a machine's recovery points. */
export interface ListedPoint {
  readonly id: RecoveryPointId;
  /** As sent: case and spelling are the panel's. */
  readonly state?: string;
  readonly size?: number;
  readonly createdAt?: string;
  readonly updatedAt?: string;
  /** The machine that the row names: its number, also where the list was asked for by its name. */
  readonly virtualMachineId?: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Left out, the panel's own defaults hold: page 1, ten rows. */
export interface PageRequest {
  readonly page?: number;
  readonly perPage?: number;
}

export interface TransactionPageRequest extends PageRequest {
  /** Ask for `log_output`. */
  readonly detailed?: boolean;
}

export interface Page<Item> {
  /** As listed: newest first. Repeats within a page are already dropped. */
  readonly items: readonly Item[];
  /** Rows that had no id and were left out. */
  readonly skipped: number;
  /** The panel's clock, from the answer's `Date` header, in milliseconds since the epoch. */
  readonly panelTime?: number;
}

export interface GetOptions {
  /** Ends the call, its retries and its socket at once. */
  readonly signal?: AbortSignal;
  /** Time for all tries of one request together; a walk has it for each page. Default: one `requestTimeoutMs`. */
  readonly budgetMs?: number;
}

export interface WalkOptions extends GetOptions {
  /** Rows asked for per request. */
  readonly perPage: number;
  readonly detailed?: boolean;
}

/**
 * What became of a POST. *refused*: certainly not carried out. *unknown*: it may have been. The class is in
 * the type so that nobody can treat an unknown one as refused and post again.
 */
export type PostAnswer =
  | { readonly kind: "accepted"; readonly status: number; readonly requestId?: string }
  | { readonly kind: "refused"; readonly error: Error }
  | { readonly kind: "unknown"; readonly error: Error };

export interface PostOptions {
  /**
   * Gives the call up. No restore does: one that is given up after it was written is *unknown*, as if its answer was lost. It is there so
   * that this holds for whoever uses the client.
   */
  readonly signal?: AbortSignal;
}

/** The operations of the panel. GETs retry within their budget and throw a `PanelError`; POSTs are sent at most once and never throw. */
export interface PanelClient {
  /** Base address without userinfo, for messages and for telling panels apart. */
  readonly address: string;
  restoreMachine(machine: MachineId, point: RecoveryPointId, options?: PostOptions): Promise<PostAnswer>;
  restoreFiles(
    machine: MachineId,
    point: RecoveryPointId,
    paths: readonly string[],
    options?: PostOptions,
  ): Promise<PostAnswer>;
  listTransactions(request?: TransactionPageRequest, options?: GetOptions): Promise<Page<Transaction>>;
  listLogItems(machine: MachineId, request?: PageRequest, options?: GetOptions): Promise<Page<LogItem>>;
  /**
   * The list page by page, newest first, without repeats however pages shift while it is read; ends at the
   * panel's end of list. Stop early by leaving the loop: no further page is asked for.
   */
  walkTransactions(options: WalkOptions): AsyncIterable<Page<Transaction>>;
  walkLogItems(machine: MachineId, options: WalkOptions): AsyncIterable<Page<LogItem>>;
  /** All recovery points of the machine, in whatever order the panel lists them. A few lists are read at a time, however many are asked for. */
  listRecoveryPoints(machine: MachineId, options?: GetOptions): Promise<Page<ListedPoint>>;
  /** Closes kept-alive connections. */
  close(): void;
}

const decimal = /^[0-9]+$/;
/** An id becomes one segment of a request's path, so nothing passes that could end the segment or the path. */
const segment = /^[A-Za-z0-9_-]{1,128}$/;

/** Whether a text can name something on the panel. */
export function isValidId(text: string): boolean {
  return segment.test(text);
}

/**
 * What a decimal id with zeros in front is to the panel. The panel reads `042` as a number and lists what it does for it under
 * `42`, so a restore asked for by the first would never be found again. Undefined when the id is written as the panel writes it.
 */
export function panelSpelling(id: string): string | undefined {
  const plain = decimal.test(id) ? withoutLeadingZeros(id) : id;
  return plain === id ? undefined : plain;
}

/** Whether ids of this form are in the order in which they were made. */
export function isDecimalId(id: string): boolean {
  return decimal.test(id);
}

/**
 * Order of two transaction ids: negative when `a` is older. Ids are decimal numbers of any size on the panels
 * known; where one is not, nothing can be said and the answer is undefined.
 */
export function compareIds(a: TransactionId, b: TransactionId): number | undefined {
  if (a === b) return 0;
  if (!decimal.test(a) || !decimal.test(b)) return undefined;
  // As text: a thousand waits compare their ids with every row of every look, and BigInt would take most of that time.
  const left = withoutLeadingZeros(a);
  const right = withoutLeadingZeros(b);
  if (left.length !== right.length) return left.length - right.length;
  return left < right ? -1 : left > right ? 1 : 0;
}

function withoutLeadingZeros(digits: string): string {
  return digits.startsWith("0") ? digits.replace(/^0+(?=.)/, "") : digits;
}
