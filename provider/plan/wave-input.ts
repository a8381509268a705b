import type { PointChoice, RestoreRequest } from "../inputs/intent";
import type { RestoreKind } from "../inputs/restore-table";
import type { StoredCheck, StoredCheckPlan } from "../inputs/read-check";
import type { RestoreRecord } from "../inputs/record";

/** One restore that a wave waits for. */
export interface WaveRestore {
  readonly name: string;
  readonly kind: RestoreKind;
  /** The restore's own inputs; its limits hold while the wave waits. */
  readonly request: RestoreRequest;
  /** The id of its intent, which claims its transactions. */
  readonly owner: string;
  /** Identifies the posting. A refresh does not change it. */
  readonly posting: string;
  /** The restore's own stored record. */
  readonly record: RestoreRecord;
  /** The VmRestore of its machine that was carried out again since. */
  readonly overwrittenBy?: string;
  /** The form of the restore that is carried out. Unknown in a preview in which the run changes. */
  readonly revision?: string;
  /** From the plan, or from the panel's list where a rule chose the point. */
  readonly recoveryPointTakenAt?: string;
  readonly choice?: PointChoice;
  readonly checks: readonly WaveCheck[];
}

export interface WaveCheck extends StoredCheckPlan, Pick<StoredCheck, "id" | "expects"> {
  /** The whole check as the program gave it. May hold secrets. */
  readonly probe: unknown;
}

/** A wave, or one batch of it: the inputs of its resource. */
export interface WaveInput {
  readonly plan: string;
  readonly run: string;
  readonly index: number;
  readonly name: string;
  readonly batch: number;
  readonly onFailure: "stop" | "continue";
  /** True if this is the wave's last batch, which reports the problems of all of them. */
  readonly isLastBatch: boolean;
  /** Waves that do not start when this one fails. */
  readonly laterWaves: readonly string[];
  /** Problems of the wave's earlier batches. */
  readonly earlierReasons: readonly string[];
  /** The start of the run, which identifies it. */
  readonly runStartedAt?: string;
  readonly restores: readonly WaveRestore[];
  /** Why the run's definition is another one than the program's: the run was left out. */
  readonly leftOut?: string;
}
