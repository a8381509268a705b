import { namesZone } from "../../time/names-zone";

/**
 * A panel's time stamps beside its clock. A stamp that names no zone is the panel's local time, and read as the runner's; a stamp that
 * names one may still come from a clock that goes wrong. How far stamps run ahead cannot be told from one of them, only
 * bounded: none was made in the future, and what came after a known time was not made before it.
 */

/** Zones differ by quarters of an hour. */
const quarterMs = 15 * 60_000;
/** Two clocks of one panel may be this far apart without a zone between them. */
const slackMs = 2 * 60_000;

/** The least that stamps run ahead, by the youngest of them at a time of the panel's clock. Negative where they run behind. */
export function aheadAtLeast(stamps: readonly (string | undefined)[], panelNow: number): number | undefined {
  const youngest = latest(stamps);
  if (youngest === undefined) return undefined;
  const ahead = Math.ceil((Date.parse(youngest) - panelNow - slackMs) / quarterMs) * quarterMs;
  return namesZone(youngest) ? Math.max(0, ahead) : ahead;
}

/** The most that they run ahead, by the oldest of some that were made after a time of the panel's clock. */
export function aheadAtMost(stamps: readonly (string | undefined)[], madeAfter: number): number | undefined {
  const oldest = earliest(stamps);
  if (oldest === undefined || Number.isNaN(madeAfter)) return undefined;
  return Math.floor((Date.parse(oldest) - madeAfter + slackMs) / quarterMs) * quarterMs;
}

/** The same for the rows of a read, of what an earlier read has told. */
export function learntAhead(
  before: number | undefined,
  rows: readonly { readonly createdAt?: string; readonly updatedAt?: string }[],
  panelNow: number,
): number | undefined {
  const ahead = aheadAtLeast(
    rows.flatMap((row) => [row.createdAt, row.updatedAt]),
    panelNow,
  );
  return before === undefined || ahead === undefined ? (ahead ?? before) : Math.max(before, ahead);
}

export function earliest(stamps: readonly (string | undefined)[]): string | undefined {
  return pick(stamps, (a, b) => a < b);
}

export function latest(stamps: readonly (string | undefined)[]): string | undefined {
  return pick(stamps, (a, b) => a > b);
}

function pick(stamps: readonly (string | undefined)[], better: (a: number, b: number) => boolean): string | undefined {
  let best: string | undefined;
  for (const stamp of stamps) {
    if (stamp === undefined || Number.isNaN(Date.parse(stamp))) continue;
    if (best === undefined || better(Date.parse(stamp), Date.parse(best))) best = stamp;
  }
  return best;
}
