import type { Feed, StopRule, NewestPage, ListRead } from "../feed/types";
import type { Limit } from "../inputs/read-values";
import type { PanelClient, Transaction } from "../panel/types";
import type { Clock, Stamp } from "../plain/clock";
import type { Row } from "../rows/chains";

/** What can happen while something is waited for. */
export type PollEvent =
  | ({ readonly type: "list-read"; readonly rows: readonly Row[] } & Omit<ListRead, "rows">)
  /** The newest page, for a wait that asked for it. It is told as soon as it has come; the one of a tick is as old as the walk took. */
  | { readonly type: "newest-page"; readonly newestPage: NewestPage }
  | { readonly type: "read-failed"; readonly error: Error; readonly failuresInARow: number }
  | MachineLogRead
  | { readonly type: "limit"; readonly limit: Limit };

/** When a wait is cut short, and by which limit. */
export interface Deadline {
  readonly at: number;
  readonly limit: Limit;
}

/** One read of a machine's newest log items. */
export interface MachineLog {
  /** The transactions they name. */
  readonly transactionIds: readonly string[];
  /** When the read began: it says nothing about what was found out later. */
  readonly askedAt: number;
  /** How far back they go, by the panel's stamps: what is older may have been in the log all the same. Absent when that is not told. */
  readonly since?: Stamp | "everything";
}

export type MachineLogRead =
  | ({ readonly type: "machine-log" } & MachineLog)
  /** `inARow`: reads that failed one after the other, not counting those that merely took too long. */
  | { readonly type: "machine-log-trouble"; readonly error: Error; readonly failuresInARow: number };

/**
 * One kind of wait as pure decisions over plain state; `waitFor` does the rest. Every decision can be put to it as a table:
 * this state, this event, that state.
 */
export interface Poller<State> {
  step(state: State, event: PollEvent, now: number): State;
  isOver(state: State): boolean;
  stopRule(state: State): StopRule;
  wants(state: State, row: Transaction): boolean;
  /** When what is awaited began: looks are quick right after it. */
  since(state: State): number;
  deadline(state: State): Deadline | undefined;
  /** The rows seen do not tell whose they are: the machine's own log is asked. */
  needsMachineLog(state: State): boolean;
  /** The next decision needs the newest page as it is now. */
  needsNewestPage?(state: State): boolean;
  /** The next decision needs a look that begins from now on, and somebody waits for it. */
  needsAnotherRead?(state: State): boolean;
}

/** What is said of one kind of wait while it lasts. Handed in: what people read is no part of what is decided. */
export interface ProgressText<State> {
  /** What a person reads on the resource's row, or undefined when there is nothing to say. */
  describe(state: State, now: number): string | undefined;
  /**
   * What `describe` speaks of, apart from times and words that change with every look: another topic is news. `outage` names the
   * kinds of trouble since the panel could last be read; it belongs to the topic where the text tells of trouble.
   */
  topic(state: State, outage: string | undefined): string;
}

/** All that a wait needs of the panel that it waits on. */
export interface PollTools {
  readonly feed: Feed;
  readonly clock: Clock;
  readonly client: Pick<PanelClient, "listLogItems">;
  /** How long one request may take, its repetitions included. */
  readonly requestTimeoutMs: number;
}

/**
 * A look that failed means nothing to a restore, with two exceptions: credentials that are refused will not be
 * accepted by asking again (and asking again may lock the account), and a permission that is missing is given a few
 * looks, since a panel that is being reconfigured refuses for a moment.
 */
export function endsPolling(trouble: Extract<PollEvent, { type: "read-failed" }>): boolean {
  const status = statusOf(trouble.error);
  return status === 401 || (status === 403 && trouble.failuresInARow >= mostForbiddenReads);
}

const mostForbiddenReads = 3;

/**
 * Whether a machine's log counts as one that cannot be read: the panel refuses it or does not have it, or reads of it have failed
 * several times in a row. One that is slow is none of these, however long that lasts: it may still say that the machine is busy.
 */
export function isLogUnreadable({
  error,
  failuresInARow,
}: {
  readonly error: Error;
  readonly failuresInARow: number;
}): boolean {
  if (isSlow(error)) return false;
  return ("transient" in error && error.transient === false) || failuresInARow >= mostFailedLogReads;
}

/** The panel has not answered in time, which says nothing about what it would have answered. */
export function isSlow(error: Error): boolean {
  return "kind" in error && error.kind === "timeout";
}

const mostFailedLogReads = 3;

/** The kinds of trouble since the panel could last be read, for telling news from more of the same. */
export class TroubleKinds {
  readonly #kinds = new Set<string>();

  note(event: PollEvent): void {
    if (event.type === "list-read" || event.type === "newest-page") this.#kinds.clear();
    else if (event.type === "read-failed") this.#kinds.add(kindOf(event.error));
  }

  /** Undefined while the panel can be read. Changes with each new kind, and with no failure that is like one before it. */
  get kinds(): string | undefined {
    return this.#kinds.size === 0 ? undefined : [...this.#kinds].join(", ");
  }
}

/** By its class and status: the text may hold a request's number, and would differ each time. */
function kindOf(error: Error): string {
  const kind: unknown = "kind" in error ? error.kind : undefined;
  return `${typeof kind === "string" ? kind : error.name} ${String(statusOf(error) ?? "")}`;
}

function statusOf(error: Error): number | undefined {
  const status: unknown = "status" in error ? error.status : undefined;
  return typeof status === "number" ? status : undefined;
}
