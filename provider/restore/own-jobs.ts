import type { Mark } from "../inputs/intent";
import type { PostAnswer } from "../panel/types";
import type { Job } from "../rows/jobs";
import { namePoint } from "../rows/whose";
import { mayBeAbove, type Row } from "../rows/order";
import type { Finder, Look } from "./finder";
import { appearedText, severalText, unsaidText } from "./messages";
import type { Run } from "./session";

/** By its rows. `named`: the row that a person names with `adopt`. `isGuess`: an earlier run has taken them by their time only. */
export interface FoundByIds {
  readonly by: "ids";
  readonly ids: readonly string[];
  readonly named?: string | undefined;
  readonly isGuess?: boolean | undefined;
}

/** How a restore is identified on the panel. */
export type Found =
  | FoundByIds
  /** The run that has just posted it. */
  | {
      readonly by: "POST";
      readonly mark: Mark;
      /** None yet: the panel may answer only when the restore is done. */
      readonly answer: { readonly current?: PostAnswer };
      /** The number of its POST on this panel. */
      readonly nth: number;
      /** Somebody else was at work on this panel before the POST. */
      readonly isAtWork: boolean;
    }
  /** A later run, of a restore that was posted and never listed. */
  | { readonly by: "mark"; readonly mark: Mark };

/** Which of the panel's jobs are one restore. A recognized job is checked again at every look. */
export class OwnJobs {
  #ids: readonly string[] = [];
  /** Recognized by its time only: no row of this panel names a machine. */
  isGuess: boolean;
  /** The answer named a transaction that is not listed yet: what fits meanwhile may be somebody else's. */
  isAwaited = false;
  /** The first candidate of a guess has ended: what turns up later is nobody's candidate. */
  #isClosed = false;

  constructor(
    private readonly run: Run,
    private readonly found: Found,
    private readonly finder: Finder,
    private readonly onTaken: (text: string | undefined) => void,
  ) {
    this.isGuess = found.by === "ids" && found.isGuess === true;
  }

  /** The jobs of a look. Rows that have joined a job are included. */
  of(look: Look): readonly Job[] {
    const { found } = this;
    if (found.by === "POST") this.#candidates(look, found);
    else if (found.by === "mark" && this.#ids.length === 0) this.#only(look);
    return found.by === "ids" ? jobsOfIds(look.jobs, found) : this.#ownIn(look);
  }

  /** Nothing was posted on this panel since: a row that turns up now is of no later restore. */
  get isLatest(): boolean {
    return this.found.by === "POST" && this.run.session.unlisted.posts === this.found.nth;
  }

  #ownIn({ jobs }: Look): readonly Job[] {
    return jobsOfRows(jobs, this.#ids);
  }

  /**
   * The candidates of the run that posted, above the mark of the POST: the transaction that the answer named; or all jobs that name this machine
   * and may be a restore; or, where nothing on the panel names a machine, what turns up before the next POST and before the first candidate has
   * ended. What turns up later is nobody's candidate.
   */
  #candidates(look: Look, found: Extract<Found, { by: "POST" }>): void {
    const { session, request } = this.run;
    const answer = found.answer.current;
    const said = answer?.kind === "accepted" ? (answer.transactionIds ?? []) : [];
    // An answer with earlier transactions is a list: it names none.
    const ids = said.every((id) => mayBeAbove(id, found.mark)) ? said : [];
    // Another restore may have taken a job since the look.
    const isFree = (job: Job): boolean => !this.finder.isClaimedByAnother(job);
    const named = jobsOfRows(look.jobs, ids).filter(isFree);
    this.isAwaited = ids.length > 0 && named.length === 0;
    if (named.length > 0) {
      this.isGuess = false;
      this.#take(named);
      return;
    }
    const own = this.#ownIn(look).filter(isFree);
    // Behind an answer that denied it, a person may have restored by hand.
    const isDenied = answer?.kind === "denied";
    const namesPoint = ({ rows }: Job): boolean => namePoint(rows, request.target.recoveryPointId ?? "");
    const fits = look.fits.filter((job) => isFree(job) && (!isDenied || namesPoint(job)));
    if (fits.length > 0) {
      this.isGuess = false;
      this.#take(fits, severalText);
      return;
    }
    const rowsName = session.unlisted.rowsName(request.target.virtualMachineId);
    // What the list or the log has shown to be something else is no candidate any more.
    const kept = own.filter((job) => look.unsaid.includes(job));
    const isOpen = answer?.kind === "accepted" && !rowsName && this.isLatest && !this.#isClosed;
    // While it is unknown what is above the mark, the restore may be further down.
    const fresh =
      isOpen && look.isComplete ? look.unsaid.filter((job) => job.contradictions.length === 0 && isFree(job)) : [];
    this.isGuess ||= fresh.length > 0;
    const all = [...new Set([...kept, ...fresh])];
    this.#take(all, unsaidText);
    this.#isClosed ||= all.some(({ end }) => end !== undefined);
  }

  /** The only job that fits. */
  #only({ fits: [only, ...more], isComplete }: Look): void {
    if (only !== undefined && more.length === 0 && isComplete) this.#take([only], appearedText);
  }

  #take(jobs: readonly Job[], text?: (jobs: readonly Job[], panelTime: number) => string | undefined): void {
    const ids = jobs.flatMap(idsOf);
    const isChanged = ids.join() !== this.#ids.join();
    this.#ids = ids;
    const { session, request, owner } = this.run;
    session.claims.claim(ids, owner, this.isGuess ? { guessedFor: request.target.virtualMachineId } : {});
    if (isChanged) this.onTaken(jobs.length === 0 ? undefined : text?.(jobs, this.finder.time));
  }
}

export const jobsOfRows = (jobs: readonly Job[], ids: readonly string[]): readonly Job[] =>
  jobs.filter((job) => idsOf(job).some((id) => ids.includes(id)));

export function showsAll(jobs: readonly Job[], ids: readonly string[]): boolean {
  const shown = new Set(jobs.flatMap(idsOf));
  return ids.every((id) => shown.has(id));
}

export const idsOf = ({ rows }: Job): readonly string[] => rows.map(({ id }) => id);

/** A job that failed, as it was: its restore has not turned out complete since, and no further row has another end. */
export function isStillFailed({ rows, end, failedPart }: Job, ids: readonly string[]): boolean {
  const isAsItWas = (row: Row): boolean => ids.includes(row.id) || row.state === "failed";
  return end === "failed" && failedPart === undefined && rows.every(isAsItWas);
}

/**
 * The jobs of rows that are known. How a row ended that is not shown is unknown: without all of the rows, only what has not ended counts. Once the job of a
 * row that a person names has ended, it is complete if the row is by its word, and nothing is wrong but a failed part, which the person has seen to, or other
 * fields.
 */
export function jobsOfIds(jobs: readonly Job[], { ids, named }: FoundByIds): readonly Job[] {
  const isGood = (row: Row): boolean => row.saysComplete === true;
  const isAccepted = ({ rows, end, failedPart }: Job): boolean =>
    end !== undefined &&
    rows.some((row) => row.id === named && isGood(row)) &&
    (failedPart !== undefined || rows.every(isGood));
  const own = jobsOfRows(jobs, ids);
  if (!showsAll(own, ids) && !own.some(({ end }) => end === undefined)) return [];
  return own.map((job) => (isAccepted(job) ? { ...job, end: "complete" } : job));
}
