import type { Reporter, RestoreResult, ResultSoFar } from "../../provider/restore/result";
import type { CheckAttempt } from "../checks/kind";
import type { Probe } from "../checks/kinds";
import { backToPanel } from "../../provider/engine/messages";
import type { IntendedRequest, Mark } from "../../provider/inputs/intent";
import { isFinished, type RestoreRecord } from "../../provider/inputs/record";
import { parseRestoreInputs } from "../../provider/inputs/restore-inputs";
import { omitUndefined, type Properties } from "../../provider/plain/plain";
import { shortText } from "../../provider/plain/text";
import type { Past } from "../../provider/restore/state";
import type { Run } from "../../provider/restore/session";
import { failuresBefore } from "../judge/asked";
import { type Attempt, endedEvent, type Happened, pointIdOf, transactionOf, whatHappened } from "../judge/history";
import type { PlannedOptions } from "../inputs/wave-texts";
import type { Entry, EntryMark, RestoreEvent } from "../judge/stored";

export interface Core {
  /** `open`: transactions that may keep the machine busy, however far down the list they are. */
  readonly attempt: (run: Run<IntendedRequest>, past?: Past, open?: readonly string[]) => Promise<ResultSoFar>;
  readonly take: (run: Run, transactionId: string, mark: Mark) => Promise<ResultSoFar>;
  readonly resume: (run: Run, record: RestoreRecord) => Promise<ResultSoFar>;
  readonly checkAttempt: (probe: Probe) => CheckAttempt;
}

type WithoutStamps<Event> = Event extends unknown ? Omit<Event, "at" | "entry"> : never;
export type NewEvent = WithoutStamps<RestoreEvent>;

/** Longer messages from the panel would fill the record. */
const longestWhy = 400;

/** Keeps only the first line. The other lines may quote the panel, and the panel's text does not belong in a state. */
export function shortWhy(why: string): string {
  const [first = ""] = why.split("\n");
  return shortText(first, longestWhy);
}

/** The events of one restore: those in its record, and those from this call. */
export class Ledger {
  readonly #events: RestoreEvent[];
  /** The events that were stored before this call. */
  readonly #stored: Set<RestoreEvent>;
  /** True if this call has sent the restore, or has seen it before it ended. */
  isWatched = false;
  /** The key of a mark that is older than everything that this run has sent for the entry. */
  readonly mark: string;
  /** True if no other process can have sent the entry's restore, because this process made the mark. */
  readonly isOwn: boolean;
  readonly name: string;
  readonly entry: Entry;

  constructor(
    of: Pick<Ledger, "name" | "entry" | "events" | "mark" | "isOwn">,
    private readonly wallTime: () => Date,
  ) {
    this.#events = [...of.events];
    this.#stored = new Set(of.events);
    ({ name: this.name, entry: this.entry, mark: this.mark, isOwn: this.isOwn } = of);
  }

  get events(): readonly RestoreEvent[] {
    return this.#events;
  }

  get happened(): ReturnType<typeof whatHappened> {
    return whatHappened(this.#events, this.entry.id);
  }

  /** What this call has added for an entry. */
  added(entry: string): readonly RestoreEvent[] {
    return this.#events.filter((one) => one.entry === entry && !this.#stored.has(one));
  }

  /** True if the restore has ended since the record was stored. */
  get hasEndedNow(): boolean {
    return this.added(this.entry.id).some(({ did }) => did === "ended");
  }

  /** `about`: the id of the entry concerned, if it is not the current entry. */
  add(event: NewEvent, about = this.entry.id, at = this.wallTime().toISOString()): void {
    const last = this.#events.at(-1);
    // A record must fit into one call, so repeated stops for the same reason are recorded once. Of a check's consecutive failures, only the last is kept.
    const isRepeated =
      event.did === "stopped" && last?.did === "stopped" && last.why === event.why && last.sent === event.sent;
    if (isRepeated && last.entry === about) return;
    if (event.did === "checked" && !event.passed) {
      const before = this.happened.counts?.checks.findLast(({ asks }) => asks === event.asks);
      if (before?.passed === false) this.#events.splice(this.#events.indexOf(before), 1);
    }
    this.#events.push({ at, entry: about, ...event });
  }

  /** `isCertain`: it is certain that no process has sent the restore, for example because a search found nothing and the panel then rejected the POST. */
  stop(why: string, isCertain = false): readonly string[] {
    const sent = this.isOwn || isCertain ? { sent: "no" as const } : { sent: "unknown" as const, mark: this.mark };
    this.add({ did: "stopped", ...sent, why: shortWhy(why) });
    return [why];
  }

  /** Drops a POST that only later turned out to be rejected, because a rejected POST is not an attempt. */
  dropUnlistedPost(): void {
    const last = this.#events.at(-1);
    if (last?.did === "posted" && !this.#stored.has(last)) this.#events.pop();
  }

  /** Changes the last attempt's mark, for later searches, or its `adopt`, which once removed may name the same transaction again. */
  changeSent(change: Partial<Pick<Attempt["sent"], "mark" | "adopt">>): void {
    const index = this.#events.findLastIndex(({ did }) => did === "posted" || did === "adopted");
    const sent = this.#events[index];
    if (sent?.did !== "posted" && sent?.did !== "adopted") return;
    const kept = { ...sent, ...change };
    this.#events[index] = kept;
    if (this.#stored.has(sent)) this.#stored.add(kept);
  }
}

/** Why an entry that was requested on another panel is not carried out. */
export function otherPanelText({ panel }: Mark, configured: string): string | undefined {
  if (panel === configured) return undefined;
  return `not sent: it was requested on the panel ${panel}, but the configured panel is ${configured}. ${backToPanel(panel, "triggers or the run")}`;
}

export function requestOf(
  name: string,
  entry: Entry,
  mark: EntryMark,
  options: PlannedOptions,
  urn: string,
): IntendedRequest {
  const kind = entry.paths === undefined ? "VmRestore" : "FileRestore";
  const { machine, point, paths, triggers } = entry;
  const { adopt, timeouts, retryFailed, captureLog } = options;
  const inputs = omitUndefined<Properties>({
    virtualMachineId: machine,
    recoveryPointId: pointIdOf(entry),
    recoveryPoint: typeof point === "string" ? undefined : point,
    ...{ paths, triggers, timeouts, retryFailed, captureLog },
  });
  const { request } = parseRestoreInputs(kind, inputs, "create");
  const intent = { id: entry.id, urn, mark, madeFor: request.target };
  return omitUndefined<IntendedRequest>({ ...request, name, adopt, intent });
}

/** How to search the panel for an earlier attempt. Undefined if nothing can have been sent for this entry, or for a lost request before it. */
export function pastOf(
  { happened: { attempts, counts }, entry, events, isOwn }: Ledger,
  mark: EntryMark,
  isAfterLost: boolean,
  since: number | undefined,
): Past | undefined {
  // Since the failure, someone may have sent the restore again, or restored the machine by hand. New triggers restore the machine regardless.
  const failed = failuresBefore(entry, attempts);
  const last = counts ?? failed.at(-1);
  if (last !== undefined) {
    const failedIds = [...new Set(failed.flatMap(({ ids }) => ids))];
    return omitUndefined<Past>({ mark: last.sent.mark ?? mark, failedIds, doubt: counts ? undefined : "lost", since });
  }
  if (isOwn && !isAfterLost) return undefined;
  // If the entry is recorded as not sent, a match belongs to somebody else or to a later run that was killed, so the user must decide.
  const wasRefused = events.some((event) => event.entry === entry.id && event.did === "stopped" && event.sent === "no");
  const doubt = isAfterLost ? "lost" : wasRefused ? "refused" : undefined;
  return omitUndefined<Past>({ mark, failedIds: [], doubt, since });
}

/** The record of an attempt, from which the core continues. Undefined if nothing was sent. */
export function recordOfAttempt({ counts, state }: Happened, mark: EntryMark): RestoreRecord | undefined {
  if (counts === undefined || state === "not sent") return undefined;
  const { sent, ids, ended, stops } = counts;
  return omitUndefined<RestoreRecord>({
    status: state,
    transactionId: transactionOf(counts),
    transactionIds: ids,
    failedPart: ended?.failedPart,
    adopted: sent.did === "adopted",
    isGuess: stops.at(-1)?.isGuess,
    warnings: [],
    mark: sent.mark ?? mark,
  });
}

/** Records the core's result. Returns why the restore is not complete, worded for the user. */
export function addResult(ledger: Ledger, result: RestoreResult, reporter: Reporter): readonly string[] {
  if (result.kind === "not sent") {
    ledger.dropUnlistedPost();
    return ledger.stop(result.reason, result.isRefused);
  }
  const { record } = result;
  const { status, transactionIds: ids, mark, isGuess } = record;
  // Every transaction that the core finds counts as an attempt.
  if (ledger.happened.counts === undefined) reporter.event?.({ did: "adopted", why: "found", ids });
  reporter.event?.({ did: "listed", ids, isOver: isFinished(status) });
  if (!isFinished(status)) {
    ledger.changeSent({ mark: mark ?? ledger.happened.counts?.sent.mark });
    const reason = result.kind === "stored" ? result.reason : `is ${status}`;
    const why = shortWhy(reason);
    ledger.add({ did: "stopped", sent: ids.length > 0 ? "yes" : "unknown", why, status, isGuess });
    return [reason];
  }
  const ended = endedEvent(status, { ...record, warnings: record.warnings.map(shortWhy) });
  ledger.add({ ...ended, ...(!ledger.isWatched && { isFound: true }) });
  ledger.changeSent({ mark: status === "complete" ? undefined : (mark ?? ledger.happened.counts?.sent.mark) });
  return result.kind === "stored" ? [result.reason] : [];
}
