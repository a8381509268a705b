import type { NewestPage, Subscription } from "../feed/types";
import type { Limit } from "../inputs/read-values";
import type { Clock } from "../plain/clock";
import { rowOf } from "../rows/chains";
import { machineLogReader } from "./machine-log";
import { type Deadline, TroubleKinds, type ProgressText, type PollEvent, type Poller, type PollTools } from "./poller";

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
    reads.start(state);
    readAgain.setTo(poller.readAgainAt?.(state));
    progress.report();
  };
  const progress = new ProgressReporter(clock, hooks.progressText, () => state);
  const reads = directReads(tools, poller, hooks.machine, dispatch);
  const subscription = subscribe(tools, poller, () => state, dispatch);
  const readAgain = new Timer(clock, () => {
    subscription.readAgain();
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
    for (const part of [deadline, progress, reads, readAgain]) part.stop();
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

export interface DirectReads<State> {
  /** Starts the reads that this state needs, unless they are under way. */
  start(state: State): void;
  stop(): void;
}

/** The reads of one poll for itself, beside the list that all polls share. Answers come as events. */
export function directReads<State>(
  tools: PollTools,
  poller: Pick<Poller<State>, "needsMachineLog" | "needsNewestPage">,
  machine: string,
  onAnswer: (event: PollEvent) => void,
): DirectReads<State> {
  const log = machineLogReader(tools, machine);
  const newestPages = newestPageReader(tools);
  return {
    start(state) {
      const rows = poller.needsMachineLog(state);
      if (rows.length > 0) log.read(rows, onAnswer);
      if (poller.needsNewestPage?.(state) !== true) return;
      newestPages.read((newestPage) => {
        onAnswer({ type: "newest-page", newestPage });
      });
    },
    stop() {
      log.stop();
      newestPages.stop();
    },
  };
}

interface NewestPageReader {
  /** Reads the newest page, beginning now or later. Does nothing while a read is under way. */
  read(onRead: (newestPage: NewestPage) => void): void;
  stop(): void;
}

/** Reads the newest page for a poll that must not go by an older one. A failure means nothing here: the poll's own reads report it. */
function newestPageReader(tools: Pick<PollTools, "feed" | "requestTimeoutMs">): NewestPageReader {
  const stopped = new AbortController();
  let busy = false;
  return {
    read(onRead) {
      if (busy || stopped.signal.aborted) return;
      busy = true;
      tools.feed.newestPage({ signal: stopped.signal, budgetMs: tools.requestTimeoutMs }).then(
        (newestPage) => {
          busy = false;
          onRead(newestPage);
        },
        () => {
          busy = false;
        },
      );
    },
    stop() {
      stopped.abort();
    },
  };
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

export interface DeadlineHooks {
  /** A limit has passed: one more read is wanted soon. */
  readonly onLastRead: () => void;
  /** The last read changed nothing, or never came. */
  readonly onPassed: (limit: Limit) => void;
}

/**
 * Times one limit. When it is due, the last read may be old, so the poll gets one more. The limit has passed if that read changes nothing,
 * fails, or does not come within the time of one request.
 */
export class DeadlineTimer {
  readonly #clock: Clock;
  readonly #lastReadMs: number;
  readonly #hooks: DeadlineHooks;
  #deadline: Deadline | undefined;
  #overdue = false;
  #cancel: () => void = () => undefined;

  constructor(clock: Clock, lastReadMs: number, hooks: DeadlineHooks) {
    this.#clock = clock;
    this.#lastReadMs = lastReadMs;
    this.#hooks = hooks;
  }

  /** Sets the limit that counts from now on. A new limit replaces the old one, even an overdue one. */
  set(deadline: Deadline | undefined): void {
    if (deadline?.at === this.#deadline?.at && deadline?.limit === this.#deadline?.limit) return;
    this.stop();
    this.#deadline = deadline;
    this.#overdue = false;
    if (deadline === undefined) return;
    this.#cancel = this.#clock.after(deadline.at - this.#clock.now(), () => {
      this.#overdue = true;
      this.#cancel = this.#clock.after(this.#lastReadMs, () => {
        this.#hooks.onPassed(deadline.limit);
      });
      this.#hooks.onLastRead();
    });
  }

  /** Call it after the poller's step. */
  noteEvent(event: PollEvent): void {
    if (event.type === "list-read") this.readDone(event.newestPage.readAt);
    else if (event.type === "read-failed") this.readFailed();
  }

  /** A read that began at `readAt` changed nothing about the limit. */
  readDone(readAt: number): void {
    if (!this.#overdue || this.#deadline === undefined || readAt < this.#deadline.at) return;
    this.#hooks.onPassed(this.#deadline.limit);
  }

  /** A failed read counts as one that showed nothing. */
  readFailed(): void {
    this.readDone(Number.POSITIVE_INFINITY);
  }

  stop(): void {
    this.#cancel();
  }
}

type ReportedProgress<State> = ProgressText<State> & { readonly say: (text: string) => void };

/** Reports a poll's progress: news at once, and the present state now and then in between. */
export class ProgressReporter<State> {
  readonly #outage = new TroubleKinds();
  readonly #ticker: Ticker;
  readonly #reported: ReportedProgress<State> | undefined;
  readonly #describe: () => string | undefined;
  readonly #current: () => State;

  /** `current` gives the state at the moment of each line, even between two events. */
  constructor(clock: Clock, reported: ReportedProgress<State> | undefined, current: () => State) {
    this.#reported = reported;
    this.#current = current;
    this.#ticker = new Ticker(clock, (text) => reported?.say(text));
    this.#describe = () => reported?.describe(current(), clock.now());
  }

  noteEvent(event: PollEvent): void {
    this.#outage.note(event);
  }

  report(): void {
    if (this.#reported) this.#ticker.report(this.#reported.topic(this.#current(), this.#outage.kinds), this.#describe);
  }

  stop(): void {
    this.#ticker.stop();
  }
}

const firstPauseMs = 30_000;
const longestPauseMs = 5 * 60_000;

/** Says news at once and repeats it ever more rarely, because each time is a line in a pipeline's log. */
export class Ticker {
  readonly #clock: Clock;
  readonly #say: (text: string) => void;
  #said: string | undefined;
  #pauseMs = firstPauseMs;
  #cancel: () => void = () => undefined;

  constructor(clock: Clock, say: (text: string) => void) {
    this.#clock = clock;
    this.#say = say;
  }

  /** Says the text if there is one and the topic is new. The text is not compared: times and request numbers in it always change. */
  report(topic: string, text: () => string | undefined): void {
    if (topic === this.#said || text() === undefined) return;
    this.#said = topic;
    this.#pauseMs = firstPauseMs;
    this.stop();
    this.#sayNow(text);
    this.#again(text);
  }

  stop(): void {
    this.#cancel();
  }

  #again(text: () => string | undefined): void {
    this.#cancel = this.#clock.after(this.#pauseMs, () => {
      this.#pauseMs = Math.min(this.#pauseMs * 2, longestPauseMs);
      this.#sayNow(text);
      this.#again(text);
    });
  }

  #sayNow(text: () => string | undefined): void {
    const now = text();
    if (now !== undefined) this.#say(now);
  }
}
