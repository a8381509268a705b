import type { Watching } from "../../feed/watching";
import { rowOf } from "../rows/row-chains";
import { DeadlineWatch } from "./deadline";
import { headReader } from "./head-reader";
import { Heartbeat } from "./heartbeat";
import { machineLogReader } from "./machine-log";
import { learnNames } from "../rows/tie";
import { Outage } from "./trouble";
import type { Telling, WaitEvent, Waiting, WaitTools } from "./waiting";

export interface WaitHooks<State> {
  /** What it says, and where: when that changed, and now and then in between. A wait without it is silent. */
  readonly telling?: Telling<State> & { readonly say: (text: string) => void };
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
  let watching: Watching | undefined;
  let over: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    over = resolve;
  });
  const outage = new Outage();
  const log = machineLogReader(tools, hooks.machine);
  const heads = headReader(tools);
  const { telling } = hooks;
  const heartbeat = new Heartbeat(clock, (text) => telling?.say(text));
  const deadline = new DeadlineWatch(clock, tools.requestTimeoutMs, {
    onLastLook: () => watching?.hurry(),
    onPassed: (limit) => {
      dispatch({ type: "limit", limit });
    },
  });
  const describe = (): string | undefined => telling?.describe(state, clock.now());

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
    if (telling) heartbeat.tell(telling.topic(state, outage.kinds), describe);
  };

  try {
    watching = tools.feed.watch({
      floor: () => waiting.floor(state),
      wants: (row) => {
        learnNames(tools.identifiers, row);
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
