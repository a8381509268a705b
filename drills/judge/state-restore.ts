import type { RestoreRecord } from "../../provider/inputs/record";
import type { RestoreKind } from "../../provider/inputs/restore-table";
import type { Happened, RestoreState } from "./history";
import type { MachineRestore, Overwriting } from "./overwritten";
import type { AskedCheck, Entry, PlanRestore, RestoreEvent } from "./stored";

/** A restore of a stack's state, planned or not, in one shape. */
export interface StateRestore extends MachineRestore {
  /** The plan and its wave, if the restore is planned. */
  readonly plan?: string;
  readonly wave?: string;
  readonly kind: RestoreKind;
  /** What is asked for now: the entry of a wave's intent, or made up from an Intent. Absent if nothing was requested yet. */
  readonly entry?: Entry;
  /** As the plan declares it. */
  readonly planned?: PlanRestore;
  readonly events: readonly RestoreEvent[];
  readonly happened: Happened;
  readonly checks: readonly AskedCheck[];
  /** Without a record, and its resource's creation or update is under way, or broke off. */
  readonly mayBeSent: boolean;
  readonly state: RestoreState;
  readonly overwrittenBy?: Overwriting;
  /** For a planned restore, its wave's. */
  readonly urn: string;
  /** Only for a restore without a plan. */
  readonly record?: RestoreRecord;
  /** What the panel and the checks have written, if the state has its secrets in plain text. */
  readonly log?: string | undefined;
}

/** A restore before it is compared with the others of its machine. */
export type Unjudged = Omit<StateRestore, "state" | "overwrittenBy">;
