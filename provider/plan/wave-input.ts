import type { PointChoice, RestoreRequest } from "../inputs/intent";
import type { RestoreKind } from "../inputs/restore-table";
import type { StoredCheck, StoredCheckPlan } from "../inputs/read-check";
import type { StoredGoals } from "../inputs/read-goals";
import type { RestoreRecord } from "../inputs/record";

/** One restore that a wave waits for, as the wave is handed it. */
export interface WaveRestore {
  readonly name: string;
  readonly urn: string;
  readonly kind: RestoreKind;
  /** The restore's own inputs in their typed form: its limits hold while the wave waits. */
  readonly request: RestoreRequest;
  /** For whom its transactions are taken: the id of its intent. */
  readonly owner: string;
  /** Which posting it is. Stays as it is when a refresh looks at the restore. */
  readonly posting: string;
  /** What the restore itself has stored: where it was posted, or how it was seen to be since. */
  readonly record: RestoreRecord;
  /** The hash of what its intent was made for; absent where no key is known. */
  readonly madeFor?: string;
  /** As the plan gives it, or of the point that a rule has chosen. */
  readonly recoveryPointTakenAt?: string;
  readonly choice?: PointChoice;
  readonly goals: StoredGoals;
  readonly checks: readonly WaveCheck[];
}

export interface WaveCheck extends StoredCheckPlan, Pick<StoredCheck, "expects"> {
  /** The whole check as the program gave it, to be read when it is tried. May hold secrets. */
  readonly probe: unknown;
}

/** A wave, or a round of it, as its resource is handed it. */
export interface WaveInput {
  readonly plan: string;
  readonly run: string;
  readonly index: number;
  readonly name: string;
  readonly batch: number;
  readonly onFailure: "stop" | "continue";
  /** Whether no later round of this wave follows. The last one tells what is wrong in all of them. */
  readonly isLastBatch: boolean;
  /** Waves that do not start when this one is not good. */
  readonly laterWaves: readonly string[];
  /** What was wrong in earlier rounds of this wave. */
  readonly earlierReasons: readonly string[];
  readonly incidentAt?: string;
  /** The first request of the first wave; absent for that wave itself. */
  readonly firstRequestedAt?: string;
  readonly restores: readonly WaveRestore[];
}
