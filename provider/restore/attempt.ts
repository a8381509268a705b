import { longestPauseMs, pauseMs, type Read } from "../feed/feed";
import type { IntendedRequest, Mark } from "../inputs/intent";
import { howToAllow, whyNotAllowed } from "../inputs/settings";
import type { MachineId, PostAnswer, RecoveryPointId } from "../panel/types";
import { pause } from "../plain/clock";
import type { Message } from "../plain/message";
import type { Job } from "../rows/jobs";
import { type Depth, isOlder, type Row } from "../rows/order";
import { namePoint } from "../rows/whose";
import { statusText } from "../panel/facts";
import { Finder, type Look } from "./finder";
import { follow, notSent, notSentAs, pointsOf } from "./follow";
import {
  adoptedText,
  answerLostText,
  busyText,
  deniedText,
  describeRow,
  heldUpText,
  limitName,
  lookAgain,
  questionText,
  refusedText,
  runAgainText,
  runIsGone,
  unknownWordsText,
  unreachableText,
} from "./messages";
import { idsOf, isStillFailed, jobsOfRows, showsAll } from "./own-jobs";
import type { ResultSoFar } from "./result";
import { nearMs, quietTimeMs, type Run, tryRead } from "./session";
import { OutOfTime, withPlace, withTimeLimit } from "./turn";

/**
 * What earlier attempts left on the panel. Set for a later attempt: its intent was made by another process, or an attempt is stored as failed. In the
 * process that made the intent, nothing can have been posted for it.
 */
export interface Past {
  /** An earlier attempt's restore may be above it: the mark of the failed attempt, else the intent's mark. */
  readonly mark: Mark;
  /** The rows of an attempt that is stored as failed. While the panel shows them as anything else, nothing is sent. */
  readonly failedIds: readonly string[];
  /** Another restore of the machine was asked for in between, or nothing was sent: what is found may be another restore, so it is a question. */
  readonly isAskedAgain?: true;
}

/** A page older than this decides nothing. */
const freshMs = 3_000;
/** A lagging copy of the list catches up sooner. */
const oldPagesMs = 60_000;
const firstLookRows = 100;
/** An answer that takes longer is waited for while the list is read. */
const quickAnswerMs = 3_000;

/**
 * The only way to a POST: the machine's turn, then a place. Both are held until the restore has ended, or until nobody waits for its end any more.
 */
export async function attempt(run: Run<IntendedRequest>, past: Past | undefined): Promise<ResultSoFar> {
  const { clock, queues, places, feed } = run.session;
  const queue = queues.of(run.request.target.virtualMachineId);
  if (queue.isFull) run.reporter.progress("waiting for its turn: another restore of this machine is under way");
  try {
    return await withTimeLimit(clock, run.totalUntil, (signal) =>
      withPlace(queue, signal, async () => {
        // A list that cannot be paged shows few rows: more restores than that would push each other out of sight.
        if (feed.rowsShown === undefined) await tryRead(run, {}, 50);
        if (feed.rowsShown !== undefined) places.limitTo(Math.max(1, Math.floor(feed.rowsShown / 2)));
        if (places.isFull)
          run.reporter.progress("waiting for a place: as many restores are under way as are allowed at once");
        return withPlace(places, signal, () => new Attempt(run, past, signal).carryOut());
      }),
    );
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error;
    const what = `${limitName(run.request, "total")} passed before its turn came`;
    return notSent(run, { what, next: `${lookAgain}; a longer timeouts.total waits longer`, help: "limit" });
  }
}

class Attempt {
  readonly #beganAt: number;
  /**
   * A later attempt posts after this much quiet time, because an earlier POST may still be under way and be listed late. The quiet time starts again
   * when what may be a restore of the machine, or a part of one, is seen at work, and a read down to the mark that begins after it confirms that nothing was listed.
   */
  readonly #quietMs: number;
  /** Nothing that is read later leads to a POST. The time in which other restores have the place does not count. */
  #until: number;
  readonly #finder: Finder;
  readonly #mark: Mark;
  /** Makes way for the next unlisted restore. Set once this restore has the place. */
  #leave: (() => void) | undefined;

  constructor(
    private readonly run: Run<IntendedRequest>,
    private readonly past: Past | undefined,
    private readonly signal: AbortSignal,
  ) {
    const { session, request, totalUntil = Infinity } = run;
    const { busyMs, listedMs } = request.timeouts;
    const { requestTimeoutMs } = session;
    this.#beganAt = session.clock.now();
    this.#quietMs = quietTimeMs(session, listedMs);
    // However short its limit is, a later attempt reads once more after its quiet time.
    const lookMs = past ? this.#quietMs + longestPauseMs : 0;
    this.#until = Math.min(this.#beganAt + Math.max(busyMs, requestTimeoutMs) + lookMs, totalUntil);
    this.#mark = past?.mark ?? request.intent.mark;
    this.#finder = new Finder(run, {
      mark: this.#mark,
      ...(past && {
        later: past.failedIds.length > 0 ? {} : { nearMs: nearMs(run) },
        passedOver: past.failedIds,
      }),
    });
  }

  async carryOut(): Promise<ResultSoFar> {
    let isSent = false;
    try {
      const result = await this.#untilSent();
      isSent = result.result.kind !== "not sent";
      return result;
    } finally {
      if (!isSent) this.#makeWay();
    }
  }

  /** Read, look, decide: one look decides about one POST. */
  async #untilSent(): Promise<ResultSoFar> {
    const { run, past } = this;
    const { clock, feed, words } = run.session;
    let quietUntil = this.#beganAt + this.#quietMs;
    /** When the last read down to the mark began. */
    let lookedBackAt = -Infinity;
    let lastGood = this.#beganAt;
    /** Too old when its turn to decide came. */
    let stale: Read | undefined;
    let isLogSlow = false;
    let isLogAwaited = false;
    const early = new Set<string>();
    let busy: readonly Job[] = [];
    const pace = (): number => {
      const quietMs = quietUntil - clock.now();
      const usualMs = stale ? 50 : pauseMs(clock.now() - this.#beganAt, feed.access.random);
      return quietMs > 0 ? Math.min(usualMs, quietMs + 1) : usualMs;
    };
    for (let withinMs = 50; ; withinMs = pace()) {
      const isDeep = lookedBackAt === -Infinity || (clock.now() + withinMs >= quietUntil && lookedBackAt < quietUntil);
      const read = this.#fresherThan(stale) ?? (await tryRead(run, this.#depth(isDeep, busy), withinMs));
      stale = undefined;
      const tooLate = this.#whyTooLate();
      if ("trouble" in read) {
        if (read.ends) return notSent(run, read.trouble);
        if (tooLate !== undefined) return tooLate(read.trouble);
        run.reporter.progress(`the panel's list cannot be read, trying again: ${read.trouble.what}`);
        continue;
      }
      if (isOlder(read, this.#mark)) {
        if (clock.now() - lastGood > oldPagesMs) return notSent(run, oldPages);
        continue;
      }
      lastGood = clock.now();
      if (isDeep) lookedBackAt = read.readAt;
      // A log that answers slowly has made the previous read too old.
      const how = past && (isDeep || isLogAwaited) ? "with the log" : isLogSlow ? "without the log" : "for new rows";
      const look = await this.#finder.look(read, how);
      isLogSlow = clock.now() - read.answeredAt > freshMs;
      ({ busy } = look);
      const found = past && this.#foundIn(look, read.isWhole, isDeep);
      if (found) return await found;
      const [working] = busy;
      if (working !== undefined) {
        // A stop that is seen by now may be the first part of what was posted.
        if (clock.now() < this.#beganAt + this.#quietMs) for (const id of busy.flatMap(idsOf)) early.add(id);
        if (busy.some((job) => job.mayBeRestore || idsOf(job).some((id) => early.has(id))))
          quietUntil = clock.now() + this.#quietMs;
        this.#makeWay();
        if (run.request.timeouts.busyMs === 0) return notSentAs(busyText(run.request, working, words, undefined));
        if (tooLate !== undefined)
          return clock.isHeldUp
            ? tooLate()
            : notSentAs(busyText(run.request, working, words, limitName(run.request, "busy")));
        run.reporter.progress(this.#waitText(working));
        continue;
      }
      if (past && lookedBackAt < quietUntil) {
        if (tooLate !== undefined) return tooLate();
        const what =
          past.failedIds.length > 0
            ? "a newer restore of the machine"
            : "a restore that an earlier attempt may have posted";
        const skip = past.failedIds.length > 0 ? "; new triggers restore at once" : "";
        run.reporter.progress(`looking for ${what}, until ${this.#clockTime(quietUntil)}${skip}`);
        continue;
      }
      if (!this.#leave && (await this.#waitsForPlace())) {
        stale = read;
        continue;
      }
      const maybe = past ? this.#maybeIn(look) : [];
      const [unsaid] = maybe;
      isLogAwaited = unsaid !== undefined && look.isLogAwaited && maybe.every((job) => look.unsaid.includes(job));
      // Where others are at work all the time, that would have no end.
      if (unsaid && isLogAwaited && tooLate === undefined && clock.now() < quietUntil + this.#quietMs) {
        run.reporter.progress(`waiting until the machine's log would name ${unsaid.rows[0].id}`);
        continue;
      }
      if (unsaid) return notSentAs(questionText(run.request, maybe, this.#finder.time));
      if (tooLate !== undefined) return tooLate();
      const unknown = unknownWords(read.rows, run);
      if (unknown.length > 0) return notSentAs(unknownWordsText(run.request, unknown));
      const done = await this.#post(read, look);
      if (done !== "stale") return done;
      stale = read;
    }
  }

  /** Takes the place. After a wait, what the list showed may belong to the restores that had it: it decides nothing. */
  async #waitsForPlace(): Promise<boolean> {
    const { clock, unlisted } = this.run.session;
    const askedAt = clock.now();
    const isTaken = unlisted.isTaken;
    this.#leave = await unlisted.enter(this.run.request.target.virtualMachineId, this.signal);
    this.#until = Math.min(this.#until + clock.now() - askedAt, this.run.totalUntil ?? Infinity);
    return isTaken;
  }

  /** Whoever waits for something else than the place, or is not sent. */
  #makeWay(): void {
    this.#leave?.();
    this.#leave = undefined;
  }

  /** The read that listed the previous restore may decide about the next restore. */
  #fresherThan(stale: Read | undefined): Read | undefined {
    const { clock, feed } = this.run.session;
    const { latest } = feed;
    const isUsable = stale && !this.past && latest !== stale && latest && clock.now() - latest.answeredAt <= freshMs;
    return isUsable ? latest : undefined;
  }

  /** A later attempt reads down to its mark, and to the rows that failed, at first and again once the quiet time is over. */
  #depth(isDeep: boolean, busy: readonly Job[]): Depth & { readonly ids: readonly string[] } {
    const { past } = this;
    // The first look goes far enough down to see who is at work on the machine, even if pages are short.
    if (!past) return { ids: busy.flatMap(idsOf), ...(isDeep && { rows: firstLookRows }) };
    const depth = this.#finder.view.depth(isDeep ? "deep" : "shallow");
    return isDeep ? { ...depth, ids: [...(depth.ids ?? []), ...past.failedIds] } : { ids: [], ...depth };
  }

  /** What a later attempt finds of an earlier attempt: the restore itself, or a question for a person. */
  #foundIn(look: Look, isWhole: boolean, isDeep: boolean): Promise<ResultSoFar> | undefined {
    const { run } = this;
    const failed = this.past?.failedIds ?? [];
    const { time } = this.#finder;
    const former = jobsOfRows(look.jobs, failed);
    const again = former.filter((job) => !isStillFailed(job, failed));
    const [first] = again;
    if (first && showsAll(former, failed) && (first.end !== "failed" || first.failedPart !== undefined))
      return this.#adopt(former, runAgainText(first, time));
    // While one is at work, it keeps the machine busy.
    if (first && again.every((job) => job.end !== undefined || !look.busy.includes(job)))
      return Promise.resolve(notSentAs(questionText(run.request, again, time)));
    const [only, ...more] = look.fits;
    if (!look.isComplete) {
      if (!isDeep) return undefined;
      const maybe = [...look.fits, ...look.doubtful, ...look.unsaid];
      return Promise.resolve(notSentAs(unreachableText(run.request, maybe, time, isWhole)));
    }
    if (only === undefined) return undefined;
    if (more.length === 0 && this.past?.isAskedAgain !== true) return this.#adopt([only], adoptedText(only, time));
    return Promise.resolve(notSentAs(questionText(run.request, [...look.fits, ...look.doubtful], time)));
  }

  /**
   * Jobs that may belong to an earlier attempt, without certainty. If no row of the panel says restore, or if they name the recovery point, this includes
   * jobs of the machine with any action.
   */
  #maybeIn({ doubtful, unsaid, firstParts, others }: Look): readonly Job[] {
    const { kind, recoveryPointId: point = "0" } = this.run.request.target;
    const saysRestore = this.run.session.unlisted.saysRestoreOf(kind);
    const mayBe = (job: Job): boolean => !saysRestore || namePoint(job.rows, point);
    return [...doubtful, ...unsaid, ...firstParts, ...others.filter((job) => mayBe(job) && !firstParts.includes(job))];
  }

  /**
   * The only place that sends. This process outlives a killed engine, so it checks right before that the engine is there. The page that shows the
   * machine free is the mark of the POST, and must be fresh.
   */
  async #post(read: Read, look: Look): Promise<ResultSoFar | "stale"> {
    const { run } = this;
    const { client, clock, unlisted, isWatched, requestTimeoutMs, allowedMachines } = run.session;
    const { target, timeouts } = run.request;
    if (unlisted.lost !== undefined && !unlisted.rowsName(target.virtualMachineId))
      return notSent(run, {
        what: `${unlisted.lost} was posted and is not listed, and rows of this panel name no machine, so the two could not be distinguished`,
        next: "Settle that restore first; the next `pulumi up` sends this restore after it",
        help: "lost",
      });
    if (!(await isWatched())) return notSent(run, runIsGone);
    const tooLate = this.#whyTooLate();
    if (tooLate !== undefined) return tooLate();
    if (clock.now() - read.answeredAt > freshMs || read.answeredAt - read.readAt > requestTimeoutMs) return "stale";
    const forbidden = whyNotAllowed(target.virtualMachineId, allowedMachines);
    if (forbidden !== undefined) return notSent(run, { what: forbidden, next: howToAllow, help: "machines" });
    const [machine, point] = [target.virtualMachineId as MachineId, target.recoveryPointId as RecoveryPointId];
    const limitMs = Math.max(requestTimeoutMs, timeouts.listedMs);
    const { mark } = read;
    const nth = ++unlisted.posts;
    const sending =
      target.kind === "VmRestore"
        ? client.restoreMachine(machine, point, { limitMs })
        : client.restoreFiles(machine, point, target.paths ?? [], { limitMs });
    const answer: { current?: PostAnswer } = {};
    const isAnswered = new AbortController();
    const answered = sending.then((got) => {
      answer.current = got;
      isAnswered.abort();
      if (got.kind === "unknown") run.reporter.warn(answerLostText(got.error));
      if (got.kind === "denied") run.reporter.warn(deniedText(got.words));
    });
    await Promise.race([answered, pause(clock, quickAnswerMs, isAnswered.signal).catch(() => undefined)]);
    if (answer.current?.kind === "refused") return notSentAs(refusedText(run.request, answer.current.error));
    run.reporter.event?.({ did: "posted", answer: answer.current?.kind === "accepted" ? "accepted" : "unknown", mark });
    const isAtWork = look.isAtWork();
    return follow(
      run,
      { by: "POST", mark, answer, nth, isAtWork },
      { adopted: false, mark, warnings: [], leave: () => this.#leave?.() },
    );
  }

  /** What is on the panel becomes this restore. It is claimed at once, so that no other restore takes it after the same read. */
  #adopt(jobs: readonly Job[], text: string): Promise<ResultSoFar> {
    const { run } = this;
    const rows = jobs.flatMap((job) => job.rows);
    const ids = rows.map(({ id }) => id);
    run.session.claims.claim(ids, run.owner);
    run.reporter.warn(text);
    run.reporter.event?.({ did: "adopted", why: "found", ids, points: pointsOf(rows, run) });
    const extras = { adopted: true, mark: this.#mark, warnings: [text], leave: () => this.#leave?.() };
    return follow(run, { by: "ids", ids }, extras);
  }

  /** After a limit, and in a run that was held up, nothing is posted, because the machine may have changed since. */
  #whyTooLate(): ((trouble?: Message) => ResultSoFar) | undefined {
    const { run } = this;
    const { clock } = run.session;
    if (clock.isHeldUp) return () => notSentAs(heldUpText(run.request));
    if (clock.now() < this.#until) return undefined;
    return (trouble) => {
      const limit = this.#until === run.totalUntil ? "total" : "busy";
      const within = `within ${limitName(run.request, limit)}`;
      if (trouble) return notSent(run, { ...trouble, what: `its list could not be read ${within}: ${trouble.what}` });
      const next = `${lookAgain}; a longer timeouts.${limit} looks longer`;
      return notSent(run, { what: `nothing was decided ${within}`, next, help: "limit" });
    };
  }

  #waitText({ rows }: Job): string {
    return `waiting for transaction ${describeRow(rows.at(-1) ?? rows[0])}, until ${this.#clockTime(this.#until)}`;
  }

  /** A time of day, as the runner's clock shows it. */
  #clockTime(at: number): string {
    const { clock } = this.run.session;
    // A minute that has begun is not over.
    const wall = new Date(clock.wallTime().getTime() + at - clock.now() + 59_999);
    return `${String(wall.getHours()).padStart(2, "0")}:${String(wall.getMinutes()).padStart(2, "0")}`;
  }
}

const oldPages: Message = {
  what: "the panel's list is older than what this restore knows of it, or empty: a stale copy, or recovery:username is not shown all rows",
  next: "The next `pulumi up` looks again; if the list was emptied, and you are sure that the restore does not run, new triggers restore",
  help: "order",
};

/**
 * The unknown status words of a panel whose rows have shown no word for an end. Without such a word no restore would ever end. A restore of this program
 * that is under way has not shown one yet.
 */
function unknownWords(rows: readonly Row[], { session: { unlisted, claims } }: Run): readonly string[] {
  if (unlisted.saysEnd) return [];
  const isUnknown = (row: Row): boolean => ["unknown", "unclear"].includes(row.state);
  const unknown = rows.filter((row) => isUnknown(row) && claims.ownerOf(row.id) === undefined);
  return [...new Set(unknown.map((row) => statusText(row) ?? ""))];
}
