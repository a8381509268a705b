import type { NewestPage, Subscription } from "../feed/types";
import type { Limit } from "../inputs/rules";
import type { Clock } from "../plain/clock";
import { rowOf } from "../rows/chains";
import { machineLogReader } from "./machine-log";
import { type Deadline, KindsOfTrouble, type Telling, type WaitEvent, type Waiting, type WaitTools } from "./waiting";

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
    const asked = waiting.asksLook?.(state) === true;
    state = waiting.step(state, event, clock.now());
    settle();
    if (!asked && waiting.asksLook?.(state) === true) watching.readAgain();
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
      watching.readSoon();
    },
    onPassed: (limit) => {
      dispatch({ type: "limit", limit });
    },
  });
  try {
    settle();
    watching.readSoon();
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
  { feed }: WaitTools,
  waiting: Waiting<State>,
  current: () => State,
  dispatch: (event: WaitEvent) => void,
): Subscription {
  return feed.subscribe({
    stopRule: () => waiting.floor(current()),
    wants: (row) => waiting.wants(current(), row),
    awaitedSince: () => waiting.since(current()),
    onRead: ({ rows, ...tick }) => {
      dispatch({ type: "tick", rows: rows.map(rowOf), ...tick });
    },
    onReadFailed: ({ error, failuresInARow: inARow }) => {
      dispatch({ type: "trouble", error, inARow });
    },
  });
}

export interface Asking<State> {
  /** Asks what this state leaves open, unless that is being asked already. */
  ask(state: State): void;
  stop(): void;
}

/** What a wait asks the panel for itself, beside the walk of the list that all waits share: answers come as events. */
export function asking<State>(
  tools: WaitTools,
  waiting: Pick<Waiting<State>, "asksMachineLog" | "asksHead">,
  machine: string,
  onAnswer: (event: WaitEvent) => void,
): Asking<State> {
  const log = machineLogReader(tools, machine);
  const heads = headReader(tools);
  return {
    ask(state) {
      if (waiting.asksMachineLog(state)) log.read(onAnswer);
      if (waiting.asksHead?.(state) !== true) return;
      heads.read((head) => {
        onAnswer({ type: "head", head });
      });
    },
    stop() {
      log.stop();
      heads.stop();
    },
  };
}

export interface HeadReader {
  /** Reads the newest page, in a read that begins now or later; does nothing while one is under way. */
  read(onRead: (head: NewestPage) => void): void;
  stop(): void;
}

/**
 * The newest page for a wait that must not go by an older one. All that ask at about the same time share a read. One that
 * fails means nothing here: the looks of the wait tell of the trouble.
 */
function headReader(tools: Pick<WaitTools, "feed" | "requestTimeoutMs">): HeadReader {
  const stopped = new AbortController();
  let busy = false;
  return {
    read(onRead) {
      if (busy || stopped.signal.aborted) return;
      busy = true;
      tools.feed.newestPage({ signal: stopped.signal, budgetMs: tools.requestTimeoutMs }).then(
        (head) => {
          busy = false;
          onRead(head);
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
  readonly onLastLook: () => void;
  /** The last look has not changed it, or there was none. */
  readonly onPassed: (limit: Limit) => void;
}

/**
 * Watches over one limit at a time. When it passes, what was heard last may be a tick old, so the wait gets one more look. The
 * limit has passed when that look changes nothing, fails, or does not come within the time that one request may take.
 */
export class DeadlineWatch {
  readonly #clock: Clock;
  readonly #lastLookMs: number;
  readonly #hooks: DeadlineHooks;
  #deadline: Deadline | undefined;
  #overdue = false;
  #cancel: () => void = () => undefined;

  constructor(clock: Clock, lastLookMs: number, hooks: DeadlineHooks) {
    this.#clock = clock;
    this.#lastLookMs = lastLookMs;
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
      this.#cancel = this.#clock.after(this.#lastLookMs, () => {
        this.#hooks.onPassed(deadline.limit);
      });
      this.#hooks.onLastLook();
    });
  }

  /** To be told of what happened after it has been taken in. */
  hear(event: WaitEvent): void {
    if (event.type === "tick") this.looked(event.newestPage.readAt);
    else if (event.type === "trouble") this.lookFailed();
  }

  /** A look that began at `readAt` has been taken in and changed nothing about the limit. */
  looked(readAt: number): void {
    if (!this.#overdue || this.#deadline === undefined || readAt < this.#deadline.at) return;
    this.#hooks.onPassed(this.#deadline.limit);
  }

  /** A look has failed, which is as good as one that showed nothing. */
  lookFailed(): void {
    this.looked(Number.POSITIVE_INFINITY);
  }

  stop(): void {
    this.#cancel();
  }
}

/** What a wait says, and where it says it. */
type Spoken<State> = Telling<State> & { readonly say: (text: string) => void };

/** Says how a wait is getting on: its news at once, and in between, now and then, how it stands by then. */
export class Teller<State> {
  readonly #outage = new KindsOfTrouble();
  readonly #heartbeat: Heartbeat;
  readonly #spoken: Spoken<State> | undefined;
  readonly #describe: () => string | undefined;
  readonly #current: () => State;

  /** `current` is asked whenever something is said: a line that is due between two events tells of the state of that moment. */
  constructor(clock: Clock, spoken: Spoken<State> | undefined, current: () => State) {
    this.#spoken = spoken;
    this.#current = current;
    this.#heartbeat = new Heartbeat(clock, (text) => spoken?.say(text));
    this.#describe = () => spoken?.describe(current(), clock.now());
  }

  hear(event: WaitEvent): void {
    this.#outage.hear(event);
  }

  tell(): void {
    if (this.#spoken) this.#heartbeat.tell(this.#spoken.topic(this.#current(), this.#outage.kinds), this.#describe);
  }

  stop(): void {
    this.#heartbeat.stop();
  }
}

const firstPauseMs = 30_000;
const longestPauseMs = 5 * 60_000;

/**
 * What a wait says, and when: at once when there is news, and now and then in between, ever more rarely, because each
 * time is a line in a pipeline's log.
 */
export class Heartbeat {
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
  tell(topic: string, text: () => string | undefined): void {
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
