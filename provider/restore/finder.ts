import type { Read } from "../feed/feed";
import type { Mark } from "../inputs/intent";
import type { LogItem, MachineId, TransactionId } from "../panel/types";
import { zonedTime } from "../plain/clock";
import { clockSlackMs, hasEnded, hasStarted, isScheduled, type Job, jobsOf, saysRestore } from "../rows/jobs";
import { type Depth, inOrder, mayBeAbove, reachesMark, type Row, rowsAbove } from "../rows/order";
import { type Listed, namePoint, whoseRow } from "../rows/whose";
import type { Run, Session } from "./session";

/** The jobs of one machine, as one restore sees them. */
export interface Look {
  readonly jobs: readonly Job[];
  /** May be this restore: above the mark, of this machine, a restore, not known, and nothing contradicts it. */
  readonly fits: readonly Job[];
  /** The same, and something contradicts it. */
  readonly doubtful: readonly Job[];
  /** Nothing says which machine they belong to. */
  readonly unsaid: readonly Job[];
  /** The machine's log will say whose those are, a little after they have ended. */
  readonly isLogAwaited: boolean;
  /** Not restores by their action, and under way on a panel whose rows name no machine: perhaps the first part of a restore. */
  readonly firstParts: readonly Job[];
  /** Any other job above the mark, of this machine or of an unknown machine. */
  readonly others: readonly Job[];
  /** Keep the machine busy. */
  readonly busy: readonly Job[];
  /** Whether somebody else is at work on this panel, judging by rows that belong to no restore of this process. */
  readonly isAtWork: () => boolean;
  /** The list shows all that is above the mark. */
  readonly isComplete: boolean;
}

/** Where to look for a restore. */
export interface Place {
  readonly mark: Mark;
  /**
   * Set for a run that does not know what was posted. `nearMs`: a restore made this soon after the mark is the one that was posted then. Without it, only
   * a restore that names the recovery point is: behind a failure, a person may have restored by hand.
   */
  readonly later?: { readonly nearMs?: number };
  /** Earlier attempts that have failed. */
  readonly passedOver?: readonly string[];
  /** The rows around which to look, instead of above the mark. */
  readonly base?: Depth;
}

/** Finds one restore among the jobs of the list. */
export class Finder {
  readonly view: View;
  /** The panel's clock at the last look; the runner's clock if the panel has none. */
  time = 0;
  readonly #inLog = new Set<string>();
  /** The rows for which the log was read. */
  readonly #asked = new Set<string>();
  /** The log names transactions of the list. A row that has ended, and that such a log does not name, is another machine's. */
  logNames = false;
  /**
   * The log was read down to the mark, and names a restore of this program: what ended before and is not named in it is another machine's. A log that has
   * never named one may leave those out that were not made on the panel's own page.
   */
  #settledUntil = -Infinity;
  /** When a row ended, by its stamp, or was first seen to have ended. */
  readonly #endedBy = new Map<string, number>();

  constructor(
    private readonly run: Run,
    private readonly place: Place,
  ) {
    const base = place.base ?? { mark: place.mark };
    const { unlisted } = run.session;
    this.view = new View(base, run.request.target.virtualMachineId, unlisted.listed);
  }

  /** The log of the machine is read only when a decision depends on a row that names no machine. */
  async look(read: Read, how: "with the log" | "for new rows" | "without the log"): Promise<Look> {
    const { session, request } = this.run;
    const { unlisted } = session;
    const machine = request.target.virtualMachineId;
    this.time = read.panelTime ?? read.wallTime.getTime();
    unlisted.note(read.rows, machine);
    const rows = this.view.add(read, unlisted.showsNames(machine));
    const { later } = this.place;
    for (const row of later ? rows : [])
      if (!this.#endedBy.has(row.id) && hasEnded(row))
        this.#endedBy.set(row.id, zonedTime(row.finishedAt) ?? this.time);
    let jobs = this.#judge(rows);
    const isUnknown = (job: Job): boolean =>
      job.isAbove && (!this.#isKnown(job) || (later !== undefined && this.isGuess(job, jobs)));
    // Whether the machine is free depends on any job that is under way.
    const isOpenQuestion = (job: Job): boolean =>
      job.whose === "not said" &&
      !this.#isKnown(job, true) &&
      (job.end === undefined || (job.mayBeRestore && job.isAbove));
    // A log may be written at the end, so it is asked once more then.
    const keyOf = (job: Job, id: string): string => (job.end === undefined ? id : `${id} has ended`);
    const open = jobs.filter(isOpenQuestion).flatMap((job) => job.rows.map(({ id }) => keyOf(job, id)));
    const isAsked = how === "with the log" ? open.length > 0 : open.some((id) => !this.#asked.has(id));
    if (how !== "without the log" && isAsked) {
      for (const id of open) this.#asked.add(id);
      const log = await namedInLog(session, machine, later === undefined ? () => true : this.#isNotAbove(read));
      for (const id of log.ids) this.#inLog.add(id);
      const inLog = rows.filter(({ id }) => this.#inLog.has(id));
      this.logNames ||= inLog.length > 0;
      const isOfProgram = ({ id }: Row): boolean => this.#isPassedOver(id) || session.claims.ownerOf(id) !== undefined;
      if (log.reachesMark && inLog.some(isOfProgram)) this.#settledUntil = this.time - request.timeouts.settleMs;
      jobs = this.#judge(rows);
    }
    // The log says whose a row is. A row that it does not name is another machine's, once the log has had the time to name it.
    const isSettled = (row: Row): boolean => (this.#endedBy.get(row.id) ?? Infinity) <= this.#settledUntil;
    const isExcluded = ({ end, rows: ofJob }: Job): boolean =>
      later === undefined ? this.logNames && end !== undefined : ofJob.every(isSettled);
    const unsaid = jobs.filter((job) => job.whose === "not said" && isUnknown(job) && !isExcluded(job));
    const ours = jobs.filter((job) => job.whose === "this machine" && job.mayBeRestore && isUnknown(job));
    // A panel may give one chain to all jobs of a machine.
    const isNew = (row: Row): boolean => saysRestore(row) && this.view.above.has(row.id) && !this.#isSettled(row.id);
    const isJoined = (job: Job): boolean => job.whose === "this machine" && this.#isKnown(job) && job.rows.some(isNew);
    const isOpen = (job: Job): boolean => job.end === undefined && !isScheduled(job, read.panelTime);
    const isOnMachine = ({ whose, rows: ofJob }: Job): boolean =>
      whose === "this machine" || ofJob.some(({ id }) => session.claims.machineOf(id) === machine);
    // A part of a failed attempt that never started keeps nothing busy: nothing starts after a failure.
    const isUnderWay = (job: Job): boolean => job.rows.some((row) => hasStarted(row) && !hasEnded(row));
    return {
      jobs,
      fits: besideRestores(ours.filter(({ contradictions }) => contradictions.length === 0)),
      doubtful: [...ours.filter(({ contradictions }) => contradictions.length > 0), ...jobs.filter(isJoined)],
      unsaid: unsaid.filter((job) => job.mayBeRestore),
      isLogAwaited: this.#settledUntil > -Infinity,
      firstParts: unlisted.rowsName(machine) ? [] : unsaid.filter((job) => !job.mayBeRestore && isOpen(job)),
      others: jobs.filter(
        (job) => !job.mayBeRestore && isUnknown(job) && (job.whose === "this machine" || unsaid.includes(job)),
      ),
      busy: jobs.filter((job) => isOnMachine(job) && isOpen(job) && (!this.#isOwn(job) || isUnderWay(job))),
      isAtWork: () =>
        jobs.some(
          (job) => (job.isAbove || isOpen(job)) && !job.rows.some(({ id }) => session.claims.ownerOf(id) !== undefined),
        ),
      isComplete: this.view.isComplete,
    };
  }

  #judge(rows: readonly Row[]): readonly Job[] {
    const { session, request } = this.run;
    const { mark, later } = this.place;
    const jobs = jobsOf(rows, {
      target: request.target,
      mark,
      isLater: later !== undefined,
      above: this.view.above,
      unsure: this.view.unsure,
      isForeign: (link) => session.unlisted.listed.isForeign(link, request.target.virtualMachineId),
      inLog: this.#inLog,
      isSettled: this.#isSettled,
      saysFiles: session.unlisted.saysFiles,
      showsNames: session.unlisted.showsNames(request.target.virtualMachineId),
    });
    return later === undefined ? jobs : jobs.map((job) => this.#withAge(job, later.nearMs));
  }

  /** A row that the read shows at or below the mark. */
  #isNotAbove(read: Read): (id: string) => boolean {
    const { mark } = this.place;
    const { ids: above } = rowsAbove(read, mark);
    const shown = new Set(read.rows.map(({ id }) => id));
    return (id) => !mayBeAbove(id, mark) || (shown.has(id as TransactionId) && !above.has(id));
  }

  /** A later run takes a job that names the recovery point, or was made when the restore was asked for. Any other job may be somebody else's. */
  #withAge(job: Job, nearMs = -Infinity): Job {
    const { recoveryPointId: point } = this.run.request.target;
    const namesPoint = point !== undefined && namePoint(job.rows, point);
    const taken = zonedTime(this.place.mark.takenAt);
    const made = job.rows.flatMap(({ createdAt, startedAt }) => zonedTime(createdAt ?? startedAt) ?? []);
    const says = job.rows.some((row) => saysRestore(row));
    const isNear = says && taken !== undefined && made.length > 0 && Math.min(...made) - taken <= nearMs + clockSlackMs;
    if (namesPoint || isNear) return job;
    const why =
      !says && job.mayBeRestore
        ? "does not say that it is a restore"
        : nearMs === -Infinity
          ? "does not name the recovery point, and came after a failure"
          : made.length === 0 || taken === undefined
            ? "does not say when it was made"
            : "was made long after this restore";
    return { ...job, contradictions: [...job.contradictions, why] };
  }

  /** Known: another restore has the job, or it is a failed attempt. What waits for such a row, and is no restore by its actions, is a part of it. */
  #isKnown(job: Job, isInLog = this.#isInLog(job)): boolean {
    const says = job.rows.some((row) => saysRestore(row));
    const waitsForKnown = ({ after: before }: Row): boolean => before !== undefined && this.#isSettled(before);
    return this.isClaimedByAnother(job, isInLog) || this.#isOwn(job) || (!says && job.rows.some(waitsForKnown));
  }

  #isInLog({ rows }: Job): boolean {
    return rows.some(({ id }) => this.#inLog.has(id));
  }

  /** Another restore of this process has taken it. The guess of a restore of another machine counts until this machine's log names the job. */
  isClaimedByAnother(job: Job, isInLog = this.#isInLog(job)): boolean {
    const { session, owner, request } = this.run;
    const machine = isInLog ? request.target.virtualMachineId : undefined;
    return job.rows.some(({ id }) => session.claims.isClaimedByAnother(id, owner, machine));
  }

  readonly #isSettled = (id: string): boolean =>
    this.run.session.claims.isClaimedByAnother(id, this.run.owner) || this.#isPassedOver(id);

  /** Another restore has taken the job with others, because nothing says whose they are: it may have only one of them. */
  isGuess(job: Job, jobs: readonly Job[]): boolean {
    const taken = this.run.session.claims.takenWith(job.rows[0].id);
    const isSame = (one: Job): boolean => one.whose === "not said" && taken.includes(one.rows[0].id);
    return isSame(job) && jobs.filter(isSame).length > 1;
  }

  #isOwn({ rows }: Job): boolean {
    return rows.some(({ id }) => this.#isPassedOver(id));
  }

  #isPassedOver(id: string): boolean {
    return this.place.passedOver?.includes(id) === true;
  }
}

/** Beside a row that says restore, a row without an action is something else, once it has started: until then it may get its action later. */
export function besideRestores(jobs: readonly Job[], also: readonly Job[] = []): readonly Job[] {
  const says = ({ rows }: Job): boolean => rows.some((row) => saysRestore(row));
  const isQueued = ({ rows }: Job): boolean => !rows.some((row) => hasStarted(row));
  return [...jobs, ...also].some(says) ? jobs.filter((job) => says(job) || isQueued(job)) : jobs;
}

/**
 * The rows that may belong to one machine, as the reads of one wait have shown them. Each read goes down to where the previous read began and to the
 * rows that have not ended, so that the cost of a look does not grow with time; a deep read goes down to the mark, where rows that were listed late
 * may be.
 */
class View {
  /** Without rows of other machines. */
  readonly above = new Set<string>();
  /** Those that no read has shown above the mark for certain. */
  readonly unsure = new Set<string>();
  /** The number of all rows above the mark. */
  countAbove = 0;
  /** Everything above the mark is known: a row at or below the mark was read, and nothing was skipped since. */
  isComplete = false;
  #rows: readonly Row[] = [];
  /** Where the list was at the last read. */
  top: Mark | undefined;

  /** `base`: the mark, or the rows, that a deep read goes down to. */
  constructor(
    private readonly base: Depth,
    private readonly machine: string,
    private readonly listed: Listed,
  ) {}

  /** The rows that have not ended. */
  get open(): readonly string[] {
    const isFollowed = (row: Row): boolean =>
      this.above.has(row.id) || this.base.mark === undefined || whoseRow(row, this.machine) === "this machine";
    return this.#rows.filter((row) => isFollowed(row) && !hasEnded(row)).map(({ id }) => id);
  }

  depth(how: "deep" | "shallow"): Depth {
    const isDeep = how === "deep" || !this.isComplete || this.top === undefined;
    const depth = isDeep ? this.base : { mark: this.top };
    return { ...depth, ids: [...(depth.ids ?? []), ...this.open] };
  }

  /** Takes a read, and returns all rows that are known, newest first. */
  add(read: Read, showsNames: boolean): readonly Row[] {
    const { mark } = this.base;
    const { rows, order } = read;
    const own = showsNames ? this.listed.of(rows, this.machine) : rows;
    const above = mark && rowsAbove(read, mark);
    for (const { id } of own) {
      if (above !== undefined && !above.ids.has(id)) continue;
      if (above?.unsure.has(id) !== true) this.unsure.delete(id);
      else if (!this.above.has(id)) this.unsure.add(id);
      this.above.add(id);
    }
    const more = this.top === undefined ? 0 : rowsAbove(read, this.top).ids.size;
    this.countAbove = Math.max(above?.ids.size ?? rows.length, this.countAbove + more);
    this.isComplete =
      mark === undefined ||
      reachesMark(read, mark) ||
      (this.isComplete && this.top !== undefined && reachesMark(read, this.top));
    this.#rows = inOrder([own, this.#rows.filter(({ id }) => !this.listed.shows(rows, id))], order);
    this.top = read.mark;
    return this.#rows;
  }
}

/** A log further down is not worth the requests. */
const mostLogPages = 10;

/**
 * The transactions that a machine's own log names, down to the first that `isEnough`, or to its end. None where the log says nothing: it cannot be read, is
 * empty, or its newest page names none.
 */
async function namedInLog(
  { client }: Pick<Session, "client">,
  machine: string,
  isEnough: (id: string) => boolean,
): Promise<{ readonly ids: ReadonlySet<string>; readonly reachesMark: boolean }> {
  const ids = new Set<string>();
  let pages = 0;
  try {
    for await (const { items } of client.walkLogItems(machine as MachineId, { perPage: 50 })) {
      const named = items.flatMap((item) => transactionIn(item) ?? []);
      for (const id of named) ids.add(id);
      if (named.some(isEnough)) return { ids, reachesMark: true };
      if (ids.size === 0 || ++pages >= mostLogPages) return { ids, reachesMark: false };
    }
    return { ids, reachesMark: true };
  } catch {
    return { ids, reachesMark: false };
  }
}

function transactionIn({ transactionId, targetId, targetType = "" }: LogItem): string | undefined {
  return transactionId ?? (/^transaction$/i.test(targetType) ? targetId : undefined);
}
