import { readPointRule } from "../../provider/inputs/read-point-rule";
import { asList, entriesOf, isObject, omitUndefined, type Properties } from "../../provider/plain/plain";
import { readBoolean, readNumber, readOneOf, readText, readTexts } from "../../provider/plain/stored-fields";
import { readMark } from "../../provider/inputs/restore-inputs";
import type {
  BetweenRecord,
  Change,
  ChosenPoint,
  EarlierMachines,
  EarlierRun,
  Entry,
  EntryMark,
  Form,
  Goals,
  IntentText,
  PlanCheck,
  PlanRestore,
  PlanText,
  PlanWave,
  Proof,
  RestoreEvent,
  StoredRun,
  WaveOptions,
  WaveRecord,
  LeftEntries,
} from "./stored";

/** Readers of the stored forms. A state may have been edited: what cannot be read is left out, and never makes a verdict better. */

/** The plan of a run; undefined if it is not a plan. */
export function readPlanText(text: unknown): PlanText | undefined {
  const plan = parsedText(text);
  if (!isObject(plan) || typeof plan["run"] !== "string" || !Array.isArray(plan["waves"])) return undefined;
  const goals = readGoals(plan["goals"]);
  const wholeGoals = readGoals(plan["wholeGoals"]);
  const incidentAt = readText(plan["incidentAt"]);
  const notes = entriesOf(plan["notes"]).filter((note): note is [string, string] => typeof note[1] === "string");
  return {
    run: plan["run"],
    kind: plan["kind"] === "recovery" ? "recovery" : "drill",
    waves: plan["waves"].flatMap((wave) => readWave(wave) ?? []),
    onFailure: plan["onFailure"] === "continue" ? "continue" : "stop",
    onMissedGoal: plan["onMissedGoal"] === "warn" ? "warn" : "fail",
    ...(goals && { goals }),
    ...(wholeGoals && { wholeGoals }),
    ...(incidentAt !== undefined && { incidentAt }),
    ...(notes.length > 0 && { notes: Object.fromEntries(notes) }),
  };
}

function readWave(stored: unknown): PlanWave | undefined {
  if (!isObject(stored) || typeof stored["name"] !== "string") return undefined;
  const goals = readGoals(stored["goals"]);
  return {
    name: stored["name"],
    ...(goals && { goals }),
    restores: byName(stored["restores"], readPlanRestore),
  };
}

function readPlanRestore(stored: unknown): PlanRestore | undefined {
  const machine = isObject(stored) ? readText(stored["machine"]) : undefined;
  if (!isObject(stored) || machine === undefined) return undefined;
  return omitUndefined<PlanRestore>({
    ...readFormParts(stored),
    machine,
    point: readText(stored["point"]),
    rule: readRule(stored["rule"]),
    takenAt: readText(stored["takenAt"]),
    goals: readGoals(stored["goals"]),
    checks: asList(stored["checks"]).flatMap((check) => readCheck(check) ?? []),
    adopt: readText(stored["adopt"]),
    retryFailed: readBoolean(stored["retryFailed"]),
    captureLog: readText(stored["captureLog"]),
    timeouts: isObject(stored["timeouts"]) ? stored["timeouts"] : undefined,
  });
}

const readKind = readOneOf("http", "tcp", "command");

function readCheck(stored: unknown): PlanCheck | undefined {
  if (!isObject(stored)) return undefined;
  const [name, kind] = [readText(stored["name"]), readKind(stored["kind"])];
  if (name === undefined || kind === undefined) return undefined;
  return omitUndefined<PlanCheck>({
    name,
    kind,
    asks: readText(stored["asks"]) ?? "",
    host: readText(stored["host"]),
    everySeconds: readNumber(stored["everySeconds"]),
    withinSeconds: readNumber(stored["withinSeconds"]),
    afterSeconds: readNumber(stored["afterSeconds"]),
  });
}

function readGoals(stored: unknown): Goals | undefined {
  if (!isObject(stored)) return undefined;
  return omitUndefined<Goals>({
    recoveryTimeSeconds: readNumber(stored["recoveryTimeSeconds"]),
    dataAgeSeconds: readNumber(stored["dataAgeSeconds"]),
  });
}

/** The outputs of a run. Undefined without a name: then nothing is known about the run. */
export function readRun(outputs: Properties): StoredRun | undefined {
  const run = readText(outputs["run"]);
  if (run === undefined) return undefined;
  return {
    run,
    startedAt: readText(outputs["startedAt"]) ?? "",
    up: readText(outputs["up"]) ?? "",
    by: isObject(outputs["by"]) ? outputs["by"] : {},
    plan: readText(outputs["plan"]) ?? "",
    secrets: readText(outputs["secrets"]) ?? "",
    changes: asList(outputs["changes"]).flatMap((change) => readChange(change) ?? []),
    earlierRuns: asList(outputs["earlierRuns"]).flatMap((earlier) => readEarlierRun(earlier) ?? []),
  };
}

function readChange(stored: unknown): Change | undefined {
  if (!isObject(stored)) return undefined;
  const who = readText(stored["who"]);
  return {
    at: readText(stored["at"]) ?? "",
    what: readText(stored["what"]) ?? "the plan was changed",
    ...(who !== undefined && { who }),
  };
}

function readEarlierRun(stored: unknown): EarlierRun | undefined {
  const run = isObject(stored) ? readText(stored["run"]) : undefined;
  return isObject(stored) && run !== undefined ? { run, startedAt: readText(stored["startedAt"]) ?? "" } : undefined;
}

/** The entries of a wave's intent. Undefined if the text is invalid: then it is unknown what was requested. */
export function readIntentText(text: unknown): IntentText | undefined {
  const stored = parsedText(text);
  if (!isObject(stored)) return undefined;
  const left = byName(stored["left"], readLeft);
  return {
    entries: byName(stored["entries"], readEntry),
    marks: byName(stored["marks"], readEntryMark),
    ...(Object.keys(left).length > 0 && { left }),
  };
}

function readLeft(stored: unknown): LeftEntries | undefined {
  if (!isObject(stored)) return undefined;
  const [ids, machines] = [readTexts(stored["ids"]), readTexts(stored["machines"])];
  const mark = readText(stored["mark"]);
  return ids && machines && mark !== undefined ? { at: readText(stored["at"]) ?? "", ids, machines, mark } : undefined;
}

function readEntry(stored: unknown): Entry | undefined {
  const form = readForm(stored);
  if (form === undefined || !isObject(stored)) return undefined;
  const [id, mark, chosen] = [readText(stored["id"]), readText(stored["mark"]), readChosen(stored["chosen"])];
  const up = readText(stored["up"]);
  if (id === undefined || mark === undefined) return undefined;
  return { id, mark, ...(up !== undefined && { up }), ...form, ...(chosen && { chosen }) };
}

/** A restore as the program declares it, in the input `declared` of an intent. */
export function readForm(stored: unknown): Form | undefined {
  if (!isObject(stored)) return undefined;
  const machine = readText(stored["machine"]);
  const point = readText(stored["point"]) ?? readRule(stored["point"]);
  return machine === undefined || point === undefined ? undefined : { ...readFormParts(stored), machine, point };
}

function readFormParts({ paths, triggers }: Properties): Pick<Form, "paths" | "triggers"> {
  const known = readTexts(paths);
  return {
    ...(known && { paths: known }),
    ...(Array.isArray(triggers) && triggers.length > 0 && { triggers }),
  };
}

function readRule(stored: unknown): Exclude<Form["point"], string> | undefined {
  const reading = isObject(stored) ? readPointRule(stored) : undefined;
  return reading !== undefined && "value" in reading ? reading.value : undefined;
}

export function readChosen(stored: unknown): ChosenPoint | undefined {
  if (!isObject(stored)) return undefined;
  const [id, takenAt, incidentAt] = [stored["id"], stored["takenAt"], stored["incidentAt"]].map(readText);
  if (id === undefined || takenAt === undefined) return undefined;
  const [listed = 0, fitted = 0] = [readNumber(stored["listed"]), readNumber(stored["fitted"])];
  return { id, takenAt, listed, fitted, ...(incidentAt !== undefined && { incidentAt }) };
}

function readEntryMark(stored: unknown): EntryMark | undefined {
  const mark = readMark(stored);
  const process = isObject(stored) ? readText(stored["process"]) : undefined;
  return mark && { ...mark, process: process ?? "" };
}

/** The record of a wave. Undefined if the text is invalid. */
export function readRecord(text: unknown): WaveRecord | undefined {
  const stored = parsedText(text);
  if (!isObject(stored)) return undefined;
  return {
    restores: byName(stored["restores"], (events) => asList(events).map(readEvent)),
    proofs: byName(stored["proofs"], readProof),
  };
}

function readProof(stored: unknown): Proof | undefined {
  if (!isObject(stored)) return undefined;
  const [run, at, form] = [stored["run"], stored["at"], stored["form"]].map(readText);
  if (run === undefined || at === undefined || form === undefined) return undefined;
  return { run, at, form, asks: readTexts(stored["asks"]) ?? [] };
}

/** An unreadable event is still an event: it is kept as a stop after which it is unknown what was sent. */
function readEvent(stored: unknown): RestoreEvent {
  const fields = isObject(stored) ? stored : {};
  const { did } = fields;
  const isRead =
    typeof did === "string" && (Object.hasOwn(needed, did) ? needed[did as keyof typeof needed](fields) : false);
  if (isRead && typeof fields["at"] === "string" && typeof fields["entry"] === "string")
    return withReadMark(fields) as unknown as RestoreEvent;
  const at = readText(fields["at"]) ?? "";
  const entry = readText(fields["entry"]) ?? "";
  return { at, entry, did: "stopped", sent: "unknown", why: "a part of its stored record cannot be read" };
}

/** The fields that each event requires. */
const needed = {
  posted: ({ up, machine }: Properties) => typeof up === "string" && typeof machine === "string",
  adopted: ({ up, machine }: Properties) => typeof up === "string" && typeof machine === "string",
  listed: ({ ids }: Properties) => Array.isArray(ids) && ids.every((id) => typeof id === "string"),
  ended: ({ status }: Properties) => ["complete", "failed", "cancelled"].includes(String(status)),
  stopped: ({ why }: Properties) => typeof why === "string",
  checked: ({ check, asks, passed }: Properties) =>
    typeof check === "string" && typeof asks === "string" && typeof passed === "boolean",
} satisfies Record<RestoreEvent["did"], (fields: Properties) => boolean>;

function withReadMark({ mark, ...fields }: Properties): Properties {
  const known = readMark(mark);
  return known ? { ...fields, mark: known } : fields;
}

export function readOptions(text: unknown): WaveOptions | undefined {
  const stored = parsedText(text);
  return isObject(stored) ? byName(stored, (one) => (isObject(one) ? one : undefined)) : undefined;
}

export function readEarlier(text: unknown): EarlierMachines {
  return byName(parsedText(text), (stored) => {
    if (!isObject(stored)) return undefined;
    const { name, isComplete, ids } = stored;
    return { name: readText(name) ?? "", isComplete: isComplete === true, ids: readTexts(ids) ?? [] };
  });
}

export function readBetween(text: unknown): BetweenRecord {
  return byName(parsedText(text), (stored) => {
    const [digest, run] = isObject(stored) ? [readText(stored["digest"]), readText(stored["run"])] : [];
    return digest === undefined || run === undefined ? undefined : { digest, run };
  });
}

function byName<Value>(stored: unknown, read: (one: unknown) => Value | undefined): Record<string, Value> {
  const known = entriesOf(stored).flatMap(([name, one]): [string, Value][] => {
    const value = read(one);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(known);
}

/** The logs of a wave: of each restore the panel's log, then what its checks printed. A state has them only if it was written with its secrets. */
export function readLogs(text: unknown): Readonly<Record<string, string>> {
  return byName(parsedText(text), (stored) => {
    if (!isObject(stored)) return undefined;
    const checks = entriesOf(stored["checks"]).map(([name, output]) => `check ${name}:\n${readText(output) ?? ""}`);
    const parts = [readText(stored["log"]) ?? "", ...checks].filter((part) => part !== "");
    return parts.length === 0 ? undefined : parts.join("\n\n");
  });
}

export function parsedText(text: unknown): unknown {
  if (typeof text !== "string") return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
