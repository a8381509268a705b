import type { RestoreRecord } from "../../provider/inputs/record";
import type { RestoreKind } from "../../provider/inputs/restore-table";
import type { Happened, RestoreState } from "./history";
import type { MachineRestore, Overwriting } from "./overwritten";
import type { AskedCheck, Entry, PlanRestore, RestoreEvent } from "./stored";

/** A restore with what happened to it, before it is compared with the others of its machine. */
interface Happening extends MachineRestore {
  /** What is asked for now: the entry of a wave's intent, or made up from an Intent. Absent if nothing was, or something else than the plan declares. */
  readonly entry?: Entry;
  /** As the plan declares it; absent if the plan no longer does. */
  readonly planned?: PlanRestore;
  readonly events: readonly RestoreEvent[];
  readonly happened: Happened;
  readonly checks: readonly AskedCheck[];
  /** Without a record, and its resource's creation or update is under way, or broke off. */
  readonly mayBeSent: boolean;
}

export interface WaveRestore extends Happening {
  readonly wave: string;
  readonly machine: string;
}

/** A restore of a stack's state, planned or not, in one shape. */
export interface Unjudged extends Happening {
  /** The plan and its wave, if the restore is planned. */
  readonly plan?: string;
  readonly wave?: string;
  readonly kind: RestoreKind;
  /** For a planned restore, its wave's. */
  readonly urn: string;
  /** Only for a restore without a plan. */
  readonly record?: RestoreRecord;
  /** What the panel and the checks have written, if the state has its secrets in plain text. */
  readonly log?: string | undefined;
}

export interface StateRestore extends Unjudged {
  readonly state: RestoreState;
  readonly overwrittenBy?: Overwriting;
}
