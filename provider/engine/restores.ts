import { checkAllowed, checkRestore, type CheckResult } from "../inputs/check-restore";
import {
  type IntendedRequest,
  type Intent,
  makingProcessOf,
  type Mark,
  type ReplacedIntent,
  type RestoreRequest,
} from "../inputs/intent";
import { isFailure, isFinished, readRestoreRecord, type RestoreRecord } from "../inputs/record";
import { intentUrnOf, nameInUrn, restoreUrnOf } from "../inputs/resource-names";
import {
  parseRestoreInputs,
  readIntent,
  type RestoreInputs,
  readStoredIntent,
  type StoredIntent,
} from "../inputs/restore-inputs";
import { decidingInputs, meansSame, type RestoreKind } from "../inputs/restore-table";
import { containsUnknown, knownLater, type TimeoutOperation } from "../inputs/read-values";
import { isDecimalId } from "../panel/types";
import { isObject, omit, type Properties } from "../plain/plain";
import { readText } from "../plain/stored-fields";
import { attempt, refresh, resume, take } from "../restore/begin";
import { adoptUnusedText, endedText, subject } from "../restore/messages";
import type { RestoreResult, ResultSoFar } from "../restore/result";
import { beginRun, type Run, type Session } from "../restore/session";
import type { Past } from "../restore/state";
import { mayBeAbove } from "../rows/order";
import { requireCheckpoints, requirePrevious } from "./intents";
import { diffRestore, type DiffResult, isAttemptedAgain } from "./diff-restore";
import { rowReporter } from "./engine-log";
import {
  adoptedBeforeText,
  elsewhereText,
  forgottenText,
  noIntentText,
  noPointText,
  notConnectedText,
  nothingRestoredText,
  otherIntentText,
  type HowSent,
  overwritesText,
  staysText,
  perhapsSentText,
  refreshFailedText,
  takenBackText,
  takesText,
} from "./messages";
import { resourceIdOf, outputsOf, StoredFailure } from "./outputs";
import type { ProviderProcess } from "./process";
import type { Operations } from "./sanitize";

/** What one engine call for an intent leaves behind for later calls in the same process. */
interface Remembered {
  /** The record that `diff` saw. If the engine creates the resource again under the same intent, `create` continues from this record. */
  stored?: RestoreRecord;
  /** The value of `adopt` when that record was stored. An unchanged value has no further effect. */
  storedAdopt?: unknown;
  /** The last record of an earlier request that this request replaces. Later requests that left no record may have come in between. */
  before?: RestoreRecord;
  /** The intents of those requests in between, newest first. */
  between?: readonly ReplacedIntent[];
  /** The mark of the first intent in between, if a change was reverted, so that the last record belongs to the same request as this one. */
  lost?: Mark | undefined;
  /** The outcome of `create`. A process carries out an intent only once, however often the engine calls. */
  outcome?: Promise<ResultSoFar>;
  /** The transactions that `create` found again instead of restoring. */
  foundAgain?: readonly string[];
}

/** The operations of a VmRestore or a FileRestore: connects the engine's calls to the life of a restore. */
export class RestoreOperations implements Operations {
  readonly #memory = new Map<string, Remembered>();
  /** The URNs of restores whose preview line this process has already logged. */
  readonly #announced = new Set<string>();
  /** False during a refresh, which also compares the rows of replaced restores, but sends nothing. */
  #mayReplace = false;
  /** The URNs of restores that this run replaces. */
  readonly #replaced = new Set<string>();

  constructor(
    private readonly kind: RestoreKind,
    private readonly process: ProviderProcess,
  ) {}

  check(olds: unknown, news: unknown): CheckResult {
    this.#mayReplace = true;
    const given = isObject(news) ? news : {};
    const result = checkAllowed(this.process, checkRestore(this.kind)(olds, news));
    const intent = readStoredIntent(given["__intent"]);
    const isNew = !isObject(olds) || Object.keys(olds).length === 0;
    if (!isNew || intent?.urn === undefined || result.failures.length > 0) return result;
    const urn = restoreUrnOf(intent.urn, this.kind, this.process.types);
    const isPerhapsSent =
      (this.#isKept(given["__intent"]) || this.#isLost(this.process.replacedIntents.get(intent.urn))) &&
      given["adopt"] === undefined &&
      this.#of(intent.id).stored === undefined;
    // If `diff` replaces a resource, the engine checks it again, but `diff` has already logged the line with the reason.
    if (!this.#announced.has(urn)) this.#announce(urn, result.inputs, { isPerhapsSent });
    if (isPerhapsSent) this.process.engineLog.warn(urn, perhapsSentText);
    return result;
  }

  diff(_id: string, olds: Properties, news: Properties): DiffResult {
    const intent = readStoredIntent(olds["__intent"]);
    const record = readRestoreRecord(olds);
    const result = diffRestore(olds, news);
    const { replaces = [] } = result;
    if (intent) {
      this.process.settledIntents.add(intent.id);
      Object.assign(this.#of(intent.id), { stored: record, storedAdopt: olds["adopt"] });
      const next = readIntent(news["__intent"]);
      const isReplaced = next !== undefined && next.id !== intent.id;
      const { replaced = [] } = next?.mark ?? {};
      if (isReplaced)
        Object.assign(this.#of(next.id), { before: record, between: unrecorded(replaced, intent.id, record) });
      // A new intent for the same restore may adopt the old transactions: they may still be running or, after a failure, have been rerun on the panel.
      const isSame = decidingInputs.every((input) => meansSame(input, olds[input], news[input]));
      const isBad = isFinished(record.status) && record.status !== "complete";
      const isOfNext = isReplaced && replaced.length > 0 && isSame && (isBad || replaces.length === 0);
      const owner = { ...intent, ...(isOfNext && { id: next.id }) };
      claimIfConnected(this.process, record, owner, readText(olds["virtualMachineId"]));
    }
    const { id: nextId = "", urn: intentUrn = intent?.urn } = readStoredIntent(news["__intent"]) ?? {};
    const isSameRequest = replaces.every((name) => name === "status");
    const lost = this.#of(nextId).between?.findLast(({ id }) => id !== intent?.id);
    this.#of(nextId).lost = isSameRequest ? lost?.mark : undefined;
    if (intent?.urn === undefined || intentUrn === undefined || !this.#mayReplace) return result;
    // The stored intent has the name that the restore had then. An alias may have renamed both since.
    const urn = restoreUrnOf(intentUrn, this.kind, this.process.types);
    if (replaces.length === 0) {
      const isStuck = isFinished(record.status) && record.status !== "complete" && news["adopt"] === olds["adopt"];
      if (!isStuck) return result;
      this.process.engineLog.warn(urn, staysText(record));
      return result;
    }
    this.#replaced.add(urn);
    const isRetry = replaces.includes("status");
    const named = readText(news["adopt"]);
    // An unknown value may turn out to be unchanged, so only a known change shows that this is another request.
    const isOther = !isRetry && replaces.some((name) => !containsUnknown(news[name]));
    if (isOther && named !== undefined && record.transactionIds.includes(named))
      throw new Error(adoptedBeforeText(nameInUrn(urn), named));
    // An unchanged `adopt` has no effect on another attempt under the same intent.
    const isUnnamed = isRetry && news["adopt"] === olds["adopt"];
    const unknown = replaces.filter((name) => containsUnknown(news[name]));
    const again = { replaces, unknown, transactionIds: record.transactionIds };
    const how = { again, isPerhapsSent: this.#isKept(news["__intent"]), warns: isUnasked(replaces) };
    this.#announce(urn, isUnnamed ? omit(news, "adopt") : news, how);
    return result;
  }

  async create(inputs: Properties): Promise<{ id: string; outs: Properties }> {
    const call = readCall(this.kind, inputs, "create", this.process);
    const isFollowed = inputs["__followed"] === true && this.#replaced.has(call.urn ?? "");
    const request = { ...intendedRequest(call, this.process), isFollowed };
    const remembered = this.#of(request.intent.id);
    const run = beginCall(this.process, call, request);
    remembered.outcome ??= carryOut(run, remembered, this.#pastOf(request));
    const { result } = await remembered.outcome;
    if (result.kind === "not sent") throw new Error(result.reason);
    if (result.kind === "stored")
      throw new StoredFailure(resourceIdOf(result.record), outputsOf(inputs, result.record), result.reason);
    return { id: resourceIdOf(result.record), outs: outputsOf(inputs, result.record) };
  }

  async update(id: string, olds: Properties, news: Properties): Promise<{ outs: Properties }> {
    const call = readCall(this.kind, news, "update", this.process);
    const record = readRestoreRecord(olds);
    const named = call.request.adopt === olds["adopt"] ? undefined : call.request.adopt;
    const { id: formerId } = readStoredIntent(olds["__intent"]) ?? {};
    const { lost } = this.#of(call.owner);
    const done = await continueStored(this.process, call, record, named, lost);
    const isOver = named === undefined && done.kind === "good" && done.record.status === "complete";
    const result = isOver && lost !== undefined ? await unlessSent(this.process, call, done.record, lost) : done;
    // If `--target` leaves the intent out, it may still be the intent of a request that left no record.
    const isOther = call.intent !== undefined && differingFrom(call.intent, call.request).length > 0;
    const made = isOther && call.owner !== formerId ? { ...news, __intent: olds["__intent"] } : news;
    if (result.kind === "good") return { outs: outputsOf(made, result.record) };
    const stored = result.kind === "stored" ? result.record : record;
    // If the transaction in `adopt` was not adopted, the old value of `adopt` stays stored, so that the next run treats the new value as a change.
    const isUnused = named !== undefined && stored === record;
    // With the old intent, the next run searches again.
    const isOpen = lost !== undefined && (named === undefined || isUnused);
    const kept = { ...(isUnused && { adopt: olds["adopt"] }), ...(isOpen && { __intent: olds["__intent"] }) };
    throw new StoredFailure(id, outputsOf({ ...news, ...kept }, stored), result.reason);
  }

  /** Called for a refresh. A finished restore needs no panel; an unfinished restore's status is read from the panel. */
  async read(id: string, outputs: Properties): Promise<{ id: string; props: Properties }> {
    const record = readRestoreRecord(outputs);
    if (isFinished(record.status) || record.transactionIds.length === 0) return { id, props: outputs };
    const call = readCall(this.kind, outputs, "update", this.process);
    const run = beginCall(this.process, call, call.request);
    // The engine refreshes all restores concurrently, and another restore must not mistake this transaction for its own.
    run.session.claims.claim(record.transactionIds, call.owner, { machine: call.request.target.virtualMachineId });
    const { address } = run.session.client;
    const panel = record.mark?.panel ?? readStoredIntent(outputs["__intent"])?.panel;
    if (panel !== undefined && panel !== address) throw new Error(elsewhereText(subject(call.request), panel, address));
    const now = await refresh(run, record).catch((error: unknown) => {
      throw new Error(refreshFailedText(call.request, error));
    });
    return { id, props: outputsOf(outputs, now) };
  }

  /** Forgets the restore and sends nothing. */
  delete(_id: string, outputs: Properties): void {
    // Only the intent and the record are read, so that a state edited by hand cannot block a destroy.
    const intent = readStoredIntent(outputs["__intent"]);
    const record = readRestoreRecord(outputs);
    if (intent !== undefined) this.process.settledIntents.add(intent.id);
    const again = intent && this.#of(intent.id).foundAgain?.find((id) => record.transactionIds.includes(id));
    if (intent !== undefined && again !== undefined) {
      const { types } = this.process;
      const own = restoreUrnOf(intent.urn ?? "", this.kind, types);
      const both = intent.urn === undefined ? [] : [own, intentUrnOf(own, this.kind, types)];
      throw new Error(nothingRestoredText(nameInUrn(own), again, both));
    }
    if (isFinished(record.status) || intent?.urn === undefined) return;
    const urn = restoreUrnOf(intent.urn, this.kind, this.process.types);
    this.process.engineLog.warn(urn, forgottenText(nameInUrn(urn), record));
  }

  /** True if an earlier run made the intent, and may have sent its restore. */
  #isKept(intent: unknown): boolean {
    const { id } = (containsUnknown(intent) ? undefined : readStoredIntent(intent)) ?? {};
    return id !== undefined && makingProcessOf(id) !== this.process.id;
  }

  /** Defined if the panel may show an attempt that no record mentions, made for this intent or for intents that it replaced. */
  #pastOf({ intent: { id, mark } }: IntendedRequest): Past | undefined {
    const { replaced = [] } = mark;
    const { before, between = replaced, lost } = this.#of(id);
    const isSearched = lost !== undefined || (replaced.length > 0 && !replaced[0]?.isEnded);
    // Since the failure, the restore may have been sent again, or someone may have restored the machine by hand.
    if (isSearched && before !== undefined && isFailure(before)) return { ...pastOf(before, mark), doubt: "lost" };
    const [last, ...more] = between.filter(({ isEnded }) => !isEnded);
    if (last) return { mark: more.at(-1)?.mark ?? mark, failedIds: [], doubt: "lost" };
    return makingProcessOf(id) === this.process.id ? undefined : { mark, failedIds: [] };
  }

  /** True if no record shows what became of the previous request. */
  #isLost([last]: readonly ReplacedIntent[] = []): boolean {
    const before = last && this.#of(last.id).stored;
    return last !== undefined && !last.isEnded && (before === undefined || before.status === "sent");
  }

  #of(intentId: string): Remembered {
    const known = this.#memory.get(intentId) ?? {};
    this.#memory.set(intentId, known);
    return known;
  }

  #announce(urn: string, inputs: Properties, { warns = false, ...how }: HowSent & { readonly warns?: boolean }): void {
    const { virtualMachineId: machine, recoveryPointId, recoveryPoint, paths, adopt } = inputs;
    this.#announced.add(urn);
    if (adopt !== undefined) {
      this.process.engineLog.info(urn, takesText(containsUnknown(adopt) ? knownLater : JSON.stringify(adopt)));
      return;
    }
    this.process.namePanel();
    const isLater = containsUnknown(recoveryPointId);
    const point = isLater ? (recoveryPoint ?? recoveryPointId) : (recoveryPointId ?? recoveryPoint);
    const text = overwritesText({ machine, point, paths }, how);
    if (warns) this.process.engineLog.warn(urn, text);
    else this.process.engineLog.info(urn, text);
  }
}

/** The intents newer than the record's own, newest first. Includes the record's own if the record does not show what became of its request. */
function unrecorded(
  replaced: readonly ReplacedIntent[],
  recorded: string,
  { status }: RestoreRecord,
): readonly ReplacedIntent[] {
  const at = replaced.findIndex(({ id }) => id === recorded);
  return at === -1 ? replaced : replaced.slice(0, status === "sent" ? at + 1 : at);
}

/** True if the restore is sent again although none of its own inputs has changed. */
const isUnasked = (replaces: readonly string[]): boolean =>
  replaces.includes("status") || replaces.every((name) => name === "__behind");

/** Makes a first or later attempt, or continues the restore that is already stored under the same intent. */
async function carryOut(
  run: Run<IntendedRequest>,
  remembered: Remembered,
  unrecorded: Past | undefined,
): Promise<ResultSoFar> {
  const { request, reporter } = run;
  const { intent, adopt } = request;
  const { stored } = remembered;
  const { choiceWarnings = [] } = intent;
  choiceWarnings.forEach(reporter.warn);
  const isRetry = stored !== undefined && isAttemptedAgain(stored, request.retryFailed, request.target.recoveryPointId);
  // A retry deliberately replaces only the restore, so deleting the old restore must not fail.
  const isMade = (done: Promise<ResultSoFar>): Promise<ResultSoFar> => (isRetry ? done : found(done, remembered));
  if (adopt !== undefined && adopt !== remembered.storedAdopt)
    return isMade(take(run, adopt, stored?.mark ?? intent.mark));
  if (stored && !isRetry) {
    // The engine creates the resource again although no new restore is requested, so the stored restore is continued.
    const done = isFinished(stored.status) ? { result: asStored(request, stored) } : await resume(run, stored);
    remembered.foundAgain = stored.transactionIds;
    return done;
  }
  if (request.target.recoveryPointId === undefined)
    return { result: { kind: "not sent", reason: noPointText(request) } };
  const past = stored ? pastOf(stored, intent.mark) : unrecorded;
  const { before } = remembered;
  const isOfPanel = before?.mark?.panel === run.session.client.address;
  // Even a failed restore may be running, because someone may have run it again on the panel.
  const open = isOfPanel && before.status !== "complete" ? before.transactionIds : [];
  return isMade(attempt(run, past, open).then((done) => withWarnings(done, choiceWarnings)));
}

/** What failed attempts left on the panel. */
const pastOf = ({ mark, failedBefore = [], transactionIds }: RestoreRecord, intended: Mark): Past => ({
  mark: mark ?? intended,
  failedIds: [...failedBefore, ...transactionIds],
});

/** Remembers what was found again. If the engine then deletes the old resource, `delete` reports that nothing was restored. */
async function found(done: Promise<ResultSoFar>, remembered: Remembered): Promise<ResultSoFar> {
  const outcome = await done;
  if (outcome.result.kind !== "not sent" && outcome.result.record.adopted)
    remembered.foundAgain = outcome.result.record.transactionIds;
  return outcome;
}

function withWarnings(done: ResultSoFar, warnings: readonly string[]): ResultSoFar {
  const { result } = done;
  if (result.kind === "not sent") return done;
  return {
    ...done,
    result: { ...result, record: { ...result.record, warnings: [...warnings, ...result.record.warnings] } },
  };
}

/**
 * Continues a restore from the state. Posts nothing. `adopt` is passed only if its value has changed since the record was stored. `lost`: the mark of a request
 * that came in between and left no record.
 */
async function continueStored(
  providerProcess: ProviderProcess,
  call: Call,
  record: RestoreRecord,
  adopt: string | undefined,
  lost: Mark | undefined,
): Promise<RestoreResult> {
  const { request } = call;
  const isOther = adopt !== undefined && !record.transactionIds.includes(adopt);
  if (record.status === "complete" && !(isOther && lost)) {
    if (isOther) rowReporter(providerProcess.engineLog, call.urn).warn(adoptUnusedText(adopt));
    return { kind: "good", record };
  }
  if (adopt === undefined && isFinished(record.status)) return asStored(request, record);
  const isUnwatched = !request.wait && record.transactionIds.length > 0;
  if (adopt === undefined && isUnwatched && lost === undefined) return { kind: "good", record };
  const run = beginCall(providerProcess, call, request);
  // The ids of two panels are unrelated, so another panel's transaction must not be mistaken for this restore.
  const panel = record.mark?.panel ?? call.intent?.mark.panel;
  if (panel !== undefined && panel !== run.session.client.address)
    return { kind: "stored", record, reason: elsewhereText(subject(request), panel, run.session.client.address) };
  // The only matching transaction may belong to the request in between.
  if (adopt === undefined && lost !== undefined && record.transactionIds.length === 0)
    return { kind: "stored", record, reason: takenBackText(request, record) };
  if (adopt === undefined) return (await resume(run, record)).result;
  return (await take(run, adopt, record.mark ?? call.intent?.mark)).result;
}

/** Accepts the complete restore, unless the panel lists something that a later request, reverted since, may have sent. */
async function unlessSent(
  providerProcess: ProviderProcess,
  call: Call,
  record: RestoreRecord,
  lost: Mark,
): Promise<RestoreResult> {
  const run = beginCall(providerProcess, call, intendedRequest(call, providerProcess));
  const { result } = await attempt(run, { mark: lost, failedIds: [], doubt: "lost", isSearch: true });
  const reason = result.kind === "not sent" ? result.reason : "";
  return reason === ""
    ? { kind: "good", record }
    : { kind: "stored", record, reason: takenBackText(call.request, record, reason) };
}

function asStored(request: RestoreRequest, record: RestoreRecord): RestoreResult {
  if (record.status === "complete") return { kind: "good", record };
  return { kind: "stored", record, reason: endedText(request, record) };
}

/** Keeps other restores from adopting this restore's transactions. A preview may have no panel, and needs none. */
function claimIfConnected(
  providerProcess: ProviderProcess,
  record: RestoreRecord,
  { id, panel }: StoredIntent,
  machine: string | undefined,
): void {
  try {
    const { claims, client } = providerProcess.session();
    if (panel === client.address) claims.claim(record.transactionIds, id, { machine });
  } catch {
    // Missing settings are reported by the first call that needs them.
  }
}

/** A call for a restore, parsed from the inputs or from the outputs (which repeat the inputs). */
interface Call extends RestoreInputs {
  readonly request: RestoreRequest;
  readonly urn: string | undefined;
  readonly owner: string;
}

function readCall(
  kind: RestoreKind,
  properties: Properties,
  operation: TimeoutOperation,
  { types }: ProviderProcess,
): Call {
  const parsed = parseRestoreInputs(kind, properties, operation);
  const { id: owner = "", urn: intentUrn } = parsed.intent ?? readStoredIntent(properties["__intent"]) ?? {};
  const urn = intentUrn && restoreUrnOf(intentUrn, kind, types);
  const name = urn === undefined ? "(without an intent)" : nameInUrn(urn);
  return { ...parsed, request: { name, ...parsed.request }, urn, owner };
}

function beginCall<Request extends RestoreRequest>(
  providerProcess: ProviderProcess,
  { urn, owner, known, intent }: Call,
  request: Request,
): Run<Request> {
  const session = connected(providerProcess, request);
  // The known ids belong to earlier restores of the machine, all complete when the intent was made, so an id above the mark must come from another panel.
  const isEarlier = (id: string): boolean => !isDecimalId(id) || intent === undefined || !mayBeAbove(id, intent.mark);
  for (const id of known.filter(isEarlier)) session.claims.claim([id], "an earlier restore of the machine");
  return beginRun({ session, request, owner, reporter: rowReporter(providerProcess.engineLog, urn) });
}

/** Connects to the panel. An error about missing settings names the restore. */
function connected(providerProcess: ProviderProcess, request: RestoreRequest): Session {
  try {
    return providerProcess.session();
  } catch (error) {
    throw new Error(notConnectedText(request, error), { cause: error });
  }
}

const differingFrom = ({ madeFor }: Intent, { target }: RestoreRequest) =>
  (["kind", ...decidingInputs] as const).filter((input) => !meansSame(input, target[input], madeFor[input]));

/**
 * Checks the intent before anything is sent. Without an intent, nobody would know after a kill whether the restore was posted. If the intent was made for
 * another restore or another panel, its mark says nothing about this restore.
 */
function intendedRequest(call: Call, providerProcess: ProviderProcess): IntendedRequest {
  const { request, intent, previous } = call;
  const who = subject(request);
  requireCheckpoints(who);
  if (intent === undefined) throw new Error(noIntentText(who));
  const differing = differingFrom(intent, request);
  if (differing.length > 0) throw new Error(otherIntentText(who, differing, intent.urn));
  const { address } = connected(providerProcess, request).client;
  if (intent.mark.panel !== address) throw new Error(elsewhereText(who, intent.mark.panel, address));
  requirePrevious(previous, who);
  return { ...request, intent };
}
