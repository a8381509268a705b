import type { Feed, Floor, Head } from "../../feed/watching";
import type { PanelClient, Transaction } from "../../panel/terms/types";
import type { Clock } from "../../time/clock";
import type { Row } from "../rows/row-chains";
import type { Limit } from "../terms/restore-plan";

/** What can happen while something is waited for. */
export type WaitEvent =
  | { readonly type: "tick"; readonly rows: readonly Row[]; readonly head: Head; readonly reachedFloor: boolean }
  /** The newest page, for a wait that asked for it. It is told as soon as it has come; the one of a tick is as old as the walk took. */
  | { readonly type: "head"; readonly head: Head }
  | { readonly type: "trouble"; readonly error: Error; readonly inARow: number }
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
  readonly since?: number;
}

export type MachineLogRead =
  | ({ readonly type: "machine-log" } & MachineLog)
  /** `inARow`: reads that failed one after the other, not counting those that merely took too long. */
  | { readonly type: "machine-log-trouble"; readonly error: Error; readonly inARow: number };

/**
 * One kind of wait as pure decisions over plain state; `waitFor` does the rest. Every decision can be put to it as a table:
 * this state, this event, that state.
 */
export interface Waiting<State> {
  step(state: State, event: WaitEvent, now: number): State;
  isOver(state: State): boolean;
  floor(state: State): Floor;
  wants(state: State, row: Transaction): boolean;
  urgency(state: State): "listing" | "young" | "steady";
  deadline(state: State): Deadline | undefined;
  /** The rows seen do not tell whose they are: the machine's own log is asked. */
  asksMachineLog(state: State): boolean;
  /** The next decision needs the newest page as it is now. */
  asksHead?(state: State): boolean;
}

/** What is said of one kind of wait while it lasts. Handed in: what people read is no part of what is decided. */
export interface Telling<State> {
  /** What a person reads on the resource's row, or undefined when there is nothing to say. */
  describe(state: State, now: number): string | undefined;
  /**
   * What `describe` speaks of, apart from times and words that change with every look: another topic is news. `outage` names the
   * kinds of trouble since the panel could last be read; it belongs to the topic where the text tells of trouble.
   */
  topic(state: State, outage: string | undefined): string;
}

/** All that a wait needs of the panel that it waits on. */
export interface WaitTools {
  readonly feed: Feed;
  readonly clock: Clock;
  readonly client: Pick<PanelClient, "listLogItems">;
  /** How long one request may take, its repetitions included. */
  readonly requestTimeoutMs: number;
  /** Machine ids by identifier, as rows have shown them; the rows of this wait add theirs. */
  readonly identifiers: Map<string, string | null>;
}
