import { readPointRule, type PointRule } from "../../provider/inputs/read-point-rule";
import { readMark } from "../../provider/inputs/restore-inputs";
import { asList, deepEqual, isObject, own, type Properties } from "../../provider/plain/plain";
import {
  type FieldReader,
  readFlag,
  readNumber,
  readOneOf,
  readText,
  readTexts,
} from "../../provider/plain/stored-fields";
import {
  byName,
  eachOf,
  number,
  or,
  parsedText,
  readAllTexts,
  reader,
  readTrue,
  type Stored,
  text,
  texts,
  unlessEmpty,
  wholeReader,
} from "./read";

/**
 * The forms in which a plan is stored in a stack's state, each declared once, by its reader, and their texts. Whatever grows with the number of restores
 * is a JSON text: the engine processes nested values leaf by leaf, and sorts their names, although their order matters for each machine.
 */

const readProperties: FieldReader<Properties> = (stored) => (isObject(stored) ? stored : undefined);
const readList: FieldReader<readonly unknown[]> = (stored) => (Array.isArray(stored) ? stored : undefined);

const readRule: FieldReader<PointRule> = (stored) => {
  const reading = isObject(stored) ? readPointRule(stored) : undefined;
  return reading !== undefined && "value" in reading ? reading.value : undefined;
};

const formParts = {
  /** Only for a restore of files. */
  paths: readTexts,
  triggers: unlessEmpty(or<readonly unknown[], readonly unknown[]>(readList, [])),
  /** The rule comes from its wave or the plan, so a changed rule may affect restores that nobody had in mind. */
  isInherited: readTrue,
};
const formNeeds = {
  machine: readText,
  /** A recovery point's id, or the rule that chooses one. */
  point: (stored: unknown) => readText(stored) ?? readRule(stored),
};

/** What distinguishes one restore from another, in canonical form: rules filled in, ids as strings. An intent's input `declared` has this form. */
export const readForm = reader(formNeeds, formParts);
export type Form = Stored<typeof readForm>;

const readGoals = reader({}, { recoveryTimeSeconds: readNumber, dataAgeSeconds: readNumber });
export type Goals = Stored<typeof readGoals>;

const readCheck = reader(
  {
    /** Unique among the restore's checks. By default, the kind, for http and tcp with the host. */
    name: readText,
    kind: readOneOf("http", "tcp", "command"),
    /** A digest of its name, and of what it sends and expects: a change makes it another check. */
    asks: text,
  },
  // Absent times have their defaults.
  { host: readText, everySeconds: readNumber, withinSeconds: readNumber, afterSeconds: readNumber },
);
/** A check as it may be shown. */
export type PlanCheck = Stored<typeof readCheck>;
export type AskedCheck = Pick<PlanCheck, "name" | "asks">;

/** In the form in which a program writes them. */
const optionParts = { adopt: readText, retryFailed: readFlag, captureLog: readText, timeouts: readProperties };

const readPlanRestore = reader(
  { machine: readText, checks: eachOf(readCheck) },
  {
    ...formParts,
    ...optionParts,
    point: readText,
    rule: readRule,
    /** As the program declares it. */
    takenAt: readText,
    goals: readGoals,
  },
);
export type PlanRestore = Stored<typeof readPlanRestore>;

// Restores are in the order of the program.
const readWave = reader({ name: readText, restores: byName(readPlanRestore) }, { goals: readGoals });
export type PlanWave = Stored<typeof readWave>;

const readPlan = reader(
  {
    run: readText,
    kind: or(readOneOf("recovery"), "drill"),
    waves: (stored: unknown) => readList(stored)?.flatMap((wave) => readWave(wave) ?? []),
    onFailure: or(readOneOf("continue"), "stop"),
    onMissedGoal: or(readOneOf("warn"), "fail"),
  },
  {
    goals: readGoals,
    wholeGoals: reader({}, { recoveryTimeSeconds: readNumber }),
    incidentAt: readText,
    notes: (stored: unknown) => (isObject(stored) ? byName(readText)(stored) : undefined),
  },
);
/** The definition of a plan as it may be shown: the JSON text `plan` of a run. */
export type PlanText = Stored<typeof readPlan>;

/** The plan of a run. Undefined unless all of it can be read: without an unknown part, such as a check, a verdict would be too good. */
export function readPlanText(stored: unknown): PlanText | undefined {
  const given = parsedText(stored);
  const plan = readPlan(given);
  return deepEqual(plan, given) ? plan : undefined;
}

/** The pipeline: its `name`, and the `url` of its run. */
const readBy = reader({}, { user: readText, host: readText, pipeline: byName(readText), version: readText });
export type RunBy = Stored<typeof readBy>;

/** `triggers`: of a restore that was taken out within the run, as a text. */
const readPlaced = reader({ wave: readText, id: readText }, { triggers: readText, run: readText });
export type Placed = Stored<typeof readPlaced>;

/** 1. `<plan>-run`: saved before anything is sent. Undefined without a name: then nothing is known about the run. */
export const readRun = reader(
  {
    run: readText,
    startedAt: text,
    /** The process that began the run. When a later process sends a restore first, an earlier one may have sent it without a record. */
    up: text,
    by: or<RunBy, RunBy>(readBy, {}),
    /** A `PlanText`. */
    plan: text,
    /** The parts of the plan that changed after the run began, each with the time of its last change: `waves.data.db`. */
    changed: byName(text),
    earlierRuns: eachOf(reader({ run: readText, startedAt: text }, {})),
    /** A JSON text, by machine: what the previous run asked for, and what was taken out of a wave since, or earlier. An `up` may have sent it without a record. */
    askedBefore: (stored: unknown) => byName(eachOf(readPlaced))(parsedText(stored)),
  },
  {},
);
export type StoredRun = Stored<typeof readRun>;

export const readChosen = reader(
  // The number of points that the panel listed, and of these that the rule allowed.
  { id: readText, takenAt: readText, listed: number, fitted: number },
  /** The plan's `incidentAt`, if it replaced the rule's missing `before`. */
  { incidentAt: readText },
);
export type ChosenPoint = Stored<typeof readChosen>;

const askedNeeds = {
  /** Derived, see `entryId`: the same request has the same id. */
  id: readText,
  /** The key of the mark under which it was requested. */
  mark: readText,
  ...formNeeds,
};
/** With the rule's choice, kept as long as the entry. */
const askedParts = { ...formParts, chosen: readChosen };
const readAsked = reader(askedNeeds, askedParts);
export type AskedFor = Stored<typeof readAsked>;

const readEntry = reader(askedNeeds, {
  ...askedParts,
  /** The earlier requests under its name in this run, oldest first: an `up` without a record may have sent them. */
  asked: unlessEmpty(eachOf(readAsked)),
});
export type Entry = Stored<typeof readEntry>;

/** One mark for all entries that are made in one call, with the process that made it: an entry made by another process may already have been sent. */
const readEntryMark = (stored: unknown) => {
  const mark = readMark(stored);
  return mark && isObject(stored) ? { ...mark, process: text(stored["process"]) } : undefined;
};
export type EntryMark = Stored<typeof readEntryMark>;

const readIntent = reader(
  { entries: byName(readEntry), marks: byName(readEntryMark) },
  // The requests in this run under names that the plan no longer has.
  { gone: unlessEmpty(byName(eachOf(readAsked))) },
);
/** 2. The JSON text `restores` of a wave's intent: its entries in the order of the program. */
export type IntentText = Stored<typeof readIntent>;

/** Undefined if the text is invalid: then it is unknown what was requested. */
export const readIntentText = (stored: unknown): IntentText | undefined => readIntent(parsedText(stored));

/** In place of an `up`: the record of a restore without a plan keeps no times by the runner's clock. */
export const noUp = "";

const sentParts = {
  /** Absent only for a restore without a plan whose machine is a secret. */
  machine: readText,
  point: readText,
  paths: readAllTexts,
  /** The place in the list above which the restore appears. Kept until it is complete. */
  mark: readMark,
  /** The value of `adopt` at that time. */
  adopt: readText,
};
const eventReaders = {
  posted: wholeReader(
    { did: readOneOf("posted"), up: readText, answer: or(readOneOf("accepted"), "unknown") },
    /** How long a later attempt searched for a restore that an earlier attempt had sent. */
    { ...sentParts, waitedSeconds: readNumber },
  ),
  adopted: wholeReader(
    // `found`: an earlier attempt had sent it. `named`: by `adopt`.
    { did: readOneOf("adopted"), up: readText, why: or(readOneOf("named"), "found") },
    sentParts,
  ),
  listed: wholeReader({ did: readOneOf("listed"), ids: readAllTexts }, {}),
  ended: wholeReader(
    { did: readOneOf("ended"), status: readOneOf("complete", "failed", "cancelled") },
    {
      /** By the panel's clock, as the panel wrote them. */
      requestedAt: readText,
      startedAt: readText,
      finishedAt: readText,
      /** The restore itself is complete, and this transaction of the same job failed. */
      failedPart: readText,
      /** The transaction that is the restore itself, if it is not the last. */
      transactionId: readText,
      /** It had ended before this `up` read the list: nobody waited for the end, so our own clock has no time for it. */
      isFound: readTrue,
      warnings: readTexts,
    },
  ),
  stopped: wholeReader(
    // `unknown`: this `up` did not send it, but an earlier `up` may have.
    { did: readOneOf("stopped"), sent: or(readOneOf("no", "yes"), "unknown"), why: readText },
    {
      status: readOneOf("sent", "pending", "running"),
      /** See `RestoreRecord`. */
      isGuess: readFlag,
      /** The key of the mark above which it was searched for, while it is unknown whether it was sent. */
      mark: readText,
      /** `lost`: requested by an `up` without a record. `refused`: no `up` can have sent it. `kept`: complete, and only a shared rule changed. */
      because: readOneOf("lost", "kept", "refused"),
    },
  ),
  checked: wholeReader(
    { did: readOneOf("checked"), check: readText, asks: readText, passed: readFlag, attempts: number, seconds: number },
    // `later`: it was added to the plan after the restore was complete.
    { why: readText, later: readTrue },
  ),
};
type Events = { [Did in keyof typeof eventReaders]: Stored<(typeof eventReaders)[Did]> };
export type PostedEvent = Events["posted"];
export type AdoptedEvent = Events["adopted"];
export type EndedEvent = Events["ended"];
/** An `up` gave up on a restore: nothing was sent, or a limit passed. */
export type StoppedEvent = Events["stopped"];
export type CheckedEvent = Events["checked"];
/** What happened to a restore. `at` is measured by our own clock; `entry` names the entry concerned. */
export type RestoreEvent = { readonly at: string; readonly entry: string } & Events[keyof Events];

/** An unreadable event is still an event: it is kept as a stop after which it is unknown what was sent. */
function readEvent(stored: unknown): RestoreEvent {
  const { did, at, entry, machine }: Properties = isObject(stored) ? stored : {};
  const readers: Readonly<Record<string, FieldReader<Events[keyof Events]>>> = eventReaders;
  const event = own(readers, String(did))?.(stored);
  const isOfPlan = event !== undefined && (!("up" in event) || machine !== undefined);
  if (isOfPlan && typeof at === "string" && typeof entry === "string") return { at, entry, ...event };
  const unknown = { did: "stopped", sent: "unknown", why: "a part of its stored record cannot be read" } as const;
  return { at: text(at), entry: text(entry), ...unknown };
}

/** `form`: see `formDigest`, since ids of entries differ by run. `asks`: the checks that have passed. */
const readProof = reader({ run: readText, panel: readText, at: readText, form: readText, asks: texts }, {});
/** The last time that a run completed a restore and its checks passed. Kept across runs. */
export type Proof = Stored<typeof readProof>;

const readUnfinished = reader({ name: text, machine: readText, ids: readTexts }, {});
/** Transactions whose end is not stored. */
export type Unfinished = Stored<typeof readUnfinished>;

const readEarlierSends = reader({ ids: texts, unfinished: eachOf(readUnfinished) }, { panel: readText });
/** No later run takes the transactions of an earlier run, or sends anything to a machine while they run. */
export type EarlierSends = Stored<typeof readEarlierSends>;

/** `at`: when it was sent, by our own clock; empty if that is not known. */
const readWholeRestore = reader(
  { name: text, machine: readText, at: text, ids: texts },
  { panel: readText, requestedAt: readText },
);
/** A restore of a whole machine, whatever its outcome: it may have overwritten earlier restores. */
export type WholeRestore = Stored<typeof readWholeRestore>;

const readWaveRecord = reader(
  {
    /** Oldest first. */
    restores: byName((events) => asList(events).map(readEvent) as readonly RestoreEvent[]),
    proofs: byName(readProof),
  },
  {
    /** The entries that are complete and checked. Only new triggers restore them again. */
    done: unlessEmpty(byName(readText)),
    /** How many requests under a name have been dealt with, if there was more than one. */
    settled: unlessEmpty(byName(readNumber)),
    /** The panel on which it was sent. */
    panel: readText,
    /** The machines to which an `up` without a record may have sent a restore of this plan, and nothing was sent since. */
    lost: readTexts,
    /** The transactions of each earlier run, oldest first. */
    earlierSends: unlessEmpty(eachOf(readEarlierSends)),
    /** The last restore of each whole machine in earlier runs. */
    machines: unlessEmpty(eachOf(readWholeRestore)),
  },
);
/** 3. The JSON text `record` of a wave. Nothing is removed from it within a run. */
export type WaveRecord = Stored<typeof readWaveRecord>;

export const readRecord = (stored: unknown): WaveRecord | undefined => readWaveRecord(parsedText(stored));

const readAskedCheck = reader({ name: readText, asks: readText }, {});
const readSentCheck = (stored: unknown) => {
  const asked = readAskedCheck(stored);
  return asked && isObject(stored) ? { ...stored, ...asked } : undefined;
};
const readOptionsText = reader({}, { ...optionParts, checks: unlessEmpty(eachOf(readSentCheck)) });
export type RestoreOptionsText = Stored<typeof readOptionsText>;
/** 4. The secret input `__options` of a wave, a JSON text by the restore's name. It does not affect what is sent. */
export type WaveOptions = Readonly<Record<string, RestoreOptionsText>>;

export function readOptions(stored: unknown): WaveOptions | undefined {
  const options = parsedText(stored);
  return isObject(options) ? byName(readOptionsText)(options) : undefined;
}

const readWaveLogs = byName(reader({}, { log: readText, checks: byName(readText) }));
/** By the restore's name: the panel's log, and the output of its failed checks. */
export type WaveLogs = Stored<typeof readWaveLogs>;

/** The logs of a wave, a text for each restore. A state has them only if it was written with its secrets. */
export function readLogs(given: unknown): Readonly<Record<string, string>> {
  const texts = Object.entries(readWaveLogs(parsedText(given))).map(([name, { log = "", checks = {} }]) => {
    const printed = Object.entries(checks).map(([check, output]) => `check ${check}:\n${output}`);
    return [name, [log, ...printed].filter((part) => part !== "").join("\n\n")] as const;
  });
  return Object.fromEntries(texts.filter(([, text]) => text !== ""));
}

/** A wave and its intent as they are stored. */
export interface JudgedWave extends IntentText, Omit<WaveRecord, "proofs"> {
  readonly name: string;
  /** The run of the intent's present request, whatever the wave has last seen. */
  readonly intentRun: string | undefined;
  /** An update of the wave is under way, or was interrupted: a restore without a record may have been sent. */
  readonly isPending: boolean;
  readonly waveRun: string | undefined;
  readonly logs: Readonly<Record<string, string>>;
}
