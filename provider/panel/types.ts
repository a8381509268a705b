import type { Properties } from "../plain/plain";
import type { KnownStatus } from "./conventions";

/** The panel client's types: items, page requests and answers. Nothing here uses HTTP or waits. */

declare const machine: unique symbol;
declare const point: unique symbol;
declare const transaction: unique symbol;

/** A virtual machine's id as it appears in a path: letters, digits, `-` and `_`. */
export type MachineId = string & { readonly [machine]: true };
export type RecoveryPointId = string & { readonly [point]: true };
/** A transaction's id: a number of any size, or letters. */
export type TransactionId = string & { readonly [transaction]: true };

export type Format = "json" | "xml";

type Optional<Name extends string, Value> = { readonly [Key in Name]?: Value };

/** As sent (ISO 8601, `Z` or an offset). Seconds or milliseconds since 1970 are converted to ISO 8601. */
type Stamps = Optional<"createdAt" | "updatedAt" | "startAfter" | "startedAt" | "finishedAt", string>;

type TransactionText =
  | ("identifier" | "action" | "status" | "actor" | "userId" | "chainId")
  | ("parentId" | "parentType" | "associatedObjectId" | "associatedObjectType" | "dependentTransactionId");

/** One row of the transaction list. Null and missing members are absent. `program/rows.ts` documents each. */
export interface ListedTransaction
  extends
    Stamps,
    Optional<TransactionText, string>,
    Optional<"lockVersion" | "pid" | "priority", number>,
    Optional<"allowedCancel" | "scheduled", boolean> {
  readonly id: TransactionId;
  /** Free-form; may contain secrets. */
  readonly params?: Readonly<Record<string, unknown>>;
  /** Present only with `detailed`; may contain secrets. */
  readonly logOutput?: string;
  /** The transaction's facts, in the same form for every panel. */
  readonly facts: Row;
  /** All members as sent, under the panel's names. */
  readonly fields: Properties;
}

/** `unclear`: the row has ended, but nothing shows how. `unknown`: no table and no setting contains the word, so the row is treated as unfinished. */
export type RowState = KnownStatus | "unclear" | "unknown";

/** The facts of a row, in the same form for every panel. Text that is shown or stored is masked, but names that are only compared are not. */
export interface Row extends Stamps {
  readonly id: TransactionId;
  readonly state: RowState;
  /** True if the row's status alone means complete, even if another field contradicts it. */
  readonly saysComplete?: true;
  /** The status in the panel's words, including those of a second field. */
  readonly status?: string;
  /** The field that contradicts a successful end, such as `error: disk full`, or the word of another status field that contradicts the status. */
  readonly against?: string;
  /** The word that a setting could classify. */
  readonly word?: string;
  readonly action?: string;
  /** What the action means. `unknown`: perhaps this panel's word for a restore. Absent if the row has no action. */
  readonly does?: "restore" | "other" | "unknown";
  readonly kind?: "files" | "machine";
  /** The machines that the row names, in lower case. */
  readonly machines: readonly string[];
  /** Names that can show that the row belongs to a machine, but cannot rule it out. */
  readonly perhaps: readonly string[];
  /** One of `perhaps`: the identifier of a machine, or of the row itself. If a panel sends identifiers, its rows name machines. */
  readonly identifier?: string;
  readonly points: readonly string[];
  readonly paths?: readonly string[];
  /** Rows with the same chain belong to one job, as do a parent and its parts. */
  readonly chain?: string;
  readonly parent?: string;
  /** The row that this row waits for. */
  readonly after?: string;
}

export interface ListedLogItem extends Optional<
  "id" | "action" | "status" | "targetId" | "targetType" | "createdAt" | "updatedAt" | "resourceDiffId",
  string
> {
  /** The id of the transaction that the item names, as its target or in a separate member. */
  readonly transactionId?: string;
  readonly resourceDiffIds?: readonly string[];
  readonly fields: Properties;
}

export interface ListedPoint {
  readonly id: RecoveryPointId;
  /** As sent, in the panel's case and spelling. */
  readonly state?: string;
  readonly size?: number;
  readonly createdAt?: string;
  /** The machine's number from the row, even if the list was requested by the machine's name. */
  readonly virtualMachineId?: string;
  readonly fields: Properties;
}

export type ListedRow = Pick<ListedLogItem, "id" | "fields">;

/** A key that distinguishes rows, even rows without an id. */
export function rowKey({ id, fields }: ListedRow): string {
  return id ?? JSON.stringify(fields);
}

/** The panel's defaults are page 1 and ten rows. */
export interface PageRequest {
  readonly page?: number;
  readonly perPage?: number;
}

export interface TransactionPageRequest extends PageRequest {
  readonly detailed?: boolean;
}

export interface Page<Item> {
  /** In listed order, except that a page of ascending numbers is reversed, so that the newest comes first. Duplicates within a page are dropped. */
  readonly items: readonly Item[];
  /** The number of rows that were left out: transactions or points without an id, and anything that is not a row. */
  readonly skipped: number;
  /** The panel's clock, from the answer's `Date` header, in milliseconds since the epoch. */
  readonly panelTime?: number;
}

export interface GetOptions {
  /** Ends the call, its retries and its socket at once. One `requestTimeoutMs` covers all attempts at a request together. */
  readonly signal?: AbortSignal;
  /** Fail if the panel refuses the page size. Otherwise, the newest page is then read without a size. */
  readonly isExact?: boolean;
}

export interface WalkOptions extends GetOptions {
  readonly perPage: number;
  readonly detailed?: boolean;
}

/** What is known about a POST. *refused*: certainly not carried out. *unknown*, or *denied* (the body contradicts a success status): perhaps carried out. */
export type PostAnswer =
  | {
      readonly kind: "accepted";
      readonly status: number;
      readonly requestId?: string;
      readonly transactionIds?: readonly string[];
    }
  | { readonly kind: "refused" | "unknown"; readonly error: Unaccepted }
  /** `mayRun`: the answer names a transaction, which may belong to the restore, or to whatever blocks the restore. */
  | { readonly kind: "denied"; readonly error: Unaccepted; readonly mayRun: boolean };

export type Unaccepted = Error & { readonly status?: number | undefined; readonly words?: readonly string[] };

/** The panel's operations. GETs are retried and throw a `PanelError`. POSTs are sent at most once and never throw. */
export interface PanelClient {
  /** The base address without user name or password. Messages show this address, and it distinguishes panels. */
  readonly address: string;
  restoreMachine(machine: MachineId, point: RecoveryPointId, limitMs?: number): Promise<PostAnswer>;
  restoreFiles(
    machine: MachineId,
    point: RecoveryPointId,
    paths: readonly string[],
    limitMs?: number,
  ): Promise<PostAnswer>;
  listTransactions(request?: TransactionPageRequest, options?: GetOptions): Promise<Page<ListedTransaction>>;
  listLogItems(machine: MachineId, request?: PageRequest, options?: GetOptions): Promise<Page<ListedLogItem>>;
  /** Reads page by page, newest first, down to the end. No row is repeated, however the pages shift in the meantime. */
  walkTransactions(options: WalkOptions): AsyncIterable<Page<ListedTransaction>>;
  walkLogItems(machine: MachineId, options: WalkOptions): AsyncIterable<Page<ListedLogItem>>;
  /** Reads all recovery points of the machine, in the panel's order. Only a few lists are read at a time. */
  listRecoveryPoints(machine: MachineId, options?: GetOptions): Promise<Page<ListedPoint>>;
  close(): void;
}

const decimal = /^[0-9]+$/;
/** The form of an id. It becomes one segment of a request's path, so it must not contain anything that ends the segment or the path. */
const segment = /^[A-Za-z0-9_-]{1,128}$/;

/** True if JSON and XML carry a file's path unchanged: XML cannot contain control characters, and a lone surrogate has no valid encoding. */
export function isSendablePath(path: string): boolean {
  return /^\/[^\p{Cc}\p{Cs}\uFFFE\uFFFF]*$/u.test(path);
}

export function isValidId(text: string): boolean {
  return segment.test(text);
}

/** The panel's spelling of an id with leading zeros: `42` for `042`. A restore would not be found under another spelling. Undefined for any other id. */
export function panelSpelling(id: string): string | undefined {
  const plain = decimal.test(id) ? id.replace(/^0+(?=.)/, "") : id;
  return plain === id ? undefined : plain;
}

/** True if ids of this form increase in the order of their creation. */
export function isDecimalId(id: string): boolean {
  return decimal.test(id);
}

/** Compares two transaction ids: negative if `a` is older. Undefined if either is not decimal, because their order is unknown. */
export function compareIds(a: TransactionId, b: TransactionId): number | undefined {
  if (a === b) return 0;
  if (!decimal.test(a) || !decimal.test(b)) return undefined;
  // Compared as text, because a thousand waits compare their ids with every row of every read, and with BigInt that would take most of the time.
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : 1;
}
