import type { Mark } from "../inputs/intent";
import { namesZone } from "../plain/clock";
import { type Chain, oldestFirst, type Row } from "./chains";

/** Between two times of the panel's clock. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Stamps, and the header in which the panel tells its time, leave out what is less than a second. */
const secondMs = 1_000;
/** From the mark of one POST to the next one's intent, in one run; shorter than another run takes to come to it. */
const rightBeforeMs = 10_000;
/** From the mark of a POST until the panel has made its transaction, as a rule. */
const handledWithinMs = 20_000;

/**
 * When the transactions of other restores of the machine were made, that were posted at these times and not seen listed. They may stand
 * above the mark of an intent: one that was posted after it, and one that was posted right before it and listed late. A restore that
 * waits for its machine is posted only when these have ended.
 */
export function spansOfOthers(mark: Mark, postedAt: readonly number[]): readonly Span[] {
  const taken = Date.parse(mark.takenAt ?? "");
  return postedAt.flatMap((at) => {
    if (at > taken) return { from: at - secondMs, to: at + handledWithinMs };
    return taken - at <= rightBeforeMs ? { from: at - secondMs, to: taken + secondMs } : [];
  });
}

/**
 * What is left for a restore that is looked for: each of the others has the oldest chain of its span. Stamps that name no zone tell where it
 * is known how far they run ahead of the panel's clock.
 */
export function withoutOthers(
  chains: readonly Chain[],
  spans: readonly Span[],
  localAheadMs?: number,
): readonly Chain[] {
  const left = [...chains].sort(([a], [b]) => oldestFirst(a, b));
  for (const span of [...spans].sort((a, b) => a.from - b.from)) {
    const theirs = left.findIndex((chain) => chain.every((row) => isWithin(row, span, localAheadMs)));
    if (theirs >= 0) left.splice(theirs, 1);
  }
  return chains.filter((chain) => left.includes(chain));
}

function isWithin({ createdAt }: Row, { from, to }: Span, localAheadMs = Number.NaN): boolean {
  if (createdAt === undefined) return false;
  const made = Date.parse(createdAt) - (namesZone(createdAt) ? 0 : localAheadMs);
  return made >= from && made < to;
}
