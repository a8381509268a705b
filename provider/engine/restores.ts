import { checkRestore } from "../inputs/check-restore";
import {
  type IntendedRequest,
  type Intent,
  type MachineBefore,
  makingProcessOf,
  type RestoreRequest,
} from "../inputs/intent";
import type { RestoreKind } from "../inputs/restore-table";
import { isFinished, isOverwritten, isUnconfirmed, type RestoreRecord } from "../inputs/record";
import { intentUrnOf, nameInUrn, type ResourceTypes, restoreUrnOf } from "../inputs/resource-names";
import { parseRestoreInputs, readIntent, readMachineBefore, readStoredIntent } from "../inputs/restore-inputs";
import { namedTransaction, type Operation } from "../inputs/read-values";
import { type Properties, omit } from "../plain/plain";
import { errorMessage } from "../plain/text";
import { subject } from "../restore/messages";
import { postingId } from "../plan/stored";
import { refreshRecord } from "../restore/resume-restore";
import { takeTransaction } from "../restore/take-transaction";
import type { ResultSoFar, RestoreResult } from "../restore/result";
import type { Attempt } from "../restore/before-post-state";
import { beginRun } from "../restore/panel-session";
import { requireIntent, postRestore } from "../restore/post-restore";
import { notAllowedText } from "../restore/before-post-messages";
import { checkAllowed } from "./check-allowed";
import { requireCheckpoints } from "./checkpoints";
import { diffRestore } from "./diff-restore";
import { sanitized, type Operations } from "./sanitize";
import { rowReporter, flushingLog } from "./engine-log";
import { continueStored, continueRecreated } from "./continue-stored";
import { type Conflict, transactionFoundAgain, type RememberedRestore } from "./memory";
import { idOf, outputsOf, recordIn, StoredFailure } from "./outputs";
import { type PlanSteps, readOfPlan } from "./plan-step";
import type { ProviderProcess } from "./process";
import { NotBehindComplete, waitBehind, whyLeftOut } from "./wait-behind";

/** The operations of a VmRestore or a FileRestore: a thin shell around the life of a restore. */
export function restoreOperations(kind: RestoreKind, providerProcess: ProviderProcess, steps: PlanSteps): Operations {
  return sanitized({
    check: (olds, news) => checkAllowed(providerProcess, checkRestore(kind)(olds, news)),

    diff(_id, olds, news) {
      const decision = diffRestore(olds, news);
      const isReplaced = (decision.replaces ?? []).length > 0;
      const intent = readStoredIntent(olds["intent"]);
      if (intent === undefined) return decision;
      const intentUrn = intent.urn ?? readIntent(news["intent"])?.urn;
      const urn = intentUrn && restoreUrnOf(intentUrn, kind, providerProcess.types);
      const record = recordIn(olds);
      const { conflict } = remember(providerProcess, intent, { record, urn, isReplaced });
      const overwritten = isReplaced ? undefined : overwrittenText(record, readMachineBefore(news));
      if (overwritten !== undefined) rowReporter(providerProcess.engineLog, urn).warn(overwritten);
      return conflict && !isReplaced ? { ...decision, changes: true } : decision;
    },

    /**
     * The only way to a POST. Each step, in this order, can keep it from being sent:
     *
     * 0. by `allowedMachines`, before anything is read;
     * 1. by what is kept: a restore that was stored unfinished, and that the engine has deleted to make it anew, is gone on with;
     * 2. by `requireIntent`: without an intent, with a held back one, or with one that was made for something else or for another panel, nothing is sent;
     * 3. by `waitBehind`: the restore of the machine before it has to be complete;
     * 4. by the outcome: one intent is carried out once in a process, and who asks again gets the same result;
     * 5. by `adopt` with an id: that transaction is taken;
     * 6. by `postRestore`: the machine's turn and a place, and one wait until nothing of it is on the panel and the machine is free;
     * 7. at last by the engine itself: it is asked right before the POST whether the run is still there; and once more by `allowedMachines`.
     */
    async create(inputs) {
      const call = readRestoreCall(kind, inputs, "create", providerProcess.types);
      const { request, intent, urn, owner } = call;
      const ofPlan = readOfPlan(inputs);
      const isOfPlan = ofPlan !== undefined;
      const remembered = owner === undefined ? undefined : providerProcess.memory.of(owner);
      const done = await flushingLog(providerProcess.engineLog, () => createOnce(providerProcess, inputs, call))
        .catch((error: unknown) => {
          // An error would end the others of the plan.
          if (isOfPlan && error instanceof NotBehindComplete) return notSentBehind(error);
          throw error;
        })
        .finally(() => {
          if (urn !== undefined)
            Object.assign(remembered ?? {}, { isInThisRun: true, urn } satisfies RememberedRestore);
        });
      const { result, ended } = done;
      if (result.kind === "not-posted") throw new Error(result.reason);
      const { record } = result;
      if (remembered) remembered.isAdopted = record.adopted;
      // The wave of a plan's restore tells how it has ended; an error here would stop all of them.
      if (result.kind === "stored" && !(isOfPlan && isFinished(record.status))) {
        throw StoredFailure.ofRestore(inputs, record, result.reasons);
      }
      const stored = { id: idOf(record), outs: outputsOf(inputs, isOfPlan ? asStillRunning(record) : record) };
      if (ofPlan && intent && urn !== undefined) {
        const posting = postingId(intent.id, stored.id, request.adopt);
        steps.start(ofPlan, posting, request, { urn, owner: intent.id, record, ended });
      }
      return stored;
    },

    async update(id, olds, news) {
      const call = readRestoreCall(kind, news, "update", providerProcess.types);
      const { owner = id } = call;
      const record = recordIn(olds);
      const objection = objectionTo(providerProcess, call, record);
      if (objection !== undefined) throw StoredFailure.ofRestore(news, record, [objection], id);
      const { result } = await continueStored(providerProcess, { ...call, record, owner });
      if (result.kind === "not-posted") throw StoredFailure.ofRestore(news, record, [result.reason], id);
      const now = behindTheSame(record, result.record);
      if (result.kind === "good") return { outs: outputsOf(news, now) };
      if (isFinished(now.status) && readOfPlan(news) !== undefined) {
        // The record that a refresh stored stays.
        return { outs: outputsOf(news, result.record === record ? record : asStillRunning(now)) };
      }
      throw StoredFailure.ofRestore(news, now, result.reasons, id);
    },

    /** Refresh. A finished restore needs no panel; of an unfinished one the status is read once. */
    async read(id, outputs) {
      const record = recordIn(outputs);
      if (isFinished(record.status) || record.transactionIds.length === 0) return { id, props: outputs };
      const { request, owner, urn } = readRestoreCall(kind, outputs, "update", providerProcess.types);
      const now = await flushingLog(providerProcess.engineLog, () =>
        refreshRecord(providerProcess.session(urn), request, record, owner ?? id).catch(explainRefreshFailure),
      );
      return { id, props: outputsOf(outputs, behindTheSame(record, now)) };
    },

    /** Forgets; nothing is sent. */
    delete(_id, outputs) {
      // Only the intent is read: a state that was edited by hand must not block a destroy.
      const intent = readStoredIntent(outputs["intent"]);
      const record = recordIn(outputs);
      // One that failed may be found again: the panel has run it once more.
      if (intent === undefined || !isFinished(record.status) || record.status === "failed") return Promise.resolve();
      const remembered = providerProcess.memory.of(intent.id);
      remembered.deletedIds = record.transactionIds;
      const again = transactionFoundAgain(remembered);
      if (again === undefined) return Promise.resolve();
      // Only an adopted transaction is found again, and the create that adopted it has stored the URN.
      const { urn = "" } = remembered;
      const intentUrn = intentUrnOf(urn, kind, providerProcess.types);
      return Promise.reject(new Error(nothingRestored(nameInUrn(urn), again, intentUrn, remembered)));
    },
  });
}

/**
 * Keeps facts for the calls after a `diff`, which do not receive them: the recorded transactions, because another
 * restore of this process may be looking for its own; the mark of a failed try; and the decision, because the engine
 * may delete an unfinished restore and then create it as if there had been none.
 */
function remember(
  providerProcess: ProviderProcess,
  intent: Pick<Intent, "id">,
  { record, urn, isReplaced }: { record: RestoreRecord; urn: string | undefined; isReplaced: boolean },
): RememberedRestore {
  const { status, adopted, tryMark, transactionIds } = record;
  const remembered = Object.assign(providerProcess.memory.of(intent.id), {
    isInThisRun: true,
    ...(urn !== undefined && { urn }),
    isAdopted: adopted,
    isReplaced,
    keptRecord: isReplaced || status === "complete" ? undefined : record,
    failedTry: status === "failed" ? { transactionIds, mark: tryMark } : undefined,
    conflict: conflictOf(providerProcess, record, intent),
  } satisfies RememberedRestore);
  // A transaction that one resource has recorded is not another one's to adopt.
  providerProcess.claims.claim(transactionIds, intent.id);
  return remembered;
}

/** The steps 1 to 6 of a `create`. */
async function createOnce(
  providerProcess: ProviderProcess,
  inputs: Properties,
  call: RestoreCall,
): Promise<ResultSoFar> {
  const { request, intent, heldBack, predecessor, machineBefore, urn } = call;
  const remembered = intent && providerProcess.memory.of(intent.id);
  // This comes first: the engine may already have deleted the stored resource, so it is stored again whatever happens.
  const record = remembered?.keptRecord;
  const notAllowed = providerProcess.whyNotAllowed(request.target.virtualMachineId);
  if (notAllowed !== undefined) {
    const reason = notAllowedText(request, notAllowed);
    throw record === undefined ? new Error(reason) : StoredFailure.ofRestore(inputs, record, [reason]);
  }
  if (remembered && record) {
    const objection = objectionTo(providerProcess, call, record);
    if (objection !== undefined) throw StoredFailure.ofRestore(inputs, record, [objection]);
    return (remembered.outcome ??= continueRecreated(providerProcess, { ...call, record, owner: intent.id }));
  }
  requireCheckpoints(subject(request));
  if (heldBack) throw new NotBehindComplete(heldBack.heldBack);
  const session = providerProcess.session(urn);
  const permission = requireIntent({ ...request, ...(intent && { intent }) }, session.client.address);
  if ("refusal" in permission) throw new Error(permission.refusal);
  const intended = permission.request;
  // If this run leaves it out, nobody else says whose its transactions are.
  if (machineBefore) providerProcess.claims.claim(machineBefore.transactionIds, machineBefore.urn);
  // An intent of this process was made behind a complete one.
  if (predecessor && makingProcessOf(intended.intent.id) !== providerProcess.id) {
    await waitBehind(providerProcess, predecessor, request, urn);
  }
  // Other transactions of the VmRestore before later tell that the machine was restored again since.
  const behind = machineBefore && { machineTransactionIds: machineBefore.transactionIds };
  return (providerProcess.memory.of(intended.intent.id).outcome ??= executeRestore(
    providerProcess,
    intended,
    call,
  ).then((done) => mapRecord(done, (sent) => ({ ...sent, ...behind }))));
}

/** The record of a plan's restore that was not sent because of the one before it. Its wave says so. */
function notSentBehind({ message }: NotBehindComplete): ResultSoFar {
  return {
    result: { kind: "good", record: { status: "not sent", transactionIds: [], adopted: false, warnings: [message] } },
  };
}

/** Whoever follows a restore does not know behind which transactions it was sent. */
function behindTheSame({ machineTransactionIds }: RestoreRecord, now: RestoreRecord): RestoreRecord {
  return machineTransactionIds ? { ...now, machineTransactionIds } : now;
}

/**
 * The warning of each `up` about a restore that a later one of its machine has overwritten. It is not mended unasked. Unknown values, in a
 * preview or of a record of 1.0.0, are passed over.
 */
function overwrittenText(record: RestoreRecord, machineBefore: MachineBefore | undefined): string | undefined {
  if (record.status !== "complete" || !isOverwritten(record, machineBefore)) return undefined;
  const machine = nameInUrn(machineBefore?.urn ?? "");
  return (
    `overwritten: "${machine}" was restored again since, so the machine is as the backup of "${machine}" has it. To restore this one again, change its ` +
    `triggers; with replaceWith: [${machine}] among its options it is restored along.`
  );
}

/**
 * The record of a plan's restore that had failed when first seen, as one still running. Stored as failed, the next `up`
 * would send it again. Its wave reports the failure, and a refresh stores it.
 */
function asStillRunning(record: RestoreRecord): RestoreRecord {
  if (record.status !== "failed") return record;
  return { ...omit(record, "finishedAt", "durationSeconds", "logOutput"), status: "running" };
}

/** Executes a restore that may be sent. It has one outcome in this process. */
async function executeRestore(
  providerProcess: ProviderProcess,
  intended: IntendedRequest,
  { predecessorIds, urn }: RestoreCall,
): Promise<ResultSoFar> {
  const { intent, adopt } = intended;
  const reporter = rowReporter(providerProcess.engineLog, urn);
  const run = beginRun(providerProcess.session(urn), intended, intent.id, reporter);
  const remembered = providerProcess.memory.of(intent.id);
  const named = namedTransaction(adopt);
  if (named !== undefined) {
    const done = await takeTransaction(run, named);
    // Whoever names the transaction of a failed try wants that one.
    return remembered.isReplaced ? done : orNothingRestored(done, remembered, intended);
  }
  const choiceWarnings = intent.choice?.warnings ?? [];
  for (const warning of choiceWarnings) reporter.warn(warning);
  const { failedTry } = remembered;
  const known = failedTry ? { failedTry } : {};
  const isLaterAttempt =
    (failedTry !== undefined || makingProcessOf(intent.id) !== providerProcess.id) && adopt === "auto";
  const attempt: Attempt = isLaterAttempt ? { kind: "later", predecessorIds, ...known } : { kind: "first", ...known };
  const sent = await postRestore(run, attempt);
  // The warnings about the choice stay with the restore, also when nobody waits for its end.
  const done = mapRecord(sent, (record) => ({ ...record, warnings: [...choiceWarnings, ...record.warnings] }));
  return orNothingRestored(done, remembered, intended);
}

function orNothingRestored(
  done: ResultSoFar,
  remembered: RememberedRestore,
  { name, adopt, intent }: IntendedRequest,
): ResultSoFar {
  if (done.result.kind === "not-posted" || !done.result.record.adopted) return done;
  remembered.adoptedIds = done.result.record.transactionIds;
  remembered.isAdoptedById = done.result.record.transactionIds.includes(adopt);
  const again = transactionFoundAgain(remembered);
  if (again === undefined) return done;
  return { result: { kind: "not-posted", reason: nothingRestored(name, again, intent.urn, remembered) } };
}

function mapRecord(done: ResultSoFar, change: (record: RestoreRecord) => RestoreRecord): ResultSoFar {
  const changed = (result: RestoreResult): RestoreResult =>
    result.kind === "not-posted" ? result : { ...result, record: change(result.record) };
  return { ...done, result: changed(done.result), ...(done.ended && { ended: done.ended.then(changed) }) };
}

/** The reason why a stored restore stays as it is, whatever the panel shows. */
function objectionTo(
  providerProcess: ProviderProcess,
  { request, intent, predecessor }: RestoreCall,
  record: RestoreRecord,
): string | undefined {
  const conflict = intent && providerProcess.memory.of(intent.id).conflict;
  if (conflict) return takenTwice(providerProcess, request, record, conflict);
  if (!isUnconfirmed(record) || predecessor === undefined) return undefined;
  return whyLeftOut(providerProcess, predecessor, `${subject(request)} was not looked for`);
}

/** A stored transaction of this restore that another restore of this process holds and keeps. */
function conflictOf(
  providerProcess: ProviderProcess,
  { transactionIds }: RestoreRecord,
  intent: Pick<Intent, "id">,
): Conflict | undefined {
  for (const transactionId of transactionIds) {
    const otherIntentId = providerProcess.claims.otherOwnerOf(transactionId, intent.id);
    if (otherIntentId !== undefined && !providerProcess.memory.of(otherIntentId).isReplaced)
      return { transactionId, otherIntentId };
  }
  return undefined;
}

function takenTwice(
  { memory }: ProviderProcess,
  request: RestoreRequest,
  record: RestoreRecord,
  { transactionId, otherIntentId }: Conflict,
): string {
  const other = memory.of(otherIntentId);
  const name = other.urn === undefined ? "another restore of this program" : `"${nameInUrn(other.urn)}"`;
  const adopter = record.adopted ? "this one" : other.isAdopted ? name : "neither of them";
  return (
    `${subject(request)}: transaction ${transactionId} is stored both as this restore and as ${name}, but it can only be one of them ` +
    `(${adopter} adopted it). Nothing was sent. To run the restore that it does not belong to, change that one's triggers.`
  );
}

function nothingRestored(
  name: string,
  transactionId: string,
  intentUrn: string | undefined,
  { isAdoptedById = false }: RememberedRestore,
): string {
  return (
    `restore "${name}": nothing was restored. The restore was to be replaced but its intent was not, so transaction ${transactionId}, which it ` +
    `already had, was found again and adopted. To restore again, ${isAdoptedById ? "take adopt out and " : ""}change triggers` +
    (intentUrn === undefined ? "." : `, or replace both: add --replace '${intentUrn}'.`)
  );
}

/** A refresh gets the configuration of the last `up`, which nobody suspects when a password is refused. */
function explainRefreshFailure(error: unknown): never {
  throw new Error(
    `${errorMessage(error)} A refresh uses the configuration stored by the last \`pulumi up\`: after a changed password or endpoint run ` +
      "`pulumi up`, or `pulumi refresh --run-program`.",
  );
}

type RestoreCall = ReturnType<typeof readRestoreCall>;

/** One call for a restore, in typed form, with the name and URN from its intent. `properties` are inputs, or outputs, which repeat them. */
function readRestoreCall(kind: RestoreKind, properties: Properties, operation: Operation, types: ResourceTypes) {
  const { intent, heldBack, predecessor, machineBefore, ...parsed } = parseRestoreInputs(kind, properties, operation);
  const { id: owner, urn: intentUrn } = intent ?? readStoredIntent(properties["intent"]) ?? {};
  const urn = intentUrn && restoreUrnOf(intentUrn, kind, types);
  const request: RestoreRequest = { ...parsed, name: urn === undefined ? "(without an intent)" : nameInUrn(urn) };
  // The machine's own restore overwrites this one like the one right before it.
  const predecessorIds = [...(predecessor?.transactionIds ?? []), ...(machineBefore?.transactionIds ?? [])];
  return { request, intent, heldBack, predecessor, machineBefore, urn, owner, predecessorIds };
}
