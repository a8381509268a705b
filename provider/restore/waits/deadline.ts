import type { Clock } from "../../time/clock";
import type { Limit } from "../terms/restore-plan";
import type { Deadline, WaitEvent } from "./waiting";

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
    if (event.type === "tick") this.looked(event.head.readAt);
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
