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
} from "./read";

/**
 * The forms in which a plan is stored in a stack's state, each declared once, by its reader. Data that grows with the number of restores is stored as JSON
 * text, because the engine processes nested values leaf by leaf and sorts their names, which would lose the order of each machine's restores.
 */

const readProperties: FieldReader<Properties> = (stored) => (isObject(stored) ? stored : undefined);
const readList: FieldReader<readonly unknown[]> = (stored) => (Array.isArray(stored) ? stored : undefined);

const readRule: FieldReader<PointRule> = (stored) => {
  const reading = isObject(stored) ? readPointRule(stored) : undefined;
  return reading !== undefined && "value" in reading ? reading.value : undefined;
};

const formParts = {
  /** Only for a file restore. */
  paths: readTexts,
  triggers: unlessEmpty(or<readonly unknown[], readonly unknown[]>(readList, [])),
  /** The rule comes from the wave or the plan, so someone who changes the rule may not have thought of this restore. */
  isInherited: readTrue,
};
const formNeeds = {
  machine: readText,
  /** A recovery point's id, or the rule that chooses the point. */
  point: (stored: unknown) => readText(stored) ?? readRule(stored),
};

/** What distinguishes one restore from another, in canonical form, with rules filled in and ids as strings. An intent's input `declared` has this form. */
export const readForm = reader(formNeeds, formParts);
export type Form = Stored<typeof readForm>;

const readGoals = reader({}, { recoveryTimeSeconds: readNumber, dataAgeSeconds: readNumber });
export type Goals = Stored<typeof readGoals>;

const readCheck = reader(
  {
    /** Unique among the restore's checks. By default, the kind, followed by the host for http and tcp. */
    name: readText,
    kind: readOneOf("http", "tcp", "command"),
    /** A digest of the check's name and of what it sends and expects. Any change makes it a different check. */
    asks: text,
  },
  // Absent times have their default values.
  { host: readText, everySeconds: readNumber, withinSeconds: readNumber, afterSeconds: readNumber },
);
/** A check as it may be shown. */
export type PlanCheck = Stored<typeof readCheck>;
export type AskedCheck = Pick<PlanCheck, "name" | "asks">;

const readPlanRestore = reader(
  { machine: readText, checks: eachOf(readCheck) },
  {
    ...formParts,
    // As written in the program.
    ...{ adopt: readText, retryFailed: readFlag, captureLog: readText, timeouts: readProperties },
    point: readText,
    rule: readRule,
    /** As the program declares it. */
    takenAt: readText,
    goals: readGoals,
  },
);
export type PlanRestore = Stored<typeof readPlanRestore>;

// Restores are in program order.
const readWave = reader({ name: readText, restores: byName(readPlanRestore) }, { goals: readGoals });
export type PlanWave = Stored<typeof readWave>;

const readPlan = reader(
  {
    run: readText,
    kind: or(readOneOf("recovery"), "drill"),
    waves: (stored: unknown) =>
      readList(stored)
        ?.map(readWave)
        .filter((wave) => wave !== undefined),
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

/** The plan of a run. Undefined if any part cannot be read: ignoring an unknown part, such as a check, could improve the verdict. */
export function readPlanText(stored: unknown): PlanText | undefined {
  const given = parsedText(stored);
  const plan = readPlan(given);
  return deepEqual(plan, given) ? plan : undefined;
}

/** `pipeline`: its `name`, and the `url` of its run. */
const readBy = reader({}, { user: readText, host: readText, pipeline: byName(readText), version: readText });
export type RunBy = Stored<typeof readBy>;

/** `triggers`: as text, only for a restore that was removed from its wave during the run. */
const readPlaced = reader({ wave: readText, id: readText }, { triggers: readText, run: readText });

/** 1. `<plan>-run`: saved before anything is sent. Undefined without the run's name, because nothing is then known about the run. */
export const readRun = reader(
  {
    run: readText,
    startedAt: text,
    /** The process that began the run. If a later process is the first to record a restore, an earlier process may have sent it. */
    up: text,
    by: or<RunBy, RunBy>(readBy, {}),
    /** A `PlanText`. */
    plan: text,
    /** The parts of the plan, such as `waves.data.db`, that changed after the run began, each with the time of its last change. */
    changed: byName(text),
    earlierRuns: eachOf(reader({ run: readText, startedAt: text }, {})),
    /** JSON text, by machine: requests of earlier runs, and requests removed from a wave. An `up` may have sent any of them without recording it. */
    askedBefore: (stored: unknown) => byName(eachOf(readPlaced))(parsedText(stored)),
  },
  {},
);
export type StoredRun = Stored<typeof readRun>;

export const readChosen = reader(
  // How many points the panel listed, and how many of them matched the rule.
  { id: readText, takenAt: readText, listed: number, fitted: number },
  /** The plan's `incidentAt`, if the rule has no `before` and used this time instead. */
  { incidentAt: readText },
);
export type ChosenPoint = Stored<typeof readChosen>;

const askedNeeds = {
  /** Derived by `entryId`, so that the same request has the same id. */
  id: readText,
  /** The key of the request's mark in the intent's `marks`. */
  mark: readText,
  ...formNeeds,
};
/** `chosen`: the point that the rule chose. It stays the same as long as the entry exists. */
const askedParts = { ...formParts, chosen: readChosen };
const readAsked = reader(askedNeeds, askedParts);
export type AskedFor = Stored<typeof readAsked>;

const readEntry = reader(askedNeeds, {
  ...askedParts,
  /** This restore's earlier requests in the run, oldest first. An `up` may have sent them without recording it. */
  asked: unlessEmpty(eachOf(readAsked)),
});
export type Entry = Stored<typeof readEntry>;

/** The mark of all entries made in one call, and the process that made them. Restores requested by another process may already have been sent. */
const readEntryMark = (stored: unknown) => {
  const mark = readMark(stored);
  return mark && isObject(stored) ? { ...mark, process: text(stored["process"]) } : undefined;
};
export type EntryMark = Stored<typeof readEntryMark>;

const readIntent = reader(
  { entries: byName(readEntry), marks: byName(readEntryMark) },
  // This run's requests for restores that the plan no longer has.
  { gone: unlessEmpty(byName(eachOf(readAsked))) },
);
/** 2. The JSON text `restores` of a wave's intent: its entries in program order. */
export type IntentText = Stored<typeof readIntent>;

/** Undefined if the text is invalid, in which case it is unknown what was requested. */
export const readIntentText = (stored: unknown): IntentText | undefined => readIntent(parsedText(stored));

/** Used in place of an `up`'s id for a restore without a plan, whose record contains no times by the runner's clock. */
export const noUp = "";

const sentParts = {
  /** Absent only if a restore without a plan has a secret machine. */
  machine: readText,
  point: readText,
  paths: readAllTexts,
  /** The place in the list above which the restore appears. Kept until the restore is complete. */
  mark: readMark,
  /** The value of `adopt` at that time. */
  adopt: readText,
};
const eventReaders = {
  posted: reader(
    { did: readOneOf("posted"), up: readText, answer: readOneOf("accepted", "unknown") },
    /** How long a later attempt searched for a restore that an earlier attempt had sent. */
    { ...sentParts, waitedSeconds: readNumber },
  ),
  adopted: reader(
    // `found`: an earlier attempt had sent the restore. `named`: `adopt` names the transaction.
    { did: readOneOf("adopted"), up: readText, why: readOneOf("named", "found") },
    /** When it was adopted, by the panel's clock. */
    { ...sentParts, panelAt: readText },
  ),
  listed: reader({ did: readOneOf("listed"), ids: readAllTexts }, {}),
  ended: reader(
    { did: readOneOf("ended"), status: readOneOf("complete", "failed", "cancelled") },
    {
      /** By the panel's clock, as the panel wrote them. */
      requestedAt: readText,
      startedAt: readText,
      finishedAt: readText,
      /** The transaction that failed in the same job, although the restore itself is complete. */
      failedPart: readText,
      /** The transaction that is the restore itself, if it is not the last. */
      transactionId: readText,
      /** The restore had ended before this `up` read the list. Nobody saw it end, so our own clock has no time for the end. */
      isFound: readTrue,
      warnings: readTexts,
    },
  ),
  stopped: reader(
    // `unknown`: this `up` did not send the restore, but an earlier `up` may have.
    { did: readOneOf("stopped"), sent: readOneOf("no", "yes", "unknown"), why: readText },
    {
      status: readOneOf("sent", "pending", "running"),
      /** See `RestoreRecord`. */
      isGuess: readFlag,
      /** The key of the mark above which to search while it is unknown whether the restore was sent. */
      mark: readText,
      /** `lost`: requested by an `up` that left no record. `refused`: no `up` can have sent it. `kept`: complete, and only a shared rule changed. */
      because: readOneOf("lost", "kept", "refused"),
    },
  ),
  checked: reader(
    { did: readOneOf("checked"), check: readText, asks: readText, passed: readFlag, attempts: number, seconds: number },
    // `later`: the check was added to the plan after the restore was complete.
    { why: readText, later: readTrue },
  ),
};
type Events = { [Did in keyof typeof eventReaders]: Stored<(typeof eventReaders)[Did]> };
export type PostedEvent = Events["posted"];
export type AdoptedEvent = Events["adopted"];
export type EndedEvent = Events["ended"];
/** An `up` gave up on a restore, because nothing was sent or a time limit had passed. */
export type StoppedEvent = Events["stopped"];
export type CheckedEvent = Events["checked"];
/** What happened to a restore. `at` is by our own clock; `entry` is the id of the entry concerned. */
export type RestoreEvent = { readonly at: string; readonly entry: string } & Events[keyof Events];

/** An event is not dropped if a part of it cannot be read: it becomes a stop after which it is unknown what was sent. Without its mark, an older mark is used. */
function readEvent(stored: unknown): RestoreEvent {
  const fields: Properties = isObject(stored) ? stored : {};
  const readers: Readonly<Record<string, FieldReader<Events[keyof Events]>>> = eventReaders;
  const event = own(readers, String(fields["did"]))?.(stored);
  const stamps = { at: text(fields["at"]), entry: text(fields["entry"]) };
  const isOfPlan = event !== undefined && (!("up" in event) || event.machine !== undefined);
  const isRead = (name: string): boolean => isOfPlan && (name in event || ["at", "entry", "mark"].includes(name));
  if (isOfPlan && Object.keys(fields).every(isRead)) return { ...stamps, ...event };
  return { ...stamps, did: "stopped", sent: "unknown", why: "part of its stored record cannot be read" };
}

/** `form`: a `formDigest`, because entry ids differ from run to run. `asks`: the checks that have passed. */
const readProof = reader({ run: readText, panel: readText, at: readText, form: readText, asks: texts }, {});
/** The last time that a run completed a restore and its checks passed. Kept across runs. */
export type Proof = Stored<typeof readProof>;

const readUnfinished = reader({ name: text, machine: readText, ids: readTexts }, {});
/** Transactions whose outcome is not stored. */
export type Unfinished = Stored<typeof readUnfinished>;

const readEarlierSends = reader({ ids: texts, unfinished: eachOf(readUnfinished) }, { panel: readText });
/** What an earlier run sent. No later run adopts these transactions, or sends anything to a machine while its transactions are running. */
export type EarlierSends = Stored<typeof readEarlierSends>;

/** `at`: when the restore was sent, by our own clock; empty if unknown. */
const readWholeRestore = reader(
  { name: text, machine: readText, at: text, ids: texts },
  { panel: readText, requestedAt: readText },
);
/** A restore of a whole machine. Whatever its outcome, it may have overwritten earlier restores. */
export type WholeRestore = Stored<typeof readWholeRestore>;

const readWaveRecord = reader(
  {
    /** The events of each restore, oldest first. */
    restores: byName((events) => asList(events).map(readEvent) as readonly RestoreEvent[]),
    proofs: byName(readProof),
  },
  {
    /** The entries that are complete and checked. They are restored again only with new triggers. */
    done: unlessEmpty(byName(readText)),
    /** How many requests for each restore have been dealt with, if there was more than one. */
    settled: unlessEmpty(byName(readNumber)),
    /** The panel to which the restores were sent. */
    panel: readText,
    /** The machines to which an `up` may have sent a restore from this plan without recording it, if nothing has been sent to them since. */
    lost: readTexts,
    /** The transactions of each earlier run, oldest first. */
    earlierSends: unlessEmpty(eachOf(readEarlierSends)),
    /** The last whole-machine restore of each machine in earlier runs. */
    machines: unlessEmpty(eachOf(readWholeRestore)),
  },
);
/** 3. The JSON text `record` of a wave. Nothing is removed from it during a run. */
export type WaveRecord = Stored<typeof readWaveRecord>;

export const readRecord = (stored: unknown): WaveRecord | undefined => readWaveRecord(parsedText(stored));

/** The logs of a wave, by restore name. They are readable only if the state has its secrets in plain text. */
export const readLogs = (stored: unknown): JudgedWave["logs"] => byName(readText)(parsedText(stored));

/** A wave and its intent, as stored. */
export interface JudgedWave extends IntentText, Omit<WaveRecord, "proofs"> {
  readonly name: string;
  /** The run of the intent's current requests, even if the wave has not dealt with them yet. */
  readonly intentRun: string | undefined;
  /** True if an update of the wave is under way, or was interrupted, so that a restore may have been sent without being recorded. */
  readonly isPending: boolean;
  readonly waveRun: string | undefined;
  /** The panel's log and the output of failed checks, by restore name. */
  readonly logs: Readonly<Record<string, string>>;
}
