import { pauseMs, type Read } from "../feed/feed";
import type { RestoreRecord } from "../inputs/record";
import { logTail } from "../panel/mask";
import { isOlder } from "../rows/order";
import { afterPost, beginFollowing, isClosing, reachOfFollowing, whetherNamed } from "./after";
import { beforePost, reachOfLook } from "./before";
import { freshMs } from "./limits";
import { MachineLog, notAbove } from "./machine-log";
import { completeLine, logEnd, subject } from "./messages";
import { type Known, noMark, recognise, type Restore, idsOf } from "./recognise";
import { type Extras, pointsOf, readLog, recordOf, whyNotComplete } from "./record";
import type { RestoreResult, ResultSoFar } from "./result";
import { send, type Sent } from "./send";
import { type Run, tryRead, unknownWords } from "./session";
import type { Action, Decision, EndAction, Following, Look, Sight, State, Terms } from "./state";
import { traceLine } from "./trace";
import { type Reach, View } from "./view";

export interface Beginning {
  readonly base: View["base"];
  readonly begin: (terms: Terms) => State;
  readonly extras?: Partial<Extras>;
  readonly signal?: AbortSignal;
  /** The record of an earlier run, which remains valid until a row of the restore is seen. */
  readonly stored?: RestoreRecord;
}

type Last = EndAction | Extract<Action, { readonly do: "not sent" }>;

/** Carries out one restore: read, recognize, decide, act. */
export class Life {
  #state: State;
  #view: View;
  readonly #log: MachineLog;
  #extras: Extras;
  #sent: Sent | undefined;
  /** This restore's last read. Undefined if the read failed. */
  #lastRead: Read | undefined;
  /** Passes the slot for unlisted restores on to the next restore. Set while this restore has the slot. */
  #leave: (() => void) | undefined;
  #told = "";
  #resolveListed: (state: Following) => void = () => undefined;
  readonly #listed = new Promise<Following>((resolve) => (this.#resolveListed = resolve));

  constructor(
    private readonly run: Run,
    private readonly how: Beginning,
  ) {
    this.#log = new MachineLog(run);
    this.#view = this.#viewFrom(how.base);
    this.#extras = { adopted: false, mark: how.base.mark, warnings: [], ...how.extras };
    this.#state = how.begin(this.#terms);
  }

  #viewFrom(base: View["base"]): View {
    return new View(base, this.run.request.target.virtualMachineId, this.run.session.unlisted.listed);
  }

  get #terms(): Terms {
    const { session, request, totalUntil = Infinity } = this.run;
    const { requestTimeoutMs, words, allowedMachines, clock, shortestListedMs } = session;
    return {
      ...{ request, requestTimeoutMs, totalUntil, words, allowedMachines, mark: this.#view.base.mark },
      quietMs: requestTimeoutMs + Math.max(request.timeouts.listedMs, shortestListedMs),
      ...{ at: clock.now(), wallTime: clock.wallTime(), isHeldUp: clock.isHeldUp, answer: this.#sent?.answer },
    };
  }

  /** With `wait: false`, resolves as soon as the restore is listed. */
  async soFar(): Promise<ResultSoFar> {
    const ended = this.toEnd()
      .then((last) => this.#resultOf(last))
      .finally(() => {
        this.#makeWay();
      });
    if (this.run.request.wait) return { result: await ended };
    const first = await Promise.race([ended, this.#listed]);
    return "kind" in first ? { result: first } : { result: { kind: "good", record: this.recordOf(first) }, ended };
  }

  async toEnd(): Promise<Last> {
    for (let sight: Sight = { read: "nothing" }; ;) {
      const decision = this.#decide(sight);
      const { action } = decision;
      this.run.session.trace?.(traceLine(this.run, sight, decision));
      this.#enter(decision, sight);
      if (action.do === "read") sight = await this.#read(action);
      else if (action.do === "get ready") sight = await this.#getReady(sight as Look);
      else if (action.do === "adopt") sight = this.#adopt(action, sight as Look);
      else if (action.do === "post") sight = await this.#post(sight as Look);
      else return action;
    }
  }

  #decide(sight: Sight): Decision {
    const [state, terms] = [this.#state, this.#terms];
    if (state.is === "looking") return beforePost(state, sight, terms);
    return state.is === "named" ? whetherNamed(state, sight, terms) : afterPost(state, sight, terms);
  }

  /** Claims the restore's own transactions before anything else is read. */
  #enter({ state: next, action, say, warnings = [] }: Decision, sight: Sight): void {
    const { session, owner, reporter } = this.run;
    this.#state = next;
    for (const text of warnings) this.#warn(text);
    if (say !== undefined) reporter.progress(say);
    if (next.is === "looking" && next.busy.length > 0) this.#makeWay();
    if (next.is === "looking" || next.is === "named" || sight.read !== "good") return;
    const ids = idsOf(next.own);
    if (next.by !== "ids" && !next.isHeld) session.claims.claim(ids, owner);
    if (ids.length > 0 && !next.isHeld) this.#makeWay();
    if (action.do !== "read" || next.is === "unlisted" || next.isHeld) return;
    if (ids.join() !== this.#told) reporter.event?.({ did: "listed", ids, isOver: next.own.end !== undefined });
    this.#told = ids.join();
    // If the restore has already ended when it is first seen, it is returned only once its end is final.
    if (next.own.end === undefined) this.#resolveListed(next);
  }

  async #read({ withinMs, by = Infinity }: Extract<Action, { readonly do: "read" }>): Promise<Sight> {
    const { clock, feed } = this.run.session;
    const state = this.#state;
    const began = state.is === "named" ? clock.now() : state.began;
    const usualMs = withinMs ?? pauseMs(clock.now() - began, feed.access.random);
    const inMs = Math.min(usualMs, Math.max(0, by - clock.now()));
    const reach = this.#reach(clock.now() + inMs);
    const read = this.#latest(withinMs) ?? (await tryRead(this.run, this.#view.depth(reach), inMs));
    this.#lastRead = undefined;
    if ("trouble" in read) return { read: "failed", ...read };
    this.#lastRead = read;
    const { mark } = this.#view.base;
    const isMarked = state.is !== "named" && !("by" in state && state.by === "ids");
    if (isMarked && mark && isOlder(read, mark)) return { read: "old" };
    const sight = await this.#look(read, reach.isDeep);
    // A run that is cancelled while it waits sends nothing, so it ends at once.
    const isWaiting = state.is === "looking" && (state.past !== undefined || state.busy.length > 0);
    return isWaiting && !(await this.run.session.isWatched()) ? { ...sight, ready: "unwatched" } : sight;
  }

  /** A first attempt may use any restore's last read if it is fresh enough, such as the read in which the previous restore was listed. */
  #latest(withinMs: number | undefined): Read | undefined {
    const { clock, feed } = this.run.session;
    const state = this.#state;
    const { latest } = feed;
    const isUsable = state.is === "looking" && !state.past && withinMs !== undefined && this.#lastRead !== undefined;
    if (!isUsable || latest === undefined || latest === this.#lastRead) return undefined;
    return clock.now() - latest.answeredAt <= freshMs ? latest : undefined;
  }

  #reach(at: number): Reach {
    const state = this.#state;
    if (state.is === "looking") return reachOfLook(state, at);
    return state.is === "named" ? { isDeep: true } : reachOfFollowing(state);
  }

  /** The machine's log is read only when a decision depends on a row that names no machine. */
  async #look(read: Read, isDeep: boolean): Promise<Look> {
    const { session, request } = this.run;
    const { unlisted, claims } = session;
    const machine = request.target.virtualMachineId;
    const log = this.#log;
    const panelTime = read.panelTime ?? read.wallTime.getTime();
    unlisted.note(read.rows, machine);
    const shown = this.#view.add(read, unlisted.showsNames(machine));
    const restore = this.#restore;
    log.note(shown.rows, panelTime);
    const panel = () => ({ ...unlisted.shownTo(request.target), claims, log, time: read.panelTime });
    const recognised = () => recognise(shown, restore, this.#known, panel());
    let all = recognised();
    if (this.#mayReadLog(read.readAt)) {
      const isOfProgram = (id: string): boolean => restore.failedIds.includes(id) || claims.ownerOf(id) !== undefined;
      const isNotAbove = restore.later && notAbove(read, restore.mark);
      if (await log.read(all.asksLog, shown.rows, panelTime, isOfProgram, isNotAbove)) all = recognised();
    }
    return {
      ...{ ...read, ...shown, ...all, read: "good", isDeep },
      claimed: claims.size,
      log: log.says,
      unknownWords: unknownWords(read.rows, session),
      lost: unlisted.rowsName(machine) ? undefined : unlisted.lost,
    };
  }

  get #isLatest(): boolean {
    return this.#sent?.nth === this.run.session.unlisted.posts;
  }

  #mayReadLog(readAt: number): boolean {
    const state = this.#state;
    if (state.is === "named") return false;
    if (state.is === "looking" || isClosing(state, readAt, this.run)) return true;
    const isAwaited = state.is === "unlisted" && !state.isOnce && state.by !== "ids";
    return isAwaited || (state.isGuess && this.#isLatest);
  }

  get #restore(): Restore {
    const { session, request, owner } = this.run;
    const state = this.#state;
    // The rows of failed attempts never belong to a later attempt.
    const { failedBefore: failedIds = [] } = this.#extras;
    const past = state.is === "looking" ? state.past : undefined;
    const isBehindFailure = past !== undefined && failedIds.length > 0;
    const isLater = past !== undefined || ("by" in state && state.by === "mark");
    const nearMs = isBehindFailure ? -Infinity : session.requestTimeoutMs + request.timeouts.listedMs;
    const later = isLater ? { nearMs } : undefined;
    const mark = this.#view.base.mark ?? noMark;
    // After a failure, the run asks the user about anything that may be newer, so it need not wait for jobs that no restore has claimed.
    const isAfterLost = past?.doubt === "lost" && !isBehindFailure;
    const unrecorded = isAfterLost ? "the previous request" : request.isFollowed ? "a later restore" : undefined;
    return { target: request.target, owner, mark, later, failedIds, unrecorded };
  }

  get #known(): Known {
    const state = this.#state;
    if (state.is === "looking") return { by: "nothing" };
    if (state.is === "named") return { by: "ids", ids: [state.id] };
    const { by, ids, named, isGuess, own } = state;
    if (by === "ids") return { by, ids, named, isGuess };
    return by === "mark" ? { by, own } : { by, answer: this.#sent?.answer, own, isLatest: this.#isLatest, isGuess };
  }

  /** Takes the slot for unlisted restores. After a wait, the last read is discarded, because its rows may belong to restores that had the slot earlier. */
  async #getReady(sight: Look): Promise<Sight> {
    const { clock, unlisted, isWatched } = this.run.session;
    if (!this.#leave) {
      const [askedAt, isTaken] = [clock.now(), unlisted.isTaken];
      this.#leave = await unlisted.enter(this.run.request.target.virtualMachineId, this.how.signal);
      if (isTaken) return { read: "nothing", waitedMs: clock.now() - askedAt };
    }
    // Checks whether the engine is still running, because this process may outlive it.
    return { ...sight, ready: (await isWatched()) ? "watched" : "unwatched" };
  }

  /** Frees the slot once the restore has a candidate, waits for something else, or will not be sent. */
  #makeWay(): void {
    this.#leave?.();
    this.#leave = undefined;
  }

  /** Posts the restore. The page that shows that the machine is free becomes the mark. */
  async #post({ mark, isAtWork }: Look): Promise<Sight> {
    this.#sent = send(this.run);
    await this.#sent.soFar;
    const kind = this.#sent.answer?.kind;
    const answer = kind === "accepted" ? "accepted" : "unknown";
    if (kind !== "refused") this.run.reporter.event?.({ did: "posted", answer, mark });
    this.#begin(beginFollowing("POST", this.run.session.clock.now(), { isAtWork }), { mark }, { mark });
    return { read: "nothing" };
  }

  /** Adopts a job on the panel as this restore. The job is claimed at once, so that no other restore adopts it after the same read. */
  #adopt({ jobs, text, why }: Extract<Action, { readonly do: "adopt" }>, { claimed }: Look): Sight {
    const { session, owner, reporter, request } = this.run;
    const rows = jobs.flatMap((job) => job.rows);
    const ids = rows.map(({ id }) => id);
    // Another restore may have claimed the job since this read, which the next read will show.
    if (session.claims.size !== claimed) return { read: "nothing" };
    session.claims.claim(ids, owner);
    // A point's id is not masked in a row, because it is compared.
    this.#warn(session.redact(text));
    const points = pointsOf(rows, this.run);
    reporter.event?.({ did: "adopted", why, ids, points });
    const isNamed = why === "named";
    const mark = this.#extras.mark ?? this.#lastRead?.mark;
    // Whoever names a transaction that is still running cannot know its outcome.
    const named = isNamed && jobs.every(({ end }) => end !== undefined) ? request.adopt : undefined;
    const next = beginFollowing("ids", session.clock.now(), { ids, named });
    const base = { ...(!isNamed && { mark }), around: ids };
    this.#begin(next, base, { adopted: true, adoptedPoint: points[0], mark });
    return { read: "nothing" };
  }

  #begin(state: State, base: View["base"], extras: Partial<Extras>): void {
    this.#state = state;
    this.#view = this.#viewFrom(base);
    this.#extras = { ...this.#extras, ...extras };
  }

  #warn(text: string): void {
    const { warnings } = this.#extras;
    if (warnings.includes(text)) return;
    this.#extras = { ...this.#extras, warnings: [...warnings, text] };
    this.run.reporter.warn(text);
  }

  recordOf(state: Following, log?: string): RestoreRecord {
    const { stored } = this.how;
    if (stored && state.own.rows.length === 0) return { ...stored, warnings: this.#extras.warnings };
    return recordOf(this.run.request, state, this.#extras, log);
  }

  async #resultOf(last: Last): Promise<RestoreResult> {
    if (last.do === "not sent")
      return { kind: "not sent", reason: last.reason, isRefused: this.#sent?.answer?.kind === "refused" };
    const { session, request, reporter } = this.run;
    const { own, by } = last.state;
    if (own.rows.length === 0 && by !== "ids") session.unlisted.lost ??= subject(request);
    const log = await readLog(this.run, own);
    const record = this.recordOf(last.state, log);
    if (record.status === "complete") {
      reporter.progress(completeLine(record));
      return { kind: "good", record };
    }
    const tail = log === undefined ? [] : logTail(log, session.redact);
    if (tail.length > 0) reporter.warn(logEnd(tail));
    return { kind: "stored", record, reason: whyNotComplete(this.run, record, last) };
  }
}
