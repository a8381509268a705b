import { useOwnConnections } from "./program/own-connections";

export { FileRestore, type FileRestoreArgs, type RestoreArgs, VmRestore, type VmRestoreArgs } from "./program/restores";
export type { CaptureLog } from "./inputs/read-values";
export type {
  AdoptArg,
  Duration,
  RecoveryPointArg,
  RecoveryPointRule,
  RecoveryPointRuleArgs,
  RestoreStatus,
  RestoreTimeouts,
  RestoreTimeoutsArgs,
} from "./program/args";
export { Provider, type ProviderArgs } from "./program/provider";
export { RecoveryPlan, type PlannedRestoreResult } from "./program/recovery-plan";
export type {
  CheckTimesArgs,
  CommandCheckArgs,
  EarlierWaves,
  HttpCheckArgs,
  PlannedRestoreArgs,
  RecoveryCheckArgs,
  RecoveryGoalsArgs,
  RecoveryNotesArgs,
  RecoveryPlanArgs,
  RecoveryWaveArgs,
  TcpCheckArgs,
  WaveDependencies,
  WholeGoalsArgs,
} from "./program/plan-args";
export type {
  GoalVerdict,
  OverallVerdict,
  StoredCheckCounts,
  StoredCounts,
  StoredGoal,
  StoredSlowest,
  StoredVerdict,
} from "./plan/stored";
export type { PlanKind } from "./inputs/read-plan";
export type { StoredCheck, StoredCheckPlan } from "./inputs/read-check";
export * from "./program/functions";

useOwnConnections();
