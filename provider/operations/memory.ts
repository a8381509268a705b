import type { Sought } from "../restore/rows/searches";
import type { RestoreResult } from "../restore/terms/result";
import { Kept } from "./kept";
import { Once } from "./once";
import { Replacements } from "./replaced";
import { FailedTries } from "./failed-tries";

/** What one call of the engine's has to know of another: all restores of a process share it, by their intents' ids. */
export interface Memory {
  readonly outcomes: Once<RestoreResult>;
  readonly replacements: Replacements;
  readonly kept: Kept;
  readonly failedTries: FailedTries;
  /** Restores that earlier runs have posted and not seen listed, as far as `diff` has been told of them. */
  readonly unlisted: Map<string, Sought>;
}

export function createMemory(): Memory {
  return {
    outcomes: new Once(),
    replacements: new Replacements(),
    kept: new Kept(),
    failedTries: new FailedTries(),
    unlisted: new Map(),
  };
}
