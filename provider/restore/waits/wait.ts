import type { Floor, Head, Watching } from "../../feed/watching";
import type { Transaction } from "../../panel/terms/types";
import { rowOf, type Row } from "../rows/chain";
import { DeadlineWatch, type Deadline } from "./deadline";
import { headReader } from "./head-reader";
import { Heartbeat } from "./heartbeat";
import { machineLogReader, type MachineLogRead } from "./machine-log";
import type { Limit } from "../terms/plan";
import type { Site } from "../site";
import { learnNames } from "../rows/tie";
import { Outage } from "./trouble";

export type { Deadline } from "./deadline";

/** What can happen while something is waited for. */
export type WaitEvent =
  | { readonly type: "tick"; readonly rows: readonly Row[]; readonly head: Head; readonly reachedFloor: boolean }
  /** The newest page, to a wait that asked for it: told when it has come, while a tick's is as old as its walk took. */
  | { readonly type: "head"; readonly head: Head }
  | { readonly type: "trouble"; readonly error: Error; readonly inARow: number }
  | MachineLogRead
  | { readonly type: "limit"; readonly limit: Limit };

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
  /** What a person reads on the resource's row, or undefined when there is nothing to say. */
  describe(state: State, now: number): string | undefined;
  /**
   * What `describe` speaks of, apart from times and words that change with every look: another topic is news. `outage` names the
   * kinds of trouble since the panel could last be read; it belongs to the topic where the text tells of trouble.
   */
  topic(state: State, outage: string | undefined): string;
}

export interface WaitHooks<State> {
  /** Called with every line worth showing: when what it says changed, and now and then in between. */
  readonly onProgress: (text: string) => void;
  /** Runs after the last state and before the feed forgets the rows; its result is not waited for by anybody else. */
  readonly beforeLeaving?: (state: State) => Promise<void>;
  readonly machine: string;
}

/** Runs a wait on the shared feed until its state is over. Never rejects because the panel misbehaves: that is an event. */
export async function waitFor<State>(
  site: Site,
  waiting: Waiting<State>,
  initial: State,
  hooks: WaitHooks<State>,
): Promise<State> {
  const { clock } = site;
  let state = initial;
  let watching: Watching | undefined;
  let over: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    over = resolve;
  });
  const outage = new Outage();
  const log = machineLogReader(site, hooks.machine);
  const heads = headReader(site);
  const heartbeat = new Heartbeat(clock, hooks.onProgress);
  const deadline = new DeadlineWatch(clock, site.requestTimeoutMs, {
    onLastLook: () => watching?.hurry(),
    onPassed: (limit) => {
      dispatch({ type: "limit", limit });
    },
  });
  const describe = (): string | undefined => waiting.describe(state, clock.now());

  const dispatch = (event: WaitEvent): void => {
    if (waiting.isOver(state)) return;
    outage.hear(event);
    state = waiting.step(state, event, clock.now());
    settle();
  };
  /** After every step: is it over, what is the next limit, what has to be read, what is there to say? */
  const settle = (): void => {
    if (waiting.isOver(state)) {
      over();
      return;
    }
    deadline.set(waiting.deadline(state));
    if (waiting.asksMachineLog(state)) log.read(dispatch);
    if (waiting.asksHead?.(state) === true) {
      heads.read((head) => {
        dispatch({ type: "head", head });
      });
    }
    heartbeat.tell(waiting.topic(state, outage.kinds), describe);
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
        deadline.looked(head.readAt);
      },
      onTrouble: ({ error, inARow }) => {
        dispatch({ type: "trouble", error, inARow });
        deadline.lookFailed();
      },
    });
    settle();
    watching.hurry();
    await ended;
    await hooks.beforeLeaving?.(state);
    return state;
  } finally {
    deadline.stop();
    heartbeat.stop();
    log.stop();
    heads.stop();
    watching?.close();
  }
}
