import { omitUndefined, type Properties } from "../../provider/plain/plain";
import type { PointRule } from "../../provider/inputs/read-point-rule";
import { measuredSeconds } from "../../provider/plain/clock";
import { transactionOf, whatHappened, type Attempt, type RestoreState } from "../judge/history";
import { readForm, readIntentText, readRecord } from "../judge/read";
import type { IntentText, PlannedGoalResult, WaveRecord } from "../judge/stored";

/** The result of one restore of a plan. Times are by the panel's clock; a field that is not known is absent. */
export interface PlannedRestoreResult {
  /** The name of its wave. */
  readonly wave: string;
  /** `not sent`, `sent`, `pending`, `running`, `complete`, `failed` or `cancelled`. */
  readonly status: RestoreState;
  /** The machine. */
  readonly virtualMachineId: string;
  /** The recovery point, as given or as chosen by a rule. */
  readonly recoveryPointId?: string;
  /** The time at which the point chosen by a rule was taken. */
  readonly recoveryPointTakenAt?: string;
  /** The files and folders, unless the whole machine is restored. */
  readonly paths?: readonly string[];
  /** The last transaction of the restore. */
  readonly transactionId?: string;
  /** All its transactions, oldest first. */
  readonly transactionIds: readonly string[];
  /** The time at which the panel recorded the request. */
  readonly requestedAt?: string;
  /** The time at which it started. */
  readonly startedAt?: string;
  /** The time at which it ended. */
  readonly finishedAt?: string;
  /** From `startedAt` to `finishedAt`. */
  readonly durationSeconds?: number;
  /** How often the restore was sent or taken in this run. */
  readonly attempts: number;
  /** The last result of each check that has run, by its name. */
  readonly checks: Readonly<Record<string, PlannedCheckResult>>;
  /** Its own goals, with what was measured. */
  readonly goals: readonly PlannedGoalResult[];
}

/** The last result of a check. */
export interface PlannedCheckResult {
  /** Whether it passed. */
  readonly passed: boolean;
  /** From its first attempt to its last attempt. */
  readonly seconds: number;
  /** Why it did not pass. */
  readonly why?: string;
}

/** The texts of an intent and its wave, as they are stored. */
export interface WaveBefore {
  readonly restores: unknown;
  readonly record: unknown;
}

/** The entries of an intent, and the events of its wave. */
function readBefore({ restores, record }: WaveBefore): {
  readonly entries: IntentText["entries"];
  readonly events: WaveRecord["restores"];
} {
  return { entries: readIntentText(restores)?.entries ?? {}, events: readRecord(record)?.restores ?? {} };
}

/** The results of all restores, from the texts of intents and waves. Under mocks that only return inputs, there are none. */
export function plannedResults(
  waves: readonly { readonly name: string; readonly before: WaveBefore }[],
  goals: readonly PlannedGoalResult[],
): Readonly<Record<string, PlannedRestoreResult>> {
  const results = waves.flatMap((wave) => {
    const { entries, events } = readBefore(wave.before);
    return Object.entries(entries).map(([name, entry]) => {
      const { state, counts, attempts } = whatHappened(events[name] ?? [], entry.id);
      const result = omitUndefined<PlannedRestoreResult>({
        wave: wave.name,
        status: state,
        virtualMachineId: entry.machine,
        recoveryPointId: typeof entry.point === "string" ? entry.point : entry.chosen?.id,
        recoveryPointTakenAt: entry.chosen?.takenAt,
        paths: entry.paths,
        transactionId: counts && transactionOf(counts),
        transactionIds: counts?.ids ?? [],
        ...timesOf(counts),
        attempts: attempts.length,
        checks: checksOf(counts),
        goals: goals.filter(({ restore }) => restore === name),
      });
      return [name, result] as const;
    });
  });
  return Object.fromEntries(results);
}

function timesOf({ ended }: Partial<Attempt> = {}): {
  [Name in "requestedAt" | "startedAt" | "finishedAt"]: string | undefined;
} & { readonly durationSeconds: number | undefined } {
  return {
    requestedAt: ended?.requestedAt,
    startedAt: ended?.startedAt,
    finishedAt: ended?.finishedAt,
    durationSeconds: measuredSeconds(ended),
  };
}

function checksOf({ checks = [] }: Partial<Attempt> = {}): PlannedRestoreResult["checks"] {
  return Object.fromEntries(
    checks.map(({ check, passed, seconds, why }) => [check, { passed, seconds, ...(why !== undefined && { why }) }]),
  );
}

export function readGoalResults(text: string | undefined): readonly PlannedGoalResult[] {
  return text === undefined ? [] : (JSON.parse(text) as readonly PlannedGoalResult[]);
}

/** A restore that a plan asks for, as a policy pack sees it. */
export interface PlannedRestore {
  readonly name: string;
  /** The run's name. */
  readonly run: string;
  readonly virtualMachineId: string;
  /** Absent if a rule chooses the point. */
  readonly recoveryPointId?: string;
  /** The rule in canonical form: the moment in UTC, the span in seconds. */
  readonly recoveryPoint?: PointRule;
  readonly paths?: readonly string[];
  readonly triggers: readonly unknown[];
}

/** The restores of a plan's wave, for the rules of a policy pack. Accepts the properties of any resource: only the intent of a wave has restores. */
export function plannedRestores(props: Properties): readonly PlannedRestore[] {
  const { declared, run } = props;
  if (typeof declared !== "string" || typeof run !== "string") return [];
  return Object.entries(JSON.parse(declared) as Properties).flatMap(([name, stored]) => {
    const form = readForm(stored);
    if (form === undefined) return [];
    const { machine, point, paths, triggers = [] } = form;
    const chosen = typeof point === "string" ? { recoveryPointId: point } : { recoveryPoint: point };
    return [{ name, run, virtualMachineId: machine, ...chosen, ...(paths && { paths }), triggers }];
  });
}
