/** When to read the list next, and how much of it: a pure decision over what is wanted and what was read last. */

export interface Wanted {
  /** When the next regular look is due; undefined when nobody watches. */
  readonly regularAt: number | undefined;
  /** When somebody first asked for an early look. */
  readonly hurriedAt: number | undefined;
  /** When somebody first asked for the newest page at once. */
  readonly headAskedAt: number | undefined;
  /** When somebody first asked for the newest page soon, but not at once. */
  readonly headWishedAt: number | undefined;
  /** When the last read ended, and how long it took. */
  readonly lastReadAt: number | undefined;
  readonly lastReadMs: number;
  /** When the last read began that somebody had asked for at once: the mark of an intent may be of it. */
  readonly lastMarkAt: number | undefined;
  /** The last tick failed: early looks wait for the regular one, so that no new wait undoes the back-off. */
  readonly failing: boolean;
}

export interface NextRead {
  readonly at: number;
  /** `floors`: a walk for all watches. `head`: the newest page only. */
  readonly reach: "floors" | "head";
}

/** Calls for the newest page within this time share one read, whether they want it at once or soon. */
const headWindowMs = 50;
/** A new watch gets a look this soon: time for others that start with it to join, and for its row to be listed. */
const earlyLookMs = 150;
/** Early looks keep this distance, however many ask. */
const earlyGapMs = 500;
/** So do those at the newest page only: while many restores are posted, each needs one, and only a few of them ask at a time. */
const headGapMs = 125;
/** What somebody asked the panel for right before a restore was made is given this long to be listed, before the restore looks for it. */
const afterMarkMs = 500;
/** A tick due within this time is brought forward to serve a call for the newest page with the same request. */
const soonMs = 1_000;

export function nextRead(wanted: Wanted): NextRead | undefined {
  const tickAt = tickTime(wanted);
  const headAt = headTime(wanted);
  if (headAt !== undefined && (tickAt === undefined || headAt < tickAt)) {
    return { at: headAt, reach: tickAt !== undefined && tickAt - headAt <= soonMs ? "floors" : "head" };
  }
  return tickAt === undefined ? undefined : { at: tickAt, reach: "floors" };
}

function tickTime({ regularAt, hurriedAt, lastReadAt, lastReadMs, failing }: Wanted): number | undefined {
  if (regularAt === undefined || hurriedAt === undefined || failing) return regularAt;
  const apart = lastReadAt === undefined ? 0 : lastReadAt + Math.max(earlyGapMs, lastReadMs);
  return Math.min(regularAt, Math.max(hurriedAt + earlyLookMs, apart));
}

function headTime({ headAskedAt, headWishedAt, lastReadAt, lastReadMs, lastMarkAt }: Wanted): number | undefined {
  if (headWishedAt === undefined) return headAskedAt === undefined ? undefined : headAskedAt + headWindowMs;
  // From the beginning of one read to that of the next, but on a slow panel it rests as long as a read took.
  const restMs = Math.min(Math.max(headGapMs - lastReadMs, lastReadMs), earlyGapMs);
  const apart = lastReadAt === undefined ? 0 : lastReadAt + restMs;
  const listed = lastMarkAt === undefined ? 0 : lastMarkAt + afterMarkMs;
  const wishedFor = Math.max(headWishedAt + headWindowMs, apart, listed);
  return headAskedAt === undefined ? wishedFor : Math.min(headAskedAt + headWindowMs, wishedFor);
}
