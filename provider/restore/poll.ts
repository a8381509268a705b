import type { NewestPage, Subscription } from "../feed/types";
import type { Limit } from "../inputs/read-values";
import type { Clock } from "../plain/clock";
import { rowOf } from "../rows/chains";
import { machineLogReader } from "./machine-log";
import { type Deadline, TroubleKinds, type ProgressText, type PollEvent, type Poller, type PollTools } from "./poller";

export interface PollHooks<State> {
  /** A wait without it is silent. */
  readonly progressText?: ReportedProgress<State>;
  /** Runs after the last state and before the feed forgets the rows; its result is not waited for by anybody else. */
  readonly beforeLeaving?: (state: State) => Promise<void>;
  readonly machine: string;
}

/** Runs a wait on the shared feed until its state is over. Never rejects because the panel misbehaves: that is an event. */
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
    const readWasNeeded = poller.needsAnotherRead?.(state) === true;
    state = poller.step(state, event, clock.now());
    afterStep();
    if (!readWasNeeded && poller.needsAnotherRead?.(state) === true) watching.readAgain();
    deadline.noteEvent(event);
  };
  /** After every step: is it over, what is the next limit, what has to be read, what is there to say? */
  const afterStep = (): void => {
    if (poller.isOver(state)) {
      leave();
      return;
    }
    deadline.set(poller.deadline(state));
    reads.start(state);
    progress.report();
  };
  const progress = new ProgressReporter(clock, hooks.progressText, () => state);
  const reads = directReads(tools, poller, hooks.machine, dispatch);
  const watching = watchList(tools, poller, () => state, dispatch);
  const deadline = new DeadlineTimer(clock, tools.requestTimeoutMs, {
    onLastRead: () => {
      watching.readSoon();
    },
    onPassed: (limit) => {
      dispatch({ type: "limit", limit });
    },
  });
  try {
    afterStep();
    watching.readSoon();
    await ended;
    await hooks.beforeLeaving?.(state);
    return state;
  } finally {
    for (const part of [deadline, progress, reads]) part.stop();
    watching.close();
  }
}

/** A wait as one of those that hear of every walk of the list. */
function watchList<State>(
  { feed }: PollTools,
  poller: Poller<State>,
  current: () => State,
  dispatch: (event: PollEvent) => void,
): Subscription {
  return feed.subscribe({
    stopRule: () => poller.stopRule(current()),
    wants: (row) => poller.wants(current(), row),
    awaitedSince: () => poller.since(current()),
    onRead: ({ rows, ...tick }) => {
      dispatch({ type: "list-read", rows: rows.map(rowOf), ...tick });
    },
    onReadFailed: ({ error, failuresInARow: failuresInARow }) => {
      dispatch({ type: "read-failed", error, failuresInARow: failuresInARow });
    },
  });
}

export interface DirectReads<State> {
  /** Asks what this state leaves open, unless that is being asked already. */
  start(state: State): void;
  stop(): void;
}

/** What a wait asks the panel for itself, beside the walk of the list that all waits share: answers come as events. */
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
      if (poller.needsMachineLog(state)) log.read(onAnswer);
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

export interface NewestPageReader {
  /** Reads the newest page, in a read that begins now or later; does nothing while one is under way. */
  read(onRead: (newestPage: NewestPage) => void): void;
  stop(): void;
}

/**
 * The newest page for a wait that must not go by an older one. All that ask at about the same time share a read. One that
 * fails means nothing here: the looks of the wait tell of the trouble.
 */
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

export interface DeadlineHooks {
  /** A limit has passed: one more look is wanted, and soon. */
  readonly onLastRead: () => void;
  /** The last look has not changed it, or there was none. */
  readonly onPassed: (limit: Limit) => void;
}

/**
 * Watches over one limit at a time. When it passes, what was heard last may be a tick old, so the wait gets one more look. The
 * limit has passed when that look changes nothing, fails, or does not come within the time that one request may take.
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

  /** The limit that counts from now on. Another one than before takes that one's place, even where it was overdue. */
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

  /** To be told of what happened after it has been taken in. */
  noteEvent(event: PollEvent): void {
    if (event.type === "list-read") this.readDone(event.newestPage.readAt);
    else if (event.type === "read-failed") this.readFailed();
  }

  /** A look that began at `readAt` has been taken in and changed nothing about the limit. */
  readDone(readAt: number): void {
    if (!this.#overdue || this.#deadline === undefined || readAt < this.#deadline.at) return;
    this.#hooks.onPassed(this.#deadline.limit);
  }

  /** A look has failed, which is as good as one that showed nothing. */
  readFailed(): void {
    this.readDone(Number.POSITIVE_INFINITY);
  }

  stop(): void {
    this.#cancel();
  }
}

/** What a wait says, and where it says it. */
type ReportedProgress<State> = ProgressText<State> & { readonly say: (text: string) => void };

/** Says how a wait is getting on: its news at once, and in between, now and then, how it stands by then. */
export class ProgressReporter<State> {
  readonly #outage = new TroubleKinds();
  readonly #ticker: Ticker;
  readonly #reported: ReportedProgress<State> | undefined;
  readonly #describe: () => string | undefined;
  readonly #current: () => State;

  /** `current` is asked whenever something is said: a line that is due between two events tells of the state of that moment. */
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

/**
 * What a wait says, and when: at once when there is news, and now and then in between, ever more rarely, because each
 * time is a line in a pipeline's log.
 */
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

  /**
   * Tells what there is to say now, if anything. `topic` is what it is about, and another topic is news; the text, in which times
   * and a panel's request numbers change with every look, is not compared.
   */
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
