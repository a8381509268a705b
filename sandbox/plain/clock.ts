import { type Random, systemClock as waitingClock } from "../../provider/plain/clock";

/** The panel's wall clock, the source of all its timestamps. */
export interface PanelClock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls `run` once after `delayMs`. The returned function cancels the call. A pending timer keeps the process alive. */
  after(delayMs: number, run: () => void): () => void;
}

export const systemPanelClock: PanelClock = {
  now: () => Date.now(),
  after: (delayMs, run) => waitingClock.after(delayMs, run),
};

/** Hashes a seed and other words to a 32-bit number, the same in every run. */
export function hash(seed: number, ...words: readonly (number | string)[]): number {
  let state = (seed ^ 0x9e3779b9) >>> 0;
  for (const word of words) {
    const text = String(word);
    for (let index = 0; index < text.length; index++) {
      state = Math.imul(state ^ text.charCodeAt(index), 0x01000193) >>> 0;
    }
    state = mix(state + 0x6d2b79f5);
  }
  return mix(state);
}

/** Creates the random stream for a seed and a name. Draws from one stream never affect another. */
export function randomFrom(seed: number, ...words: readonly (number | string)[]): Random {
  let state = hash(seed, ...words);
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    return mix(state) / 2 ** 32;
  };
}

/** A short string of lower-case letters and digits, like a panel's identifiers. It begins with a letter, so that it never looks like a number. */
export function word(seed: number, ...words: readonly (number | string)[]): string {
  return `m${hash(seed, ...words).toString(36)}`;
}

function mix(value: number): number {
  let mixed = value | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return (mixed ^ (mixed >>> 14)) >>> 0;
}
