import type { Clock } from "../plain/clock";
import { rowOf } from "../rows/chains";
import { machineLogReader } from "./machine-log";
import type { RestoreRun } from "./panel-session";
import type { Deadline, PollEvent, Poller, ProgressText } from "./poller";
import { Ticker } from "./ticker";

export interface PollHooks<State, Over> {
  /** Without it, the poll is silent. */
  readonly progressText?: ProgressText<State> & { readonly say: (text: string) => void };
  readonly onStep?: (state: State) => void;
  /** Runs after the last state, before the feed forgets the rows. */
  readonly beforeLeaving?: (state: Over) => Promise<void>;
}

/** Polls on the shared feed until the state is over. Never rejects because the panel misbehaves: that is an event. */
export async function poll<State, Over extends State>(
  { session, request, totalUntil }: Pick<RestoreRun, "session" | "request" | "totalUntil">,
  poller: Poller<State, Over>,
  initial: State,
  { progressText, onStep, beforeLeaving }: PollHooks<State, Over> = {},
): Promise<Over> {
  const { clock, feed, requestTimeoutMs } = session;
  let state = initial;
  let end: (state: Over) => void = () => undefined;
  const ended = new Promise<Over>((resolve) => (end = resolve));
  const dispatch = (event: PollEvent): void => {
    if (poller.isOver(state)) return;
    state = poller.step(state, event, clock.now());
    onStep?.(state);
    afterStep();
    if (isOverdue && due !== undefined && isReadSince(event, due.at)) dispatch({ type: "limit", limit: due.limit });
  };
  const afterStep = (): void => {
    if (poller.isOver(state)) {
      end(state);
      return;
    }
    setDeadline(withinTotal(poller.deadline(state), totalUntil));
    const rows = poller.needsMachineLog(state);
    if (rows.length > 0) readLog(rows);
    readAgain.setTo(poller.readAgainAt?.(state));
    if (progressText) ticker.report(progressText.topic(state), () => progressText.describe(state, clock.now()));
  };
  const ticker = new Ticker(clock, (text) => progressText?.say(text));
  const leaving = new AbortController();
  const readLog = machineLogReader(session, request.target.virtualMachineId, leaving.signal, dispatch);
  const subscription = feed.subscribe({
    stopRule: () => poller.stopRule(state, clock.now()),
    wants: (row) => poller.wants(state, row),
    awaitedSince: () => poller.since(state),
    onRead: ({ rows, ...listRead }) => {
      dispatch({ type: "list-read", rows: rows.map(rowOf), ...listRead });
    },
    onReadFailed: (failure) => {
      dispatch({ type: "read-failed", ...failure });
    },
  });
  const readAgain = timer(clock, () => {
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
  const deadline = timer(clock, () => {
    if (due === undefined) return;
    if (isOverdue) {
      dispatch({ type: "limit", limit: due.limit });
      return;
    }
    isOverdue = true;
    deadline.setTo(clock.now() + requestTimeoutMs);
    subscription.readSoon();
  });
  try {
    afterStep();
    subscription.readSoon();
    const over = await ended;
    await beforeLeaving?.(over);
    return over;
  } finally {
    for (const part of [deadline, ticker, readAgain]) part.stop();
    leaving.abort();
    subscription.close();
  }
}

/** The earlier one of a limit's deadline and the end of the whole run. */
function withinTotal(own: Deadline | undefined, totalUntil: number | undefined): Deadline | undefined {
  return own && totalUntil !== undefined && totalUntil < own.at ? { at: totalUntil, limit: "total" } : own;
}

/** A failed read counts as one that showed nothing. */
function isReadSince(event: PollEvent, at: number): boolean {
  return event.type === "read-failed" || (event.type === "list-read" && event.newestPage.readAt >= at);
}

/** Runs something once, at a moment that may be set anew before it has come. */
function timer(clock: Clock, run: () => void) {
  let at: number | undefined;
  let cancel: () => void = () => undefined;
  return {
    /** The same moment does not begin anew, not even after it has passed. */
    setTo: (next: number | undefined): void => {
      if (next === at) return;
      cancel();
      at = next;
      if (at !== undefined) cancel = clock.after(Math.max(0, at - clock.now()), run);
    },
    stop: (): void => {
      cancel();
    },
  };
}
