import type { Subscription } from "../feed/types";
import type { Clock } from "../plain/clock";
import { rowOf } from "../rows/chains";
import { DeadlineTimer } from "./deadline-timer";
import { machineLogReader } from "./machine-log";
import type { PollEvent, Poller, PollTools } from "./poller";
import { ProgressReporter, type ReportedProgress } from "./progress-reporter";

export interface PollHooks<State> {
  /** Without it, the poll is silent. */
  readonly progressText?: ReportedProgress<State>;
  /** Runs after the last state, before the feed forgets the rows. */
  readonly beforeLeaving?: (state: State) => Promise<void>;
  readonly machine: string;
}

/** Polls on the shared feed until the state is over. Never rejects because the panel misbehaves: that is an event. */
export async function poll<State>(
  tools: PollTools,
  poller: Poller<State>,
  initial: State,
  hooks: PollHooks<State>,
): Promise<State> {
  const { clock } = tools;
  let state = initial;
  let leave: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const dispatch = (event: PollEvent): void => {
    if (poller.isOver(state)) return;
    progress.noteEvent(event);
    state = poller.step(state, event, clock.now());
    afterStep();
    deadline.noteEvent(event);
  };
  const afterStep = (): void => {
    if (poller.isOver(state)) {
      leave();
      return;
    }
    deadline.set(poller.deadline(state));
    const rows = poller.needsMachineLog(state);
    if (rows.length > 0) log.read(rows, dispatch);
    readAgain.setTo(poller.readAgainAt?.(state));
    progress.report();
  };
  const progress = new ProgressReporter(clock, hooks.progressText, () => state);
  const log = machineLogReader(tools, hooks.machine);
  const subscription = subscribe(tools, poller, () => state, dispatch);
  const readAgain = new Timer(clock, () => {
    subscription.readSoon();
  });
  const deadline = new DeadlineTimer(clock, tools.requestTimeoutMs, {
    onLastRead: () => {
      subscription.readSoon();
    },
    onPassed: (limit) => {
      dispatch({ type: "limit", limit });
    },
  });
  try {
    afterStep();
    subscription.readSoon();
    await ended;
    await hooks.beforeLeaving?.(state);
    return state;
  } finally {
    for (const part of [deadline, progress, log, readAgain]) part.stop();
    subscription.close();
  }
}

function subscribe<State>(
  { feed, clock }: PollTools,
  poller: Poller<State>,
  current: () => State,
  dispatch: (event: PollEvent) => void,
): Subscription {
  return feed.subscribe({
    stopRule: () => poller.stopRule(current(), clock.now()),
    wants: (row) => poller.wants(current(), row),
    awaitedSince: () => poller.since(current()),
    onRead: ({ rows, ...listRead }) => {
      dispatch({ type: "list-read", rows: rows.map(rowOf), ...listRead });
    },
    onReadFailed: ({ error, failuresInARow }) => {
      dispatch({ type: "read-failed", error, failuresInARow });
    },
  });
}

/** Runs something once, at a moment that may be set anew before it has come. */
class Timer {
  readonly #clock: Clock;
  readonly #run: () => void;
  #at: number | undefined;
  #cancel: () => void = () => undefined;

  constructor(clock: Clock, run: () => void) {
    this.#clock = clock;
    this.#run = run;
  }

  /** The same moment does not begin anew, not even after it has passed. */
  setTo(at: number | undefined): void {
    if (at === this.#at) return;
    this.#cancel();
    this.#at = at;
    if (at !== undefined) this.#cancel = this.#clock.after(Math.max(0, at - this.#clock.now()), this.#run);
  }

  stop(): void {
    this.#cancel();
  }
}
