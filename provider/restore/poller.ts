import type { ListRead, ReadFailure, StopRule } from "../feed/types";
import type { Limit } from "../inputs/read-values";
import type { Transaction } from "../panel/types";
import type { Stamp } from "../plain/clock";
import type { Row } from "../rows/chains";

/** One read of the list. */
export type ListReadEvent = { readonly type: "list-read"; readonly rows: readonly Row[] } & Omit<ListRead, "rows">;

/** The events of a poll. */
export type PollEvent =
  | ListReadEvent
  | ({ readonly type: "read-failed" } & ReadFailure)
  | MachineLogRead
  | { readonly type: "limit"; readonly limit: Limit };

/** The time at which a poll ends, and the limit that ends it. */
export interface Deadline {
  readonly at: number;
  readonly limit: Limit;
}

/** One read of a machine's newest log items. */
export interface MachineLog {
  /** The transactions that its items name. */
  readonly transactionIds: readonly string[];
  /** When the read began. It tells nothing about later rows. */
  readonly askedAt: number;
  /** How far back the items go, by the panel's stamps. Older items may exist. Absent if unknown. */
  readonly since?: Stamp | "everything";
}

export type MachineLogRead =
  | ({ readonly type: "machine-log" } & MachineLog)
  /** `failuresInARow` does not count reads that merely took too long. */
  | ({ readonly type: "machine-log-trouble" } & ReadFailure);

/** Pure decisions over plain state: this state, this event, that state. `poll` does the rest. */
export interface Poller<State, Over extends State> {
  step(state: State, event: PollEvent, now: number): State;
  isOver(state: State): state is Over;
  stopRule(state: State, now: number): StopRule;
  wants(state: State, row: Transaction): boolean;
  /** When the awaited thing began: reads are frequent right after it. */
  since(state: State): number;
  deadline(state: State): Deadline | undefined;
  /** Rows that the next decision hangs on and that name no machine: the machine's own log is read for them. */
  needsMachineLog(state: State): readonly Row[];
  /** The next decision needs a read that begins then or later, and no regular one is waited for. */
  readAgainAt?(state: State): number | undefined;
}

/** The progress texts of one kind of poll. Handed in, because texts take no part in decisions. */
export interface ProgressText<State> {
  /** The text on the resource's row, or undefined if there is nothing to say. */
  describe(state: State, now: number): string | undefined;
  /** The subject of the text, without times and words that change with every read: another topic is news. */
  topic(state: State): string;
}

/**
 * A failed read means nothing to a restore, with two exceptions. Refused credentials end it at once, because asking again may lock the account. A
 * missing permission ends it after a few reads, because a panel that is being reconfigured refuses for a moment.
 */
export function endsPolling({ error, failuresInARow }: ReadFailure): boolean {
  const status: unknown = "status" in error ? error.status : undefined;
  return status === 401 || (status === 403 && failuresInARow >= mostForbiddenReads);
}

const mostForbiddenReads = 3;

/**
 * True if the machine's log counts as unreadable: the panel refuses it, does not have it, or failed to give it several times in a row. A
 * slow log never counts as unreadable: it may still show that the machine is busy.
 */
export function isLogUnreadable({ error, failuresInARow }: ReadFailure): boolean {
  if (isSlow(error)) return false;
  return ("transient" in error && error.transient === false) || failuresInARow >= mostFailedLogReads;
}

/** True if the panel did not answer in time. */
export function isSlow(error: Error): boolean {
  return "kind" in error && error.kind === "timeout";
}

const mostFailedLogReads = 3;
