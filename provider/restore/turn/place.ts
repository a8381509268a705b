import type { Posted } from "./posted";
import type { Slot, Slots } from "./slots";

/** What one restore holds of the places among the concurrent ones: none at first, one at most. */
export class Place {
  readonly #slots: Slots;
  #slot: Slot | undefined;

  constructor(slots: Slots) {
    this.#slots = slots;
  }

  get isHeld(): boolean {
    return this.#slot !== undefined;
  }

  /** Takes one that is free. False when there is none. */
  takeFree(): boolean {
    if (this.#slots.full) return false;
    this.occupy();
    return true;
  }

  /** Waits for one, in the order in which they came. */
  async take(signal: AbortSignal): Promise<void> {
    if (this.#slot === undefined) this.#slot = await this.#slots.acquire(signal);
  }

  /** Takes one, free or not: for a restore that is on the panel already. */
  occupy(): void {
    this.#slot ??= this.#slots.occupy();
  }

  /** With a restore left behind that has not ended, the place stays that one's. */
  giveBack(leftBehind?: Posted): void {
    this.#slot?.release(leftBehind);
    this.#slot = undefined;
  }
}
