import type { Mark } from "../inputs/intent";
import type { PostAnswer } from "../panel/types";
import { zonedTime } from "../plain/clock";
import {
  clockSlackMs,
  type Contradiction,
  type End,
  hasStarted,
  hasEnded,
  isOpen,
  type Job,
  jobsOf,
  type Judging,
  mayBeRestore,
  saysRestore,
} from "../rows/jobs";
import { namedAbove, type Row } from "../rows/order";
import { namePoint } from "../rows/whose";
import type { Claims } from "./session";
import type { Shown } from "./view";

export interface Restore extends Pick<Judging, "target" | "mark"> {
  readonly owner: string;
  /** Set in runs with no record of the POST. Such runs adopt only jobs that name the point or, except after a failure, were created within `nearMs` of the mark. */
  readonly later?: { readonly nearMs?: number } | undefined;
  readonly failedIds: readonly string[];
  readonly unrecorded?: Unrecorded | undefined;
}

/** What may be running on the machine without a record: the previous request for this restore, or a later restore of the machine. */
type Unrecorded = "the previous request" | "a later restore";

export interface Panel extends Required<Pick<Judging, "showsNames" | "saysFiles" | "isForeign">> {
  readonly claims: Pick<Claims, "isClaimedByAnother" | "claimedWith" | "ownerOf" | "machineOf">;
  /** The rows that the machine's own log names, and those that it would name by now if they belonged to this machine. */
  readonly log: { readonly names: ReadonlySet<string>; readonly rulesOut: (job: Job) => boolean };
  /** True if this panel's rows name machines in the same form (digits or letters) as this machine's name. */
  readonly namesMachines: boolean;
  /** True if any row's action names a restore of this kind. */
  readonly saysRestore: boolean;
  readonly time: number | undefined;
}

/** What is known about the restore's own transactions. `own`: those found by the previous read. */
export type Known =
  /** Nothing has been posted yet, except perhaps by an earlier attempt. */
  | { readonly by: "nothing" }
  | {
      readonly by: "POST";
      /** Absent at first, because some panels answer only after the restore has ended. */
      readonly answer: PostAnswer | undefined;
      readonly own: Seen;
      /** True if nothing else has been posted to this panel since then, so that a new row cannot belong to a later restore. */
      readonly isLatest: boolean;
      readonly isGuess: boolean;
    }
  /** For a later run that searches for a restore that was posted but never listed. */
  | { readonly by: "mark"; readonly own: Seen }
  /** `named`: the row that `adopt` specifies. */
  | {
      readonly by: "ids";
      readonly ids: readonly string[];
      readonly named?: string | undefined;
      readonly isGuess?: boolean;
    };

/** The restore's own jobs, according to a read. `differs`: the jobs ended differently. */
export interface Seen {
  readonly jobs: readonly Job[];
  readonly rows: readonly Row[];
  readonly end?: End | "differs";
  /** The top of the list at the time when the restore's end became final. Absent if a row above the old mark may be newer. The next attempt searches above this mark. */
  readonly nextMark?: Mark;
}

/** How a job relates to one restore. `contradicted`: a fact excludes the job. `unsaid`: nothing shows which machine the job belongs to. */
type Fit = "fits" | "contradicted" | "unsaid" | "other work" | "none";

export interface Judged extends Job {
  readonly verdict: "mine" | "maybe" | "not mine";
  readonly fit: Fit;
  readonly why: readonly string[];
  /** Whether the job keeps the machine busy: `yes` if that is certain, otherwise the kind of unrecorded work that the job may be. */
  readonly busy: "yes" | Unrecorded | undefined;
  readonly isTaken: boolean;
}

export interface Recognised {
  readonly jobs: readonly Judged[];
  /** True if jobs are treated as this restore only because of when they appeared. */
  readonly isGuess: boolean;
  /** Why jobs are treated as this restore although there is no proof, or although several jobs may be the restore. */
  readonly taken: "unsaid" | "several" | "appeared" | undefined;
  /** True if rows of no known restore show that others use this panel. False after this process's next POST, because such rows may belong to that POST. */
  readonly isAtWork: boolean;
  /** Rows that name no machine but may be in this machine's log. */
  readonly asksLog: readonly Row[];
}

export const noMark: Mark = { panel: "", ended: [] };

export function recognise(shown: Shown, restore: Restore, known: Known, panel: Panel): Recognised {
  const eye = new Eye(shown, restore, panel);
  const found = eye.jobs(known);
  const { mine, isGuess, taken } = ownOf(found, known, eye);
  const jobs = found.map((job): Judged => {
    const own = mine.find((one) => one.main === job.main);
    const verdict = own ? "mine" : job.fit === "none" ? "not mine" : "maybe";
    const isTaken = eye.isTaken(job) && !eye.isGuessOfAnother(job, found);
    return { ...(own ?? job), verdict, isTaken, busy: eye.busy(job) };
  });
  const isOthers = (job: Judged): boolean =>
    (known.by === "nothing" || job.verdict !== "mine") && eye.isNobodys(job) && (job.isAbove || eye.isOpen(job));
  const mayTell = known.by !== "POST" || known.isLatest;
  return { jobs, isGuess, taken, isAtWork: mayTell && jobs.some(isOthers), asksLog: eye.asksLog(found) };
}

type Fitting = Pick<Judged, "fit" | "why">;
type Fitted = Job & Fitting;

class Eye {
  constructor(
    readonly shown: Shown,
    readonly restore: Restore,
    readonly panel: Panel,
  ) {}

  jobs(known: Known): readonly Fitted[] {
    const { shown, restore, panel } = this;
    const { above, unsure } = shown;
    const { target, mark, later } = restore;
    const { showsNames, saysFiles, isForeign, log, claims } = panel;
    // This restore's own record may be a guess, which a later read may show to be wrong.
    const isOfMachine = (id: string): boolean =>
      log.names.has(id) || (this.#isKnownRow(id) && claims.machineOf(id) === target.virtualMachineId);
    const formed = jobsOf(shown.rows, {
      ...{ target, mark, isLater: later !== undefined, above, unsure, showsNames, saysFiles, isForeign },
      ...{ isOfMachine, isKnownRow: this.#isKnownRow, together: this.namedBy(known) },
    });
    const aged =
      restore.later === undefined ? formed : formed.map((job) => ({ ...job, contradictions: this.#withAge(job) }));
    const fitted = aged.map((job): Fitted => ({ ...job, ...this.#fit(job, aged, known), readAt: this.panel.time }));
    const fits = besideRestores(fitted.filter(({ fit }) => fit === "fits"));
    return fitted.map((job) =>
      job.fit === "fits" && !fits.includes(job) ? { ...job, fit: "none", why: ["another job is a restore"] } : job,
    );
  }

  /** The transactions that are named as this restore's own or, before the POST, as those of failed attempts. */
  namedBy(known: Known): readonly string[] {
    const { mark, failedIds } = this.restore;
    if (known.by !== "POST") return known.by === "ids" ? known.ids : failedIds;
    return known.answer?.kind === "accepted" ? namedAbove(known.answer.transactionIds ?? [], mark) : [];
  }

  #fit(job: Job, jobs: readonly Job[], known: Known): Fitting {
    const { restore, shown, panel } = this;
    const { whose, contradictions } = job;
    const isOwn = whose === "this machine";
    const isKnown = this.#isKnown(job);
    // A panel may put all of a machine's jobs into one chain.
    const isNew = (row: Row): boolean => saysRestore(row) && shown.above.has(row.id) && !this.#isKnownRow(row.id);
    if (isOwn && isKnown && job.rows.some(isNew)) return { fit: "contradicted", why: ["is linked to a known job"] };
    if (!job.isAbove) return none("was there before this restore");
    if (isKnown && !(restore.later !== undefined && this.isGuessOfAnother(job, jobs)))
      return none("is another restore of this program, or a failed attempt");
    if (!isOwn && panel.log.rulesOut(job)) return none("is not in the machine's log");
    const against = [...contradictions, ...(isOwn ? [] : ["names no machine"])];
    if (mayBeRestore(job))
      return { fit: !isOwn ? "unsaid" : contradictions.length > 0 ? "contradicted" : "fits", why: against };
    // A panel may have its own word for a restore.
    const isFirstPart = !isOwn && !panel.namesMachines && this.isOpen(job);
    // A failed attempt also shows the panel's word. Otherwise, a later run asks the user about an unknown word, because a panel may have several.
    const isUnknown = isOwn && restore.later !== undefined && job.does === "unknown";
    const isWordKnown = (panel.saysRestore && !isUnknown) || jobsOfRows(jobs, restore.failedIds).some(saysRestore);
    const isPerhaps = !isWordKnown || namePoint(job.rows, restore.target.recoveryPointId ?? "0");
    const isSent = known.by === "POST" || known.by === "mark";
    return isFirstPart || isPerhaps || (isSent && isOwn)
      ? { fit: "other work", why: [...new Set(["is not identified as a restore", ...against])] }
      : none("does something else");
  }

  /** A later run adopts only a job that names the recovery point or was created at the time of the request. Any other job may be somebody else's. */
  #withAge(job: Job): readonly Contradiction[] {
    const { target, mark, later } = this.restore;
    const point = target.recoveryPointId;
    const made = job.rows.map(({ createdAt, startedAt }) => zonedTime(createdAt ?? startedAt) ?? Infinity);
    const sinceMark = Math.min(...made) - (zonedTime(mark.takenAt) ?? -Infinity);
    const isNear = saysRestore(job) && sinceMark <= (later?.nearMs ?? -Infinity) + clockSlackMs;
    const namesPoint = point !== undefined && namePoint(job.rows, point);
    // Somebody may have restored other files from the same point.
    const isProven = namesPoint && (target.kind === "VmRestore" || job.rows.some(({ paths }) => paths !== undefined));
    // A job that is already contradicted needs no further reason.
    if (isProven || isNear || job.contradictions.length > 0) return job.contradictions;
    if (!saysRestore(job)) return ["is not identified as a restore"];
    return [namesPoint ? "does not list its paths" : "does not name the recovery point"];
  }

  /** True for jobs that another restore has claimed, for failed attempts, and for other work that waits for a row of either. */
  #isKnown(job: Job): boolean {
    const waitsForKnown = ({ after }: Row): boolean => after !== undefined && this.#isKnownRow(after);
    return (
      this.isTaken(job) || hasAny(job, this.restore.failedIds) || (!saysRestore(job) && job.rows.some(waitsForKnown))
    );
  }

  /** True if another restore of this process has claimed the job. */
  isTaken = (job: Job): boolean =>
    idsOf(job).some((id) => this.panel.claims.isClaimedByAnother(id, this.restore.owner));

  /** True if another restore has claimed this job together with others, because nothing shows which of them is its own. */
  isGuessOfAnother(job: Job, jobs: readonly Job[]): boolean {
    const alike = jobsOfRows(jobs, this.panel.claims.claimedWith(job.rows[0].id));
    return (
      this.isTaken(job) && job.whose === "not said" && alike.filter(({ whose }) => whose === "not said").length > 1
    );
  }

  readonly #isKnownRow = (id: string): boolean =>
    this.panel.claims.isClaimedByAnother(id, this.restore.owner) || this.restore.failedIds.includes(id);

  isNobodys = (job: Job): boolean => idsOf(job).every((id) => this.panel.claims.ownerOf(id) === undefined);

  isOpen = (job: Job): boolean => isOpen(job, this.panel.time);

  busy(job: Job): Judged["busy"] {
    // A part of a failed attempt keeps the machine busy only if the part has started, because nothing starts after a failure.
    const isUnderWay = (): boolean => job.rows.some((row) => hasStarted(row) && !hasEnded(row));
    if (!this.isOpen(job) || (hasAny(job, this.restore.failedIds) && !isUnderWay())) return undefined;
    if (job.whose === "this machine") return "yes";
    // On a panel whose rows name no machine, any job may be the unrecorded work.
    const { unrecorded } = this.restore;
    const mayBeIt = !this.panel.namesMachines && mayBeRestore(job) && this.isNobodys(job);
    return mayBeIt && (unrecorded !== "a later restore" || !job.isAbove) ? unrecorded : undefined;
  }

  asksLog(jobs: readonly Job[]): readonly Row[] {
    const isAsked = (job: Job): boolean =>
      job.whose === "not said" &&
      !this.#isKnown(job) &&
      // Any running job may keep the machine busy.
      (job.end === undefined || (mayBeRestore(job) && job.isAbove));
    return jobs.filter(isAsked).flatMap(({ rows }) => rows);
  }
}

const none = (why: string): Fitting => ({ fit: "none", why: [why] });

type Own = Pick<Recognised, "isGuess" | "taken"> & { readonly mine: readonly Fitted[] };

/** Decides which of the jobs are the restore. Re-evaluated on every read. */
function ownOf(jobs: readonly Fitted[], known: Known, eye: Eye): Own {
  const fits = jobs.filter(({ fit }) => fit === "fits");
  const sure = { isGuess: false, taken: undefined };
  switch (known.by) {
    case "nothing":
      return { ...sure, mine: fits };
    case "ids": {
      const mine = jobsOfIds(jobs, known.ids, known.named);
      const isSaid = mine.length > 0 && mine.every(({ whose }) => whose === "this machine");
      return { isGuess: !isSaid && known.isGuess === true, taken: undefined, mine };
    }
    case "mark":
      if (known.own.rows.length > 0) return { ...sure, mine: jobsOfRows(jobs, idsOf(known.own)), taken: "appeared" };
      // The only job that fits, or none.
      return { ...sure, mine: fits.length === 1 && eye.shown.isComplete ? fits : [], taken: "appeared" };
    case "POST":
      return ofPost(jobs, known, eye);
  }
}

/** The jobs above the POST's mark that the answer names; otherwise, those that name this machine; otherwise, the new jobs up to the next POST. */
function ofPost(jobs: readonly Fitted[], known: Extract<Known, { by: "POST" }>, eye: Eye): Own {
  const { answer, own, isLatest, isGuess } = known;
  const { shown, panel, restore } = eye;
  const isFree = (job: Job): boolean => !eye.isTaken(job);
  const ids = eye.namedBy(known);
  if (ids.length > 0) {
    const mine = jobsOfIds(jobs, ids).filter(isFree);
    // A panel may name only the restore's first part, such as a stop, and that part's end says nothing about the restore.
    const isPart = mine.length > 0 && mine.every(({ does }) => does === "other");
    // If the answer names transactions, no other job is the restore, even if those transactions are not listed.
    if (!isPart) return { isGuess: false, taken: undefined, mine };
  }
  const free = jobs.filter((job) => job.fit === "fits" && isFree(job));
  // After a response that denied the restore, someone may have restored the machine by hand.
  const isDenied = answer?.kind === "denied";
  const namesPoint = ({ rows }: Job): boolean => namePoint(rows, restore.target.recoveryPointId ?? "");
  const fits = isDenied && !free.some(namesPoint) ? [] : free;
  if (fits.length > 0) return { isGuess: false, taken: fits.length > 1 ? "several" : undefined, mine: fits };
  const unsaid = jobs.filter((job) => job.fit === "unsaid" && isFree(job));
  const mayGuess = answer?.kind === "accepted" && !panel.namesMachines && isLatest;
  // As long as some rows above the mark are unknown, one of them may be the restore. Once a candidate has ended, no further job becomes a candidate.
  const isOpen = shown.isComplete && own.jobs.every(({ end }) => end === undefined);
  const fresh = mayGuess && isOpen ? unsaid.filter(({ contradictions }) => contradictions.length === 0) : [];
  // A job that the list or the log has shown to be something else is no longer a candidate.
  const mine = [...new Set([...jobsOfRows(unsaid, idsOf(own)), ...fresh])];
  return { isGuess: isGuess || mine.length > 0, taken: "unsaid", mine };
}

export const jobsOfRows = <T extends Job>(jobs: readonly T[], ids: readonly string[]): readonly T[] =>
  jobs.filter((job) => hasAny(job, ids));

export const hasAny = (job: Job, ids: readonly string[]): boolean => idsOf(job).some((id) => ids.includes(id));

export function showsAll(jobs: readonly Job[], ids: readonly string[]): boolean {
  const shown = new Set(jobs.flatMap(idsOf));
  return ids.every((id) => shown.has(id));
}

export const idsOf = ({ rows }: { readonly rows: readonly Row[] }): readonly string[] => rows.map(({ id }) => id);

/** The jobs with these ids; none if rows are missing and no job is unfinished. With `adopt`, a job is complete if the named row is, even if a part had failed. */
export function jobsOfIds<T extends Job>(jobs: readonly T[], ids: readonly string[], named?: string): readonly T[] {
  const isGood = ({ saysComplete }: Row): boolean => saysComplete === true;
  const isAccepted = ({ rows, end, failedPart }: Job): boolean =>
    end !== undefined &&
    rows.some((row) => row.id === named && isGood(row)) &&
    rows.every((row) => isGood(row) || (failedPart !== undefined && ids.includes(row.id)));
  const own = jobsOfRows(jobs, ids);
  if (!showsAll(own, ids) && !own.some(({ end }) => end === undefined)) return [];
  return own.map((job) => (isAccepted(job) ? { ...job, end: "complete" } : job));
}

/** If any job is identified as a restore, leaves out jobs that have started without an action. A job that has not started may still get an action. */
export function besideRestores<T extends Job>(jobs: readonly T[], also: readonly Job[] = []): readonly T[] {
  const isQueued = ({ rows }: Job): boolean => !rows.some(hasStarted);
  return [...jobs, ...also].some(saysRestore) ? jobs.filter((job) => saysRestore(job) || isQueued(job)) : jobs;
}
