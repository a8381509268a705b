import { pauseMs, type Read } from "../feed/feed";
import type { Mark } from "../inputs/intent";
import type { Limit } from "../inputs/read-values";
import type { Message } from "../plain/message";
import { type End, hasEnded, hasStarted, type Job } from "../rows/jobs";
import { type Depth, isOlder, type Row, rowsAbove, rowsForMark } from "../rows/order";
import { besideRestores, Finder, type Look } from "./finder";
import { andDenied, describeRow, limitName, unknownStatusText } from "./messages";
import { type Found, OwnJobs } from "./own-jobs";
import { nearMs, type Run, tryRead } from "./session";

/** A restore on the panel, as the reads have shown it. */
export interface Seen {
  readonly jobs: readonly Job[];
  readonly rows: readonly Row[];
  readonly end?: End | "differs";
  /** Taken by their time only. */
  readonly isGuess?: boolean;
  /** The newest place of the list when the end counted: whatever belongs to this attempt is not above it. */
  readonly closed?: Mark;
}

/** How it ended, or why the end is unknown. */
export interface Watched {
  readonly seen: Seen;
  readonly why?: string;
  /** The list could not be read. */
  readonly trouble?: Message;
  /** Jobs that may be the restore, where it was never listed. */
  readonly maybe?: readonly Job[];
  readonly panelTime: number;
  /** The list was read, and shows no row of the restore. */
  readonly isGone?: boolean;
  /** The panel refused the POST, in an answer that arrived late, or in the body of an answer without a listed restore behind it. */
  readonly refused?: Error;
}

type Phase = "unlisted" | "pending" | "running" | "settling";

/** While others are at work, a guess is held this long, or half of `listed`. */
const guessMs = 60_000;
/** Ten pages of a hundred rows. */
const farRows = 1_000;

/** Follows a restore that is or may be on the panel, to its end: one read after the other, until a limit or a read that settles the end. */
export async function watch(
  run: Run,
  found: Found,
  extras: {
    readonly onListed: (seen: Seen) => void;
    readonly onFound: () => void;
    /** Which rows were taken although nothing says that they are this restore, or which of several. */
    readonly onTaken: (text: string | undefined) => void;
    readonly warn: (text: string) => void;
    /** All that belongs to this restore is above it. */
    readonly mark?: Mark | undefined;
  },
): Promise<Watched> {
  const { session, request, reporter } = run;
  const { clock, feed } = session;
  const { listedMs, runMs, settleMs } = request.timeouts;
  const mark: Mark = found.by === "ids" ? { panel: session.client.address, ended: [] } : found.mark;
  const finder = new Finder(run, {
    mark,
    ...(found.by === "mark" && { later: { nearMs: nearMs(run) } }),
    ...(found.by === "ids" && { base: { around: found.ids } }),
  });
  const own = new OwnJobs(run, found, finder, extras.onTaken);
  const began = clock.now();
  /** While others are at work, a guess is held for a while, because the restore's own row may be listed late. */
  const holdUntil = began + Math.min(guessMs, listedMs / 2);
  let isAtWork = found.by === "POST" && found.isAtWork;
  let isGuessHeld = false;
  let seen: Seen = { jobs: [], rows: [] };
  let phase: Phase = "unlisted";
  let since = began;
  /** The limit of a run counts from the first listing, whatever is read later. */
  let listedAt: number | undefined;
  /** Where the list was at the last read before the end was seen. */
  let endedAbove: Mark = mark;
  for (let withinMs = 50; ; withinMs = pause()) {
    // Rows that were listed late are further down. Only these phases wait for rows.
    const waitsForRows = phase === "unlisted" || phase === "settling";
    const read = await tryRead(run, depth(waitsForRows), withinMs);
    const overdue = whyOverdue();
    const answer = found.by === "POST" ? found.answer.current : undefined;
    if (answer?.kind === "refused") return { seen, refused: answer.error, panelTime: finder.time };
    if ("trouble" in read) {
      if (read.ends || overdue !== undefined)
        return {
          seen: unsettled(seen),
          why: overdue ?? "the panel's list cannot be read",
          trouble: read.trouble,
          panelTime: finder.time,
        };
      reporter.progress(`the panel's list cannot be read, trying again: ${read.trouble.what}`);
      continue;
    }
    // An old page proves neither that a row exists nor that it does not.
    if (isOlder(read, mark)) {
      if (overdue !== undefined) return { seen: unsettled(seen), why: overdue, panelTime: finder.time };
      continue;
    }
    const isClosing = phase === "settling" && read.readAt >= since + closingMs();
    const isOpen = phase === "unlisted" || (own.isGuess && own.isLatest);
    const before = finder.view.top ?? mark;
    const look = await finder.look(read, isClosing ? "with the log" : isOpen ? "for new rows" : "without the log");
    const jobs = own.of(look);
    const known = extent(seen);
    seen = { ...seenOf(jobs), isGuess: own.isGuess };
    const isGrown = extent(seen) > known;
    // After the next POST, a new row may be of that restore.
    isAtWork ||= own.isLatest && look.isAtWork();
    // Where the machine's log names transactions, it will name the restore's own, perhaps at its end.
    isGuessHeld = own.isGuess && (finder.logNames || (isAtWork && clock.now() < holdUntil));
    if (seen.rows.length > 0 && !isGuessHeld) extras.onFound();
    const next = phaseOf(seen);
    const isAwaited = own.isAwaited && clock.now() - began <= listedMs;
    const isKept = isGuessHeld || isAwaited;
    const isSettled = next === "settling" && phase === "settling" && !isGrown && read.readAt >= since + closingMs();
    if (!isKept && (isSettled || (next === "settling" && closingMs() === 0))) {
      const others = found.by === "POST" ? sinceEnded(look, read) : await unlikeAbove(run, seen, extras.mark);
      // What turned up may belong to a restore that was just posted, and has no candidate yet.
      const isUnclear = "trouble" in others || (others.length > 0 && session.unlisted.isTaken);
      if (!isUnclear) return ended(read, others);
    }
    // The first part of a restore may be a stop: while the stop runs, the restore is not missing.
    const isBegun = next === "unlisted" && clock.now() - began < runMs && look.busy.some(({ isAbove }) => isAbove);
    if (isBegun) [phase, since] = [next, clock.now()];
    else if (next !== phase || (next === "settling" && isGrown)) {
      // Two copies of the list, in turn, change the phase with each read, and so do rows that turn up all the time.
      const isRepeated = next === "pending" || next === "running" || phase === "settling";
      const why = isRepeated ? whyOver("run", listedAt) : undefined;
      if (why !== undefined) return { seen: unsettled(seen), why, panelTime: finder.time };
      if (phase !== "settling") endedAbove = before;
      [phase, since] = [next, next === "unlisted" && found.by !== "ids" ? began : clock.now()];
    }
    // A held guess is not stored, because the restore may be another row.
    else if (overdue !== undefined && isGuessHeld)
      return { seen: { jobs: [], rows: [] }, why: overdue, maybe: seen.jobs, panelTime: finder.time };
    else if (overdue !== undefined) {
      const maybe = maybeIn(look);
      const isGone = seen.rows.length === 0;
      const denied = answer?.kind === "denied" && isGone ? answer : undefined;
      if (denied?.mayRun === false && maybe.length === 0)
        return { seen, refused: denied.error, panelTime: finder.time };
      const why = `${overdue}${denied ? andDenied(denied.words) : ""}`;
      return { seen: unsettled(seen), why, maybe, panelTime: finder.time, isGone };
    }
    if (phase !== "unlisted") listedAt ??= clock.now();
    if (phase !== "unlisted" && !isKept) extras.onListed(seen);
    say();
  }

  /** A closing read goes down to the mark where that is not far, else to what is new and to the rows around the restore's own rows. */
  function depth(waitsForRows: boolean): Depth {
    const isFar = finder.view.countAbove > farRows;
    if (!waitsForRows || (phase === "settling" && isFar))
      return { ...finder.view.depth("shallow"), ...(waitsForRows && { around: seen.rows.map(({ id }) => id) }) };
    return { ...finder.view.depth("deep"), ...(phase === "settling" && { rows: rowsForMark }) };
  }

  /**
   * What may be a newer restore, because the next attempt searches above it: another restore of this machine, and whatever turned up in the settle
   * time.
   */
  function sinceEnded(look: Look, read: Read): readonly Job[] {
    const above = rowsAbove(read, endedAbove).ids;
    const isNew = ({ rows }: Job): boolean =>
      rows.some(({ id }) => above.has(id) && !seen.rows.some((row) => row.id === id));
    const isOther = (job: Job): boolean => look.doubtful.includes(job) || isNew(job);
    return seen.end === "failed" ? unlike(look, seen).filter(isOther) : [];
  }

  function ended({ mark: closed }: Read, others: readonly Job[]): Watched {
    if (others.length > 0) seen = { ...seen, jobs: [...seen.jobs, ...others], end: "differs" };
    return {
      seen: { ...seen, closed },
      panelTime: finder.time,
      ...(seen.end === "differs" && { why: "its transactions have not ended alike" }),
    };
  }

  /** Every part that turns up, and every end of a part, begins the settle time anew. */
  function extent({ rows }: Seen): number {
    return rows.length + rows.filter((row) => hasEnded(row)).length;
  }

  function isWaiting(): boolean {
    return !seen.rows.every((row) => hasEnded(row));
  }

  /** What waits behind a failed part may start after all, and is given as long as a row that is listed late. */
  function closingMs(): number {
    return isWaiting() ? Math.max(settleMs, listedMs) : settleMs;
  }

  function pause(): number {
    const pace = pauseMs(clock.now() - began, feed.access.random);
    const closesAt = since + closingMs();
    if (phase !== "settling" || isWaiting() || clock.now() > closesAt) return pace;
    return Math.max(50, (isGuessHeld ? Math.max(holdUntil, closesAt) : closesAt) - clock.now());
  }

  function passed(limit: Limit, what: string): string {
    return `${what} within ${limitName(request, limit)}`;
  }

  function whyOver(limit: "listed" | "run", from: number | undefined): string | undefined {
    if (clock.now() >= (run.totalUntil ?? Infinity)) return passed("total", "it has not ended");
    const [ms, what] = limit === "run" ? [runMs, "it has not ended"] : [listedMs, "nothing of it was listed"];
    return from !== undefined && clock.now() - from > ms ? passed(limit, what) : undefined;
  }

  function whyOverdue(): string | undefined {
    if (phase === "unlisted") return whyOver("listed", since);
    return whyOver("run", phase === "settling" ? since : listedAt);
  }

  function phaseOf({ rows, end }: Seen): Phase {
    if (rows.length === 0) return "unlisted";
    if (end !== undefined) return "settling";
    return rows.some((row) => hasStarted(row)) ? "running" : "pending";
  }

  /** A panel may have an unexpected word for a restore, so jobs of this machine with any action are shown. */
  function maybeIn({ fits, doubtful, unsaid, others }: Look): readonly Job[] {
    const maybe = [...fits, ...doubtful, ...unsaid];
    if (found.by === "ids" || maybe.length > 0) return maybe;
    return others.filter(({ whose }) => whose === "this machine");
  }

  function say(): void {
    if (phase === "unlisted") {
      reporter.progress("sent, not listed yet");
      return;
    }
    for (const row of seen.rows) if (row.state === "unknown") extras.warn(unknownStatusText(row));
    const [last] = seen.rows.slice(-1);
    const shown =
      phase === "settling" ? `${String(seen.end)}, ${isWaiting() ? "waiting" : "looking"} for further parts` : phase;
    reporter.progress(
      last === undefined
        ? shown
        : `${shown}, ${last.id}${seen.rows.length > 1 ? ` (${seen.rows.map((row) => describeRow(row)).join(", ")})` : ""}`,
    );
  }
}

/**
 * What is known by its ids may be a part of its restore, and another job above its mark another part, or a newer restore: these are the jobs that have
 * not ended alike. What a person names with `adopt` ends as it ends: a next attempt asks about what came since.
 */
export async function unlikeAbove(
  run: Run,
  seen: Seen,
  mark: Mark | undefined,
): Promise<readonly Job[] | { readonly trouble: Message }> {
  const ids = seen.rows.map(({ id }) => id);
  if (mark === undefined || ids.some((id) => id === run.request.adopt)) return [];
  const read = await tryRead(run, { mark, ids }, 50);
  if ("trouble" in read) return read;
  const look = await new Finder(run, { mark, passedOver: ids }).look(read, "with the log");
  return unlike(look, seen);
}

/**
 * A complete restore needs all that fits to be complete; beside a guess, rows that name no machine fit as well. A failed restore is attempted again, unless
 * anything may be a newer restore: rows that name no machine only where its own rows name none.
 */
function unlike(
  { fits, doubtful, unsaid }: Look,
  { jobs, end, isGuess = false }: Pick<Seen, "jobs" | "end" | "isGuess">,
): readonly Job[] {
  const maybe = jobs.every(({ whose }) => whose === "not said")
    ? [...fits, ...doubtful, ...unsaid]
    : [...fits, ...doubtful];
  const asGood = isGuess ? [...fits, ...unsaid.filter(({ contradictions }) => contradictions.length === 0)] : fits;
  const others = end === "complete" ? asGood : end === "failed" ? maybe : [];
  return besideRestores(others, jobs).filter((job) => job.end !== end);
}

/** Without its end: an end counts once a later read has shown no further part. */
const unsettled = ({ jobs, rows, isGuess = false }: Seen): Seen => ({ jobs, rows, isGuess });

export function seenOf(jobs: readonly Job[]): Seen {
  const ends = new Set(jobs.map(({ end, failedPart }) => end && `${end} ${failedPart ? "in part" : ""}`));
  const end = ends.has(undefined) ? undefined : ends.size <= 1 ? jobs[0]?.end : "differs";
  return { jobs, rows: jobs.flatMap(({ rows }) => rows), ...(end !== undefined && { end }) };
}
