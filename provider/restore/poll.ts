import type { Clock } from "../plain/clock";
import { rowOf } from "../rows/chains";
import { machineLogReader } from "./machine-log";
import type { Deadline, PollEvent, Poller, PollTools, ProgressText } from "./poller";
import { Ticker } from "./ticker";

export interface PollHooks<State> {
  /** Without it, the poll is silent. */
  readonly progressText?: ProgressText<State> & { readonly say: (text: string) => void };
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
    state = poller.step(state, event, clock.now());
    afterStep();
    if (isOverdue && due !== undefined && isReadSince(event, due.at)) dispatch({ type: "limit", limit: due.limit });
  };
  const afterStep = (): void => {
    if (poller.isOver(state)) {
      leave();
      return;
    }
    setDeadline(poller.deadline(state));
    const rows = poller.needsMachineLog(state);
    if (rows.length > 0) log.read(rows, dispatch);
    readAgain.setTo(poller.readAgainAt?.(state));
    const { progressText } = hooks;
    if (progressText) ticker.report(progressText.topic(state), () => progressText.describe(state, clock.now()));
  };
  const ticker = new Ticker(clock, (text) => hooks.progressText?.say(text));
  const log = machineLogReader(tools, hooks.machine);
  const subscription = tools.feed.subscribe({
    stopRule: () => poller.stopRule(state, clock.now()),
    wants: (row) => poller.wants(state, row),
    awaitedSince: () => poller.since(state),
    onRead: ({ rows, ...listRead }) => {
      dispatch({ type: "list-read", rows: rows.map(rowOf), ...listRead });
    },
    onReadFailed: ({ error, failuresInARow }) => {
      dispatch({ type: "read-failed", error, failuresInARow });
    },
  });
  const readAgain = new Timer(clock, () => {
    subscription.readSoon();
  });
  // When a limit is due, the last read may be old, so the poll gets one more. The limit has passed if that read changes nothing, fails, or does
  // not come within the time of one request. A new limit replaces the old one, even an overdue one.
  let due: Deadline | undefined;
  let isOverdue = false;
  const setDeadline = (next: Deadline | undefined): void => {
    if (next?.at === due?.at && next?.limit === due?.limit) return;
    due = next;
    isOverdue = false;
    deadline.setTo(next?.at);
  };
  const deadline = new Timer(clock, () => {
    if (due === undefined) return;
    if (isOverdue) {
      dispatch({ type: "limit", limit: due.limit });
      return;
    }
    isOverdue = true;
    deadline.setTo(clock.now() + tools.requestTimeoutMs);
    subscription.readSoon();
  });
  try {
    afterStep();
    subscription.readSoon();
    await ended;
    await hooks.beforeLeaving?.(state);
    return state;
  } finally {
    for (const part of [deadline, ticker, log, readAgain]) part.stop();
    subscription.close();
  }
}

/** A failed read counts as one that showed nothing. */
function isReadSince(event: PollEvent, at: number): boolean {
  return event.type === "read-failed" || (event.type === "list-read" && event.newestPage.readAt >= at);
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
