import type { Watching } from "../../feed/watching";
import { rowOf } from "../rows/row-chains";
import { learnNames } from "../rows/tie";
import { asking } from "./asking";
import { DeadlineWatch } from "./deadline";
import { Teller, type Spoken } from "./teller";
import type { WaitEvent, Waiting, WaitTools } from "./waiting";

export interface WaitHooks<State> {
  /** A wait without it is silent. */
  readonly telling?: Spoken<State>;
  /** Runs after the last state and before the feed forgets the rows; its result is not waited for by anybody else. */
  readonly beforeLeaving?: (state: State) => Promise<void>;
  readonly machine: string;
}

/** Runs a wait on the shared feed until its state is over. Never rejects because the panel misbehaves: that is an event. */
export async function waitFor<State>(
  tools: WaitTools,
  waiting: Waiting<State>,
  initial: State,
  hooks: WaitHooks<State>,
): Promise<State> {
  const { clock } = tools;
  let state = initial;
  let leave: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const dispatch = (event: WaitEvent): void => {
    if (waiting.isOver(state)) return;
    teller.hear(event);
    state = waiting.step(state, event, clock.now());
    settle();
    deadline.hear(event);
  };
  /** After every step: is it over, what is the next limit, what has to be read, what is there to say? */
  const settle = (): void => {
    if (waiting.isOver(state)) {
      leave();
      return;
    }
    deadline.set(waiting.deadline(state));
    questions.ask(state);
    teller.tell();
  };
  const teller = new Teller(clock, hooks.telling, () => state);
  const questions = asking(tools, waiting, hooks.machine, dispatch);
  const watching = watchList(tools, waiting, () => state, dispatch);
  const deadline = new DeadlineWatch(clock, tools.requestTimeoutMs, {
    onLastLook: () => {
      watching.hurry();
    },
    onPassed: (limit) => {
      dispatch({ type: "limit", limit });
    },
  });
  try {
    settle();
    watching.hurry();
    await ended;
    await hooks.beforeLeaving?.(state);
    return state;
  } finally {
    for (const part of [deadline, teller, questions]) part.stop();
    watching.close();
  }
}

/** A wait as one of those that hear of every walk of the list. */
function watchList<State>(
  { feed, identifiers }: WaitTools,
  waiting: Waiting<State>,
  current: () => State,
  dispatch: (event: WaitEvent) => void,
): Watching {
  return feed.watch({
    floor: () => waiting.floor(current()),
    wants: (row) => {
      learnNames(identifiers, row);
      return waiting.wants(current(), row);
    },
    urgency: () => waiting.urgency(current()),
    onTick: ({ changed, head, reachedFloor }) => {
      dispatch({ type: "tick", rows: changed.map(rowOf), head, reachedFloor });
    },
    onTrouble: ({ error, inARow }) => {
      dispatch({ type: "trouble", error, inARow });
    },
  });
}
