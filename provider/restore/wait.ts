import type { Floor, Head, Watching } from "../feed/types";
import type { Transaction } from "../panel/types";
import { rowOf, type Row } from "./chain";
import { machineLogReader, type MachineLog } from "./machine-log";
import type { Limit } from "./plan";
import type { Site } from "./site";
import { learnNames } from "./tie";

/** What can happen while something is waited for. */
export type WaitEvent =
  | { readonly type: "tick"; readonly rows: readonly Row[]; readonly head: Head; readonly reachedFloor: boolean }
  | { readonly type: "trouble"; readonly error: Error; readonly inARow: number }
  | ({ readonly type: "machine-log" } & MachineLog)
  | { readonly type: "limit"; readonly limit: Limit };

export interface Deadline {
  readonly at: number;
  readonly limit: Limit;
}

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
  /** What a person reads on the resource's row, or undefined when there is nothing to say. */
  describe(state: State, now: number): string | undefined;
}

export interface WaitHooks<State> {
  /** Called with every line worth showing: when what it says changed, and now and then in between. */
  readonly onProgress: (text: string) => void;
  /** Runs after the last state and before the feed forgets the rows; its result is not waited for by anybody else. */
  readonly beforeLeaving?: (state: State) => Promise<void>;
  readonly machine: string;
}

const firstHeartbeatMs = 30_000;
const lastHeartbeatMs = 5 * 60_000;

/** Runs a wait on the shared feed until its state is over. Never rejects because the panel misbehaves: that is an event. */
export async function waitFor<State>(
  site: Site,
  waiting: Waiting<State>,
  initial: State,
  hooks: WaitHooks<State>,
): Promise<State> {
  const { clock } = site;
  const log = machineLogReader(site, hooks.machine);
  let state = initial;
  let watching: Watching | undefined;
  let over: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    over = resolve;
  });

  let cancelDeadline: () => void = () => undefined;
  let armedFor: Deadline | undefined;
  let overdue: Deadline | undefined;
  let cancelHeartbeat: () => void = () => undefined;
  let said: string | undefined;
  let heartbeatMs = firstHeartbeatMs;

  const say = (): void => {
    const text = waiting.describe(state, clock.now());
    if (text !== undefined) hooks.onProgress(text);
  };
  const beat = (): void => {
    cancelHeartbeat = clock.after(heartbeatMs, () => {
      heartbeatMs = Math.min(heartbeatMs * 2, lastHeartbeatMs);
      say();
      beat();
    });
  };

  const dispatch = (event: WaitEvent): void => {
    if (waiting.isOver(state)) return;
    state = waiting.step(state, event, clock.now());
    settle();
  };

  /** After every step: is it over, what is the next limit, does the machine's log have to be read, what is there to say? */
  const settle = (): void => {
    if (waiting.isOver(state)) {
      over();
      return;
    }
    const deadline = waiting.deadline(state);
    if (deadline?.at !== armedFor?.at || deadline?.limit !== armedFor?.limit) {
      cancelDeadline();
      armedFor = deadline;
      overdue = undefined;
      if (deadline)
        cancelDeadline = clock.after(deadline.at - clock.now(), () => {
          lastLook(deadline);
        });
    }
    if (waiting.asksMachineLog(state)) {
      log.read((read) => {
        dispatch({ type: "machine-log", ...read });
      });
    }
    // The elapsed time in a line is no news; a change of what it says apart from that is.
    const text = waiting.describe(state, clock.now())?.replace(/\d+(h|m|s)/g, "");
    if (text !== undefined && text !== said) {
      said = text;
      heartbeatMs = firstHeartbeatMs;
      cancelHeartbeat();
      say();
      beat();
    }
  };

  /**
   * A limit has passed, but what was heard last may be a tick old: one more look decides, or a panel that does not
   * answer within the time one request may take.
   */
  const lastLook = (deadline: Deadline): void => {
    overdue = deadline;
    cancelDeadline = clock.after(site.requestTimeoutMs, () => {
      dispatch({ type: "limit", limit: deadline.limit });
    });
    watching?.hurry();
  };
  const decideOverdue = (lookedAt: number): void => {
    if (overdue && armedFor === overdue && lookedAt >= overdue.at) dispatch({ type: "limit", limit: overdue.limit });
  };

  try {
    watching = site.feed.watch({
      floor: () => waiting.floor(state),
      wants: (row) => {
        learnNames(site.identifiers, row);
        return waiting.wants(state, row);
      },
      urgency: () => waiting.urgency(state),
      onTick: ({ changed, head, reachedFloor }) => {
        dispatch({ type: "tick", rows: changed.map(rowOf), head, reachedFloor });
        decideOverdue(head.readAt);
      },
      onTrouble: ({ error, inARow }) => {
        dispatch({ type: "trouble", error, inARow });
        decideOverdue(Number.POSITIVE_INFINITY);
      },
    });
    settle();
    watching.hurry();
    await ended;
    await hooks.beforeLeaving?.(state);
    return state;
  } finally {
    cancelDeadline();
    cancelHeartbeat();
    log.stop();
    watching?.close();
  }
}
