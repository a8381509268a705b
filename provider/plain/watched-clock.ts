import type { Clock } from "./clock";

const heldUpMs = 60_000;

/** Notices when the process was held up: a timer or an answer came more than a minute late, or the two clocks have drifted apart by more than a minute. */
export class WatchedClock implements Clock {
  #isHeldUp = false;
  /** The readings of both clocks when they were last compared. */
  #compared: { readonly now: number; readonly wall: number };

  constructor(private readonly clock: Clock) {
    this.#compared = { now: clock.now(), wall: clock.wallTime().getTime() };
  }

  get isHeldUp(): boolean {
    this.noteDelay(0);
    return this.#isHeldUp;
  }

  now(): number {
    return this.clock.now();
  }

  wallTime(): Date {
    return this.clock.wallTime();
  }

  /** A timer also counts as late if it is cancelled after its time, because the process may have handled something else first when it resumed. */
  after(delayMs: number, run: () => void): () => void {
    const due = this.now() + Math.max(0, delayMs);
    let isOver = false;
    const end = (): void => {
      if (!isOver) this.noteDelay(this.now() - due);
      isOver = true;
    };
    const cancel = this.clock.after(delayMs, () => {
      end();
      run();
    });
    return () => {
      end();
      cancel();
    };
  }

  /** Records how late a timer or an answer was. */
  noteDelay(ms: number): void {
    const [now, wall] = [this.now(), this.wallTime().getTime()];
    const driftMs = wall - this.#compared.wall - (now - this.#compared.now);
    this.#compared = { now, wall };
    this.#isHeldUp ||= Math.max(ms, Math.abs(driftMs)) > heldUpMs;
  }
}
