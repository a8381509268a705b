import { readPointRule } from "../../provider/inputs/read-point-rule";
import { readMark } from "../../provider/inputs/restore-inputs";
import { asList, deepEqual, entriesOf, isObject, type Properties } from "../../provider/plain/plain";
import {
  type FieldReader,
  readFlag,
  readNumber,
  readOneOf,
  readStored,
  readText,
  readTexts,
} from "../../provider/plain/stored-fields";
import type {
  AskedFor,
  ChosenPoint,
  EarlierRun,
  EarlierSends,
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
  Unfinished,
  WaveOptions,
  WaveRecord,
  WholeRestore,
} from "./stored";

/** Readers of the stored forms. A state may have been edited, or be of a later version: what cannot be read never makes a verdict better. */

type Table<Stored> = { readonly [Name in keyof Stored]-?: FieldReader<Exclude<Stored[Name], undefined>> };

/** Reads an object, field by field; undefined if a field that it needs cannot be read. */
function reader<Stored extends object>(
  table: Table<Stored>,
  ...needed: readonly (keyof Stored)[]
): FieldReader<Stored> {
  return (stored) => {
    if (!isObject(stored)) return undefined;
    const read = readStored(table as never, stored) as Stored;
    return needed.every((name) => name in read) ? read : undefined;
  };
}

const or =
  <Value>(read: FieldReader<Value>, otherwise: Value) =>
  (stored: unknown): Value =>
    read(stored) ?? otherwise;
const listOf =
  <Value>(read: FieldReader<Value>) =>
  (stored: unknown): readonly Value[] =>
    asList(stored).flatMap((one) => {
      const value = read(one);
      return value === undefined ? [] : [value];
    });
const byName =
  <Value>(read: FieldReader<Value>) =>
  (stored: unknown): Readonly<Record<string, Value>> => {
    const known = entriesOf(stored).flatMap(([name, one]): [string, Value][] => {
      const value = read(one);
      return value === undefined ? [] : [[name, value]];
    });
    return Object.fromEntries(known);
  };
const unlessEmpty =
  <Value extends object>(read: (stored: unknown) => Value): FieldReader<Value> =>
  (stored) => {
    const value = read(stored);
    return Object.keys(value).length === 0 ? undefined : value;
  };
const text = or(readText, "");
const number = or(readNumber, 0);
const texts = or<readonly string[]>(readTexts, []);
const readProperties: FieldReader<Properties> = (stored) => (isObject(stored) ? stored : undefined);
const readList: FieldReader<readonly unknown[]> = (stored) => (Array.isArray(stored) ? stored : undefined);

const readRule: FieldReader<Exclude<Form["point"], string>> = (stored) => {
  const reading = isObject(stored) ? readPointRule(stored) : undefined;
  return reading !== undefined && "value" in reading ? reading.value : undefined;
};

const readTrue: FieldReader<true> = (stored) => (stored === true ? true : undefined);
const formParts = {
  paths: readTexts,
  triggers: unlessEmpty(or(readList, [])),
  machine: readText,
  isInherited: readTrue,
};
const formTable: Table<Form> = { ...formParts, point: (stored) => readText(stored) ?? readRule(stored) };

/** A restore as the program declares it, in the input `declared` of an intent. */
export const readForm = reader<Form>(formTable, "machine", "point");

const readGoals = reader<Goals>({ recoveryTimeSeconds: readNumber, dataAgeSeconds: readNumber });

const checkKinds: Readonly<Record<PlanCheck["kind"], true>> = { http: true, tcp: true, command: true };

const readCheck = reader<PlanCheck>(
  {
    name: readText,
    kind: readOneOf(...(Object.keys(checkKinds) as (keyof typeof checkKinds)[])),
    asks: text,
    host: readText,
    everySeconds: readNumber,
    withinSeconds: readNumber,
    afterSeconds: readNumber,
  },
  "name",
  "kind",
);

const readPlanRestore = reader<PlanRestore>(
  {
    ...formParts,
    point: readText,
    rule: readRule,
    takenAt: readText,
    goals: readGoals,
    checks: listOf(readCheck),
    adopt: readText,
    retryFailed: readFlag,
    captureLog: readText,
    timeouts: readProperties,
  },
  "machine",
);

const readWave = reader<PlanWave>({ name: readText, goals: readGoals, restores: byName(readPlanRestore) }, "name");

const readPlan = reader<PlanText>(
  {
    run: readText,
    kind: or<PlanText["kind"]>(readOneOf("recovery"), "drill"),
    waves: (stored) => readList(stored)?.flatMap((wave) => readWave(wave) ?? []),
    onFailure: or<PlanText["onFailure"]>(readOneOf("continue"), "stop"),
    onMissedGoal: or<PlanText["onMissedGoal"]>(readOneOf("warn"), "fail"),
    goals: readGoals,
    wholeGoals: readGoals,
    incidentAt: readText,
    notes: (stored) => (isObject(stored) ? byName(readText)(stored) : undefined),
  },
  "run",
  "waves",
);

/** The plan of a run. Undefined unless all of it can be read: without a part that it does not know, such as a check, a verdict would be better. */
export function readPlanText(stored: unknown): PlanText | undefined {
  const given = parsedText(stored);
  const plan = readPlan(given);
  return deepEqual(plan, given) ? plan : undefined;
}

/** The outputs of a run. Undefined without a name: then nothing is known about the run. */
export const readRun = reader<StoredRun>(
  {
    run: readText,
    startedAt: text,
    up: text,
    by: or(readProperties, {}),
    plan: text,
    changed: byName(text),
    earlierRuns: listOf(reader<EarlierRun>({ run: readText, startedAt: text }, "run")),
    takenOut: unlessEmpty(byName(byName(readText))),
  },
  "run",
);

export const readChosen = reader<ChosenPoint>(
  { id: readText, takenAt: readText, listed: number, fitted: number, incidentAt: readText },
  "id",
  "takenAt",
);

const askedTable: Table<AskedFor> = { id: readText, mark: readText, ...formTable, chosen: readChosen };
const askedNeeds = ["id", "mark", "machine", "point"] as const;
const readAsked = listOf(reader<AskedFor>(askedTable, ...askedNeeds));
const readEntry = reader<Entry>({ ...askedTable, asked: unlessEmpty(readAsked) }, ...askedNeeds);

const readEntryMark: FieldReader<EntryMark> = (stored) => {
  const mark = readMark(stored);
  return mark && isObject(stored) ? { ...mark, process: text(stored["process"]) } : undefined;
};

const readIntent = reader<IntentText>({
  entries: byName(readEntry),
  marks: byName(readEntryMark),
  gone: unlessEmpty(byName(readAsked)),
});

/** The entries of a wave's intent. Undefined if the text is invalid: then it is unknown what was requested. */
export const readIntentText = (stored: unknown): IntentText | undefined => readIntent(parsedText(stored));

const readWaveRecord = reader<WaveRecord>({
  restores: byName((events) => asList(events).map(readEvent)),
  proofs: byName(
    reader<Proof>(
      { run: readText, panel: readText, at: readText, form: readText, asks: texts },
      "run",
      "panel",
      "at",
      "form",
    ),
  ),
  done: unlessEmpty(byName(readText)),
  settled: unlessEmpty(byName(readNumber)),
  panel: readText,
  earlierSends: unlessEmpty(
    listOf(
      reader<EarlierSends>({
        panel: readText,
        ids: texts,
        unfinished: listOf(reader<Unfinished>({ name: text, machine: readText, ids: readTexts }, "machine", "ids")),
      }),
    ),
  ),
  machines: unlessEmpty(
    listOf(
      reader<WholeRestore>(
        { name: text, machine: readText, panel: readText, at: text, ids: texts, requestedAt: readText },
        "machine",
      ),
    ),
  ),
});

/** The record of a wave. Undefined if the text is invalid. */
export const readRecord = (stored: unknown): WaveRecord | undefined => readWaveRecord(parsedText(stored));

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

export function readOptions(stored: unknown): WaveOptions | undefined {
  const options = parsedText(stored);
  return isObject(options) ? byName(readProperties)(options) : undefined;
}

/** The logs of a wave: of each restore the panel's log, then what its checks printed. A state has them only if it was written with its secrets. */
export function readLogs(given: unknown): Readonly<Record<string, string>> {
  return byName((stored) => {
    if (!isObject(stored)) return undefined;
    const checks = entriesOf(stored["checks"]).map(([name, output]) => `check ${name}:\n${readText(output) ?? ""}`);
    const parts = [readText(stored["log"]) ?? "", ...checks].filter((part) => part !== "");
    return parts.length === 0 ? undefined : parts.join("\n\n");
  })(parsedText(given));
}

export function parsedText(stored: unknown): unknown {
  if (typeof stored !== "string") return undefined;
  try {
    return JSON.parse(stored) as unknown;
  } catch {
    return undefined;
  }
}
