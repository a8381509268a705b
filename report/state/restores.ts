import { secondsBetween } from "../../provider/plain/clock";
import { readPointRule, ruleText } from "../../provider/inputs/read-point-rule";
import { makingProcessOf } from "../../provider/inputs/intent";
import { hidden } from "../../provider/plan/stored";
import type { ChosenBy, Step, StepResult } from "../model/model";
import { safeLog } from "../model/safe-text";
import { type Resource, kindOf, restoreKindOf } from "./read-state";
import {
  amountOf,
  fieldsOf,
  idOf,
  isSecret,
  definedOnly,
  nameOf,
  plainDataOf,
  plainTextOf,
  utcOf,
  textOf,
  textsOf,
  type Fields,
} from "./values";

/** A restore as its resource is stored, with what tells which run it belongs to. */
export interface StoredRestore {
  readonly step: Step;
  readonly urn: string;
  readonly rawName: string;
  readonly parent?: string;
  readonly intent: StoredIntent;
  readonly triggers: unknown;
  readonly problems: readonly string[];
}

export interface StoredIntent {
  readonly id?: string;
  readonly urn?: string;
  readonly process?: string;
  readonly provider?: string;
  readonly madeAt?: string;
  readonly panel?: string;
}

/** An intent as its own resource is stored: it is there before its restore is, and stays when that never came. */
export interface IntentResource extends StoredIntent {
  readonly name: string;
  /** Of the restore that it is of, as it is in URNs. */
  readonly rawName: string;
  readonly parent?: string;
  readonly kind: "VmRestore" | "FileRestore";
  readonly virtualMachineId: string;
  readonly recoveryPointId: string;
  readonly chosenBy?: ChosenBy;
  readonly triggers: unknown;
}

export function restoresIn(
  resources: readonly Resource[],
  logs: "with logs" | "without logs",
): readonly StoredRestore[] {
  return resources.flatMap((resource) => {
    const kind = restoreKindOf(resource.type);
    if (kind === undefined) return [];
    const { inputs, outputs, urn, rawName, parent, initErrors } = resource;
    // The outputs keep its id, and only earlier releases all of it.
    const intent = inputs["intent"] ?? outputs["intent"];
    const chosenFrom = fieldsOf(plainDataOf(intent))["choice"];
    const step = stepFrom({ ...outputs, chosenFrom }, { name: resource.name, kind });
    const reason = initErrors[0];
    const logText = logs === "with logs" ? plainTextOf(outputs["logOutput"]) : undefined;
    return [
      {
        urn,
        rawName,
        ...(parent !== undefined && { parent }),
        step: definedOnly({
          ...step,
          reason: reason ?? reasonOf(step),
          log: logText === undefined || logText === "" ? undefined : safeLog(logText),
        }),
        intent: intentFrom(intent),
        triggers: outputs["triggers"],
        problems: initErrors,
      },
    ];
  });
}

export function intentsIn(resources: readonly Resource[]): readonly IntentResource[] {
  return resources.flatMap((resource) => {
    if (kindOf(resource.type) !== "intent") return [];
    const { id, outputs, urn, parent, provider } = resource;
    const rawName = resource.rawName.replace(/-(?:vm|file)-intent$/, "");
    const kind = outputs["kind"] === "FileRestore" ? "FileRestore" : "VmRestore";
    const chosenBy = chosenByOf({ recoveryPoint: outputs["recoveryPoint"], chosenFrom: outputs["choice"] });
    return [
      {
        ...intentFrom({ ...outputs, id, urn }),
        name: nameOf(rawName) ?? "unnamed",
        rawName,
        kind,
        ...(parent !== undefined && { parent }),
        ...(provider !== undefined && { provider }),
        virtualMachineId: idOf(outputs["virtualMachineId"]) ?? "not stored",
        recoveryPointId: idOf(outputs["recoveryPointId"]) ?? "not stored",
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
    // Compared with other URNs, never shown.
    urn: typeof fields["urn"] === "string" ? fields["urn"] : undefined,
    // Earlier releases stored it.
    process: idOf(fields["process"]) ?? (id && makingProcessOf(id)),
    madeAt: utcOf(fields["madeAt"]),
    panel: nameOf(fieldsOf(fields["mark"])["panel"]),
  });
}

/** The part of a step that a restore's outputs and a wave's record of it have in common. */
export function stepFrom(fields: Fields, named: { readonly name: string; readonly kind: Step["kind"] }): Step {
  const requestedAt = utcOf(fields["requestedAt"]);
  const startedAt = utcOf(fields["startedAt"]);
  const finishedAt = utcOf(fields["finishedAt"]);
  const status = nameOf(fields["status"]) ?? "unknown";
  const paths = named.kind === "FileRestore" ? textsOf(fields["paths"]) : undefined;
  const transactions = textsOf(fields["transactionIds"], 100);
  const single = idOf(fields["transactionId"]);
  const durationSeconds = amountOf(fields["durationSeconds"]) ?? secondsBetween(requestedAt, finishedAt);
  const result = resultOf(status);
  return definedOnly({
    ...named,
    virtualMachineId: idOf(fields["virtualMachineId"]) ?? "not stored",
    recoveryPointId: idOf(fields["recoveryPointId"]) ?? "not stored",
    recoveryPointTakenAt: utcOf(fields["recoveryPointTakenAt"]),
    chosenBy: chosenByOf(fields),
    paths,
    result,
    status,
    transactionIds: transactions.length > 0 || single === undefined ? transactions : [single],
    action: nameOf(fields["action"]),
    requestedAt,
    startedAt,
    finishedAt,
    queuedSeconds: amountOf(fields["queuedSeconds"]) ?? secondsBetween(requestedAt, startedAt),
    ranSeconds: secondsBetween(startedAt, finishedAt),
    durationSeconds,
    checks: [],
    adopted: fields["adopted"] === true,
    warnings: textsOf(fields["warnings"]),
    reason: textOf(fields["reason"]),
  });
}

/** A wave keeps the choice in its record; a restore is handed it with its intent. */
function chosenByOf(fields: Fields): ChosenBy | undefined {
  const rule = ruleInWords(fields["recoveryPoint"]);
  if (rule === undefined) return undefined;
  const choice = fieldsOf(fields["chosenFrom"]);
  return definedOnly({
    rule,
    listed: amountOf(choice["listed"]),
    fitted: amountOf(choice["fitted"]),
    incidentAt: utcOf(choice["incidentAt"]),
  });
}

/** In words; undefined where there is none. */
export function ruleInWords(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (value === hidden || isSecret(value)) return hidden;
  const reading = readPointRule(value);
  return "value" in reading ? ruleText(reading.value) : "a rule that this release cannot read";
}

/** A word nobody knows is not an end. */
function resultOf(status: string): StepResult {
  return status === "complete" || status === "failed" || status === "cancelled" ? status : "unfinished";
}

function reasonOf({ result, status }: Step): string | undefined {
  switch (result) {
    case "complete":
      return undefined;
    case "failed":
      return "The panel ended the restore as failed. The machine may be in any state.";
    case "cancelled":
      return "Somebody cancelled the restore on the panel. The machine may be in any state.";
    case "unfinished":
      return status === "accepted" || status === "unknown"
        ? "The request was sent, and no transaction of it is known: whether the panel carried it out is not in the state."
        : `The restore had not ended when the state was written: its last known status is ${status}.`;
  }
}

/** Restores as far as the state can vouch for them, and intents whose restore it does not hold. */
export interface PairedRestores {
  readonly current: readonly StoredRestore[];
  /** Begun, and not stored; with what an earlier run left under the same name. */
  readonly orphans: readonly { readonly intent: IntentResource; readonly earlier?: StoredRestore }[];
}

/**
 * The engine saves an intent before its restore starts, and the restore when it has ended. So a restore that carries
 * another intent than the one now stored is of an earlier run, and says nothing about this one.
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
