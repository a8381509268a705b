import type { Limit } from "../inputs/read-values";
import type { Clock } from "../plain/clock";
import type { Deadline, PollEvent } from "./poller";

interface DeadlineHooks {
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
