import { secondsBetween } from "../../provider/plain/clock";
import { readPointRule, ruleText } from "../../provider/inputs/read-point-rule";
import { isHeldBack, makingProcessOf } from "../../provider/inputs/intent";
import { isOverwritten } from "../../provider/inputs/record";
import { nameInUrn } from "../../provider/inputs/resource-names";
import { readMachineBefore } from "../../provider/inputs/restore-inputs";
import { readStep, type ReadStep } from "../../provider/plan/read-stored";
import { hidden, postingId } from "../../provider/plan/stored";
import { sharedText } from "../../provider/plan/verdict";
import type { ChosenBy, Step, StepResult } from "../model/model";
import { safeLog } from "../model/safe-text";
import { type Resource, kindOf, restoreKindOf } from "./read-state";
import {
  amountOf,
  fieldsOf,
  idOf,
  definedOnly,
  nameOf,
  plainDataOf,
  plainTextOf,
  secretText,
  shown,
  utcOf,
  textOf,
  textsOf,
} from "./values";

/** A restore as its resource is stored, with the facts that identify its run. */
export interface StoredRestore {
  readonly step: Step;
  readonly urn: string;
  readonly rawName: string;
  readonly parent?: string;
  readonly intent: StoredIntent;
  /** The posting that it is of, as its wave stores it. */
  readonly posting?: string;
  readonly triggers: unknown;
  /** Why it does not count as complete, in its own record or its wave's. */
  readonly notCounted?: NotCounted;
}

export interface NotCounted {
  readonly status: "overwritten" | "not counted";
  readonly reason: string;
}

interface StoredIntent {
  readonly id?: string;
  readonly urn?: string;
  readonly process?: string;
  readonly provider?: string;
  readonly madeAt?: string;
  readonly panel?: string;
  /** True if it was made behind a restore that is not complete: nothing is posted by it. */
  readonly isHeldBack: boolean;
}

/** An intent as its own resource is stored. It is saved before its restore, and stays without one. */
export interface IntentResource extends StoredIntent {
  readonly name: string;
  /** The name of its restore, as in URNs. */
  readonly rawName: string;
  readonly parent?: string;
  readonly kind: "VmRestore" | "FileRestore";
  readonly virtualMachineId: string;
  readonly recoveryPointId: string;
  readonly paths?: readonly string[];
  readonly chosenBy?: ChosenBy;
  readonly triggers: unknown;
}

export function restoresIn(
  resources: readonly Resource[],
  logs: "with logs" | "without logs",
): readonly StoredRestore[] {
  const restores = resources.filter(({ type }) => restoreKindOf(type) !== undefined);
  const idsByUrn = new Map(restores.map(({ urn, outputs }) => [urn, textsOf(outputs["transactionIds"], 1_000)]));
  const otherHolder = otherHolderIn(restores);
  return restores.flatMap((resource) => {
    const kind = restoreKindOf(resource.type);
    if (kind === undefined) return [];
    const { outputs, urn, rawName, parent, initErrors } = resource;
    const intent = intentOf(resource);
    const chosenFrom = fieldsOf(plainDataOf(intent))["choice"];
    const notCounted = notCountedFrom(initErrors[0], otherHolder(resource), overwriterOf(resource, idsByUrn));
    const own = stepFrom(readStep(shown({ ...outputs, chosenFrom })), { name: resource.name, kind });
    const step = asCounted(own, notCounted);
    const reason = initErrors[0];
    const logText = logs === "with logs" ? plainTextOf(outputs["logOutput"]) : undefined;
    return [
      {
        urn,
        rawName,
        ...(parent !== undefined && { parent }),
        step: definedOnly({
          ...step,
          reason: reason ?? step.reason ?? reasonOf(step),
          log: logText === undefined || logText === "" ? undefined : safeLog(logText),
        }),
        intent: intentFrom(intent),
        ...postingOf(resource, intentFrom(intent)),
        triggers: outputs["triggers"],
        ...(notCounted !== undefined && { notCounted }),
      },
    ];
  });
}

function postingOf({ id, outputs }: Resource, intent: StoredIntent): Pick<StoredRestore, "posting"> {
  return id === undefined || intent.id === undefined ? {} : { posting: postingId(intent.id, id, outputs["adopt"]) };
}

/** The outputs hold the intent's id; earlier releases stored the whole intent. */
function intentOf({ inputs, outputs }: Resource): unknown {
  return inputs["intent"] ?? outputs["intent"];
}

/** A step that does not count is unfinished where its record says complete. */
export function asCounted(step: Step, notCounted: NotCounted | undefined): Step {
  return notCounted === undefined || step.result !== "complete"
    ? step
    : { ...step, result: "unfinished", ...notCounted };
}

function notCountedFrom(
  problem: string | undefined,
  holder: { readonly id: string; readonly name: string } | undefined,
  overwrittenBy: string | undefined,
): NotCounted | undefined {
  if (problem !== undefined) return { status: "not counted", reason: problem };
  if (holder !== undefined) {
    return { status: "not counted", reason: sharedText(holder.id, holder.name) };
  }
  return overwrittenBy === undefined ? undefined : { status: "overwritten", reason: overwrittenText(overwrittenBy) };
}

/** Finds another restore of the same panel that holds a transaction of a given one. */
function otherHolderIn(
  restores: readonly Resource[],
): (restore: Resource) => { readonly id: string; readonly name: string } | undefined {
  const keysOf = (restore: Resource): readonly { readonly id: string; readonly key: string }[] => {
    const panel = intentFrom(intentOf(restore)).panel ?? "";
    return textsOf(restore.outputs["transactionIds"], 1_000).map((id) => ({ id, key: `${panel}\n${id}` }));
  };
  const holders = new Map<string, Resource[]>();
  for (const restore of restores)
    for (const { key } of keysOf(restore)) holders.set(key, [...(holders.get(key) ?? []), restore]);
  return (restore) => {
    for (const { id, key } of keysOf(restore)) {
      const other = holders.get(key)?.find(({ urn }) => urn !== restore.urn);
      if (other !== undefined) return { id, name: other.name };
    }
    return undefined;
  };
}

/** The VmRestore of the same machine before it, if that one has other transactions in the state than when this restore was carried out. */
function overwriterOf(
  { inputs, outputs }: Resource,
  idsByUrn: ReadonlyMap<string, readonly string[]>,
): string | undefined {
  const machineBefore = readMachineBefore(fieldsOf(plainDataOf(inputs)));
  if (machineBefore === undefined) return undefined;
  const stored = outputs["machineTransactionIds"];
  const record = {
    transactionIds: textsOf(outputs["transactionIds"], 1_000),
    ...(Array.isArray(stored) && { machineTransactionIds: textsOf(stored, 1_000) }),
  };
  const isSo = isOverwritten(record, { transactionIds: idsByUrn.get(machineBefore.urn) ?? [] });
  return isSo ? nameInUrn(machineBefore.urn) : undefined;
}

function overwrittenText(by: string): string {
  return `It is overwritten: "${nameOf(by) ?? "another restore of its machine"}" was restored again since.`;
}

export function intentsIn(resources: readonly Resource[]): readonly IntentResource[] {
  return resources.flatMap((resource) => {
    if (kindOf(resource.type) !== "intent") return [];
    const { id, outputs, urn, parent, provider } = resource;
    const rawName = resource.rawName.replace(/-(?:vm|file)-intent$/, "");
    const kind = outputs["kind"] === "FileRestore" ? "FileRestore" : "VmRestore";
    const name = nameOf(rawName) ?? "unnamed";
    const made = stepFrom(readStep(shown({ ...outputs, chosenFrom: outputs["choice"] })), { name, kind });
    const { virtualMachineId, recoveryPointId, paths, chosenBy } = made;
    return [
      {
        ...intentFrom({ ...outputs, id, urn }),
        name,
        rawName,
        kind,
        ...(parent !== undefined && { parent }),
        ...(provider !== undefined && { provider }),
        virtualMachineId,
        recoveryPointId,
        ...(paths !== undefined && { paths }),
        ...(chosenBy !== undefined && { chosenBy }),
        triggers: outputs["triggers"],
      },
    ];
  });
}

function intentFrom(value: unknown): StoredIntent {
  const fields = fieldsOf(plainDataOf(value));
  const id = idOf(fields["id"]);
  return definedOnly({
    id,
    // Compared, never shown.
    urn: typeof fields["urn"] === "string" ? fields["urn"] : undefined,
    // Earlier releases stored the process.
    process: idOf(fields["process"]) ?? (id && makingProcessOf(id)),
    madeAt: utcOf(fields["madeAt"]),
    panel: nameOf(fieldsOf(fields["mark"])["panel"]),
    isHeldBack: isHeldBack(fields["mark"]),
  });
}

/** The part of a step that a restore's outputs and its wave's record share. */
export function stepFrom(stored: ReadStep, named: Pick<Step, "name" | "kind">): Step {
  const requestedAt = utcOf(stored.requestedAt);
  const startedAt = utcOf(stored.startedAt);
  const finishedAt = utcOf(stored.finishedAt);
  const status = nameOf(stored.status) ?? "unknown";
  const transactions = textsOf(stored.transactionIds, 100);
  const single = idOf(stored.transactionId);
  return definedOnly({
    ...named,
    virtualMachineId: idOf(stored.virtualMachineId) ?? "not stored",
    recoveryPointId: idOf(stored.recoveryPointId) ?? "not stored",
    recoveryPointTakenAt: utcOf(stored.recoveryPointTakenAt),
    chosenBy: chosenByOf(stored),
    paths: named.kind === "FileRestore" ? textsOf(stored.paths) : undefined,
    result: resultOf(status),
    status,
    transactionIds: transactions.length > 0 || single === undefined ? transactions : [single],
    action: nameOf(stored.action),
    requestedAt,
    startedAt,
    finishedAt,
    queuedSeconds: amountOf(stored.queuedSeconds) ?? secondsBetween(requestedAt, startedAt),
    ranSeconds: secondsBetween(startedAt, finishedAt),
    durationSeconds: amountOf(stored.durationSeconds) ?? secondsBetween(requestedAt, finishedAt),
    checks: [],
    adopted: stored.adopted === true,
    warnings: textsOf(stored.warnings),
    reason: textOf(stored.reason),
  });
}

/** The choice of the recovery point: a wave's record holds it, a restore's intent, too. */
function chosenByOf({ recoveryPoint, chosenFrom = {} }: ReadStep): ChosenBy | undefined {
  const rule = ruleInWords(recoveryPoint);
  if (rule === undefined) return undefined;
  return definedOnly({
    rule,
    listed: amountOf(chosenFrom.listed),
    fitted: amountOf(chosenFrom.fitted),
    incidentAt: utcOf(chosenFrom.incidentAt),
  });
}

/** A rule in words; undefined without a rule. */
export function ruleInWords(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (value === hidden || value === secretText) return hidden;
  const reading = readPointRule(value);
  return "value" in reading ? ruleText(reading.value) : "a rule that this release cannot read";
}

/** An unrecognized status is not an end. */
function resultOf(status: string): StepResult {
  return status === "complete" || status === "failed" || status === "cancelled" ? status : "unfinished";
}

function reasonOf({ result, status }: Step): string | undefined {
  switch (result) {
    case "complete":
      return undefined;
    case "failed":
      return "The restore failed on the panel. The machine may be in any state.";
    case "cancelled":
      return "Somebody cancelled the restore on the panel. The machine may be in any state.";
    case "unfinished":
      if (status === "not sent")
        return "Nothing was sent, because the restore of its machine before it is not complete.";
      return status === "accepted" || status === "unknown"
        ? "The request was sent, but the panel has not confirmed it: the state holds no transaction of this restore."
        : `The restore had not ended when the state was written: its last known status is ${status}.`;
  }
}

/** Restores of the current intents, and intents without a restore. */
export interface PairedRestores {
  readonly current: readonly StoredRestore[];
  /** Intents without a restore, with an earlier run's restore of the same name if there is one. */
  readonly orphans: readonly { readonly intent: IntentResource; readonly earlier?: StoredRestore }[];
}

/**
 * Pairs restores with intents. The engine saves an intent before its restore starts, and the restore at its end, so a restore with another
 * intent than the stored one belongs to an earlier run.
 */
export function pairWithIntents(
  restores: readonly StoredRestore[],
  intents: readonly IntentResource[],
): PairedRestores {
  const used = new Set(restores.map(({ intent }) => intent.id));
  const orphans = intents
    .filter(({ id }) => id === undefined || !used.has(id))
    .map((intent) => {
      const earlier = restores.find((restore) => belongsToIntent(restore, intent));
      return earlier === undefined ? { intent } : { intent, earlier };
    });
  const superseded = new Set(orphans.map(({ earlier }) => earlier));
  return { current: restores.filter((restore) => !superseded.has(restore)), orphans };
}

function belongsToIntent({ intent, step, rawName, parent }: StoredRestore, made: IntentResource): boolean {
  if (intent.urn !== undefined && intent.urn === made.urn) return true;
  return rawName === made.rawName && step.kind === made.kind && parent === made.parent;
}
