import type { Chain } from "./row-chains";
import type { Sighting } from "./identify";
import { brokenStanding, chainStanding } from "./standing";
import type { Words } from "./row-words";

/** What a later attempt makes of the restores it finds above its intent's mark. */
export type Earlier =
  | { readonly found: "nothing" }
  /** `ageMs`: how long ago the youngest of them ended, or was last touched while it has not. */
  | { readonly found: "adoptable" | "too-old"; readonly chains: readonly Chain[]; readonly ageMs: number };

export interface AdoptContext {
  readonly words: Words;
  readonly adoptWindowMs: number;
  /** What a time stamp of the panel made now would read as. */
  readonly stampsNow: number;
  /** No restore of this intent is older than the intent: the bound where the panel gives no time stamps. */
  readonly intentAgeMs: number;
}

/**
 * An earlier try that failed or was cancelled is passed over, even if what has not begun of it stays pending. One that has not
 * ended is waited for. One that is complete is the result, unless it ended so long ago that taking it for today's restore would
 * be a lie.
 */
export function decideEarlier(sighting: Sighting, context: AdoptContext): Earlier {
  const open: Chain[] = [];
  const old: Chain[] = [];
  for (const chain of sighting.candidates) {
    const standing = brokenStanding(chain, context.words) ?? chainStanding(chain, context.words);
    if (standing === "failed" || standing === "cancelled") continue;
    const isOld = standing === "complete" && ageOf(chain, context) > context.adoptWindowMs;
    (isOld ? old : open).push(chain);
  }
  const [found, chains] = open.length > 0 ? (["adoptable", open] as const) : (["too-old", old] as const);
  if (chains.length === 0) return { found: "nothing" };
  return { found, chains, ageMs: Math.min(...chains.map((chain) => ageOf(chain, context))) };
}

/** How long ago a chain ended (or was last touched), by the panel's stamps; never more than the age of the intent above which it stands. */
function ageOf(chain: Chain, context: Pick<AdoptContext, "stampsNow" | "intentAgeMs">): number {
  const ends = chain
    .map((row) => Date.parse(row.finishedAt ?? row.updatedAt ?? ""))
    .filter((end) => !Number.isNaN(end));
  const bound = Math.max(0, context.intentAgeMs);
  if (ends.length === 0) return bound;
  return Math.min(bound, Math.max(0, context.stampsNow - Math.max(...ends)));
}
