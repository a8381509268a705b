import type { Mark } from "../../provider/inputs/intent";
import type { FinishedStatus, UnfinishedStatus } from "../../provider/inputs/record";
import type { PointRule } from "../../provider/inputs/read-point-rule";

/**
 * The four forms in which a plan is stored in a stack's state, and their texts. Whatever grows with the number of restores is a JSON text: the engine
 * processes nested values leaf by leaf, and sorts their names, although their order matters for each machine.
 */

/** What distinguishes one restore from another, in canonical form: rules filled in, ids as strings. */
export interface Form {
  readonly machine: string;
  /** A recovery point's id, or the rule that chooses one. */
  readonly point: string | PointRule;
  /** Only for a restore of files. */
  readonly paths?: readonly string[];
  readonly triggers?: readonly unknown[];
  /** The rule is its wave's or the plan's, so a change of it may concern restores that nobody had in mind. */
  readonly isInherited?: true;
}

export interface Goals {
  readonly recoveryTimeSeconds?: number;
  readonly dataAgeSeconds?: number;
}

/** A check as it may be shown. */
export interface PlanCheck {
  /** Unique among the restore's checks. By default, the kind, for http and tcp with the host. */
  readonly name: string;
  readonly kind: "http" | "tcp" | "command";
  /** A digest of its name, and of what it sends and expects: if that changes, it is another check. */
  readonly asks: string;
  readonly host?: string;
  /** Absent times are the default. */
  readonly everySeconds?: number;
  readonly withinSeconds?: number;
  readonly afterSeconds?: number;
}

/** A check by its name, and by what distinguishes it from another check. */
export type AskedCheck = Pick<PlanCheck, "name" | "asks">;

/** A restore as the program declares it. */
export interface PlanRestore extends Omit<Form, "point"> {
  readonly point?: string;
  readonly rule?: PointRule;
  /** When the recovery point was taken, as the program says. */
  readonly takenAt?: string;
  readonly goals?: Goals;
  readonly checks: readonly PlanCheck[];
  readonly adopt?: string;
  readonly retryFailed?: boolean;
  readonly captureLog?: string;
  readonly timeouts?: Readonly<Record<string, unknown>>;
}

export interface PlanWave {
  readonly name: string;
  readonly goals?: Goals;
  /** In the order of the program. */
  readonly restores: Readonly<Record<string, PlanRestore>>;
}

/** The definition of a plan as it may be shown: the JSON text `plan` of a run. */
export interface PlanText {
  readonly run: string;
  readonly kind: "drill" | "recovery";
  readonly goals?: Goals;
  readonly waves: readonly PlanWave[];
  readonly wholeGoals?: Pick<Goals, "recoveryTimeSeconds">;
  readonly onFailure: "stop" | "continue";
  readonly onMissedGoal: "fail" | "warn";
  readonly incidentAt?: string;
  readonly notes?: Readonly<Record<string, string>>;
}

/** Who ran `pulumi up`, and with what. */
export interface RunBy {
  readonly user?: string;
  readonly host?: string;
  /** Its `name`, and the `url` of its run. */
  readonly pipeline?: Readonly<Record<string, string>>;
  readonly version?: string;
}

/** 1. `<plan>-run`: saved before anything is sent. */
export interface StoredRun {
  readonly run: string;
  readonly startedAt: string;
  /** The process that began the run: whatever a later process sends first may have been sent before, by a process that left no record. */
  readonly up: string;
  readonly by: RunBy;
  /** A `PlanText`. */
  readonly plan: string;
  /** The parts of the plan that were changed after the run began, and when each was last changed: `waves.data.db`. */
  readonly changed: Readonly<Record<string, string>>;
  readonly earlierRuns: readonly EarlierRun[];
  /** By machine: the waves that it was taken out of within the run and may have been restored in, each with its restore's triggers as a text. */
  readonly takenOut?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export interface EarlierRun {
  readonly run: string;
  readonly startedAt: string;
}

/** What was asked for under a name. */
export interface AskedFor extends Form {
  /** Derived, see `entryId`: the same restore asked for again has the same id. */
  readonly id: string;
  /** The key of the mark under which it was asked for. */
  readonly mark: string;
  /** The rule's choice, kept as long as the entry. */
  readonly chosen?: ChosenPoint;
}

/** Which restore is asked for. */
export interface Entry extends AskedFor {
  /** What was asked for under its name before, in this run, oldest first: an `up` that left no record may have sent it. */
  readonly asked?: readonly AskedFor[];
}

export interface ChosenPoint {
  readonly id: string;
  readonly takenAt: string;
  /** The number of points that the panel listed, and of these that the rule allowed. */
  readonly listed: number;
  readonly fitted: number;
  /** The plan's `incidentAt`, if it replaced the rule's missing `before`. */
  readonly incidentAt?: string;
}

/** One mark for all entries that are made in one call. */
export interface EntryMark extends Mark {
  /** The process that made it: an entry made by another process may already have been sent. */
  readonly process: string;
}

/** The JSON text `restores` of a wave's intent. */
export interface IntentText {
  /** In the order of the program. */
  readonly entries: Readonly<Record<string, Entry>>;
  readonly marks: Readonly<Record<string, EntryMark>>;
  /** What was asked for in this run under names that the plan no longer has. */
  readonly gone?: Readonly<Record<string, readonly AskedFor[]>>;
}

/** What happened to a restore, oldest first. `at` is measured by our own clock; `entry` names the entry concerned. */
export type RestoreEvent = { readonly at: string; readonly entry: string } & (
  | PostedEvent
  | AdoptedEvent
  | { readonly did: "listed"; readonly ids: readonly string[] }
  | EndedEvent
  | StoppedEvent
  | CheckedEvent
);

interface Sent {
  /** The process that sent or took it. */
  readonly up: string;
  /** Absent only for a restore without a plan whose machine is a secret. */
  readonly machine?: string;
  readonly point?: string;
  readonly paths?: readonly string[];
  /** The place in the list above which the restore appears. Kept until it is complete. */
  readonly mark?: Mark;
  /** What `adopt` named at that time. */
  readonly adopt?: string;
}

export interface PostedEvent extends Sent {
  readonly did: "posted";
  readonly answer: "accepted" | "unknown";
  /** For a later attempt: how long it searched for a restore that an earlier attempt had sent. */
  readonly waitedSeconds?: number;
}

export interface AdoptedEvent extends Sent {
  readonly did: "adopted";
  /** `found`: an earlier attempt had sent it. `named`: by `adopt`. */
  readonly why: "found" | "named";
}

export interface EndedEvent {
  readonly did: "ended";
  readonly status: FinishedStatus;
  /** By the panel's clock, as the panel wrote them. */
  readonly requestedAt?: string;
  readonly startedAt?: string;
  readonly finishedAt?: string;
  /** The restore itself is complete, and this transaction of the same job failed. */
  readonly failedPart?: string;
  /** The transaction that is the restore itself, where that is not the last. */
  readonly transactionId?: string;
  /** It had ended before this `up` looked: nobody waited for the end, so our own clock has no time for it. */
  readonly isFound?: true;
  readonly warnings?: readonly string[];
}

/** An `up` gave up on a restore: nothing was sent, or a limit passed. */
export interface StoppedEvent {
  readonly did: "stopped";
  /** `unknown`: not by this `up`, and an earlier one may have. */
  readonly sent: "no" | "yes" | "unknown";
  readonly why: string;
  readonly status?: UnfinishedStatus;
  /** See `RestoreRecord`. */
  readonly isGuess?: boolean;
  /** The key of the mark above which it was looked for, while it is not known whether it was sent. */
  readonly mark?: string;
  /** An entry that is no longer asked for, or is not sent. `lost`: an `up` that left no record may have sent it. `refused`: no `up` can have sent it. `kept`: complete, and the change is of a rule that is not its own. */
  readonly because?: "lost" | "kept" | "refused";
}

export interface CheckedEvent {
  readonly did: "checked";
  readonly check: string;
  /** See `PlanCheck`. */
  readonly asks: string;
  readonly passed: boolean;
  readonly attempts: number;
  readonly seconds: number;
  readonly why?: string;
  /** The check was added to the plan after the restore was complete. */
  readonly later?: true;
}

/** The last time that a run completed a restore and its checks passed. Kept across runs. */
export interface Proof {
  readonly run: string;
  /** It proves nothing about a machine of another panel. */
  readonly panel: string;
  readonly at: string;
  /** See `formDigest`: ids of entries differ by run. */
  readonly form: string;
  /** The checks that have passed. */
  readonly asks: readonly string[];
}

/** A restore of a whole machine, whatever became of it: it may have overwritten what was restored before. */
export interface WholeRestore {
  readonly name: string;
  readonly machine: string;
  /** Undefined if it is not known. */
  readonly panel?: string | undefined;
  /** When it was sent, by our own clock; empty if that is not known. */
  readonly at: string;
  /** Its transactions, oldest first. */
  readonly ids: readonly string[];
  /** By the panel's clock. */
  readonly requestedAt?: string | undefined;
}

/** The JSON text `record` of a wave. Nothing is removed from it within a run. */
export interface WaveRecord {
  readonly restores: Readonly<Record<string, readonly RestoreEvent[]>>;
  readonly proofs: Readonly<Record<string, Proof>>;
  /** The entries that are complete and checked. Only new triggers restore them again. */
  readonly done?: Readonly<Record<string, string>>;
  /** How many of the entries asked for under a name have been dealt with, where there was more than one. */
  readonly settled?: Readonly<Record<string, number>>;
  /** The panel on which it was sent. */
  readonly panel?: string;
  /** What each earlier run has sent, oldest first. */
  readonly earlierSends?: readonly EarlierSends[];
  /** The last restore of each whole machine in earlier runs. */
  readonly machines?: readonly WholeRestore[];
}

/** No later run takes the transactions of an earlier one, nor sends anything to a machine while they run. */
export interface EarlierSends {
  readonly panel?: string;
  readonly ids: readonly string[];
  readonly unfinished: readonly Unfinished[];
}

/** Transactions whose end is not stored. */
export interface Unfinished {
  readonly name: string;
  readonly machine: string;
  readonly ids: readonly string[];
}

/** By the restore's name: the panel's log, and what its checks printed. */
export type WaveLogs = Readonly<
  Record<string, { readonly log?: string; readonly checks?: Readonly<Record<string, string>> }>
>;

/** A wave and its intent as they are stored. */
export interface JudgedWave {
  readonly name: string;
  readonly intentRun: string | undefined;
  /** An update of the wave is under way, or broke off: what has no record may have been sent. */
  readonly isPending: boolean;
  /** What the intent asks for now, whatever the wave has last seen. */
  readonly entries: IntentText["entries"];
  readonly marks: IntentText["marks"];
  readonly waveRun: string | undefined;
  readonly restores: WaveRecord["restores"];
  readonly done?: WaveRecord["done"] | undefined;
  readonly settled?: WaveRecord["settled"] | undefined;
  /** The panel of its record. */
  readonly panel: string | undefined;
  readonly machines: readonly WholeRestore[];
  readonly gone?: IntentText["gone"];
  /** What the panel and the checks of a restore have written. */
  readonly logs: Readonly<Record<string, string>>;
}

export type VerdictWord = "passed" | "passed with warnings" | "failed" | "incomplete";

/** A goal, with what was measured. */
export interface PlannedGoalResult {
  /** The goal: `recoveryTime` or `dataAge`. */
  readonly goal: "recoveryTime" | "dataAge";
  /** The restore; absent for a goal of the whole plan. */
  readonly restore?: string;
  /** The longest time that meets the goal. */
  readonly targetSeconds: number;
  /** The measured time. */
  readonly measuredSeconds?: number;
  /** `met`, `missed` or `not measured`. */
  readonly result: "met" | "missed" | "not measured";
  /** The clock that the time is by: the panel's, or our own if the panel has no stamps. */
  readonly clock?: "panel" | "own";
  /** The part of a recovery time in which later attempts looked for the restores of earlier ones. */
  readonly waitedSeconds?: number;
}

/** 4. The secret input `__options` of a wave, a JSON text by the restore's name. It decides nothing about what is sent. */
export type WaveOptions = Readonly<Record<string, RestoreOptionsText>>;

export interface RestoreOptionsText {
  /** Each under its name in the plan's text. */
  readonly checks?: readonly (AskedCheck & Readonly<Record<string, unknown>>)[];
  readonly adopt?: string;
  readonly retryFailed?: boolean;
  readonly captureLog?: string;
  /** In the form in which a program writes them. */
  readonly timeouts?: Readonly<Record<string, unknown>>;
}
