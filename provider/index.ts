import { connectAnew } from "./program/own-connections";

export { FileRestore, type FileRestoreArgs } from "./resources/file-restore";
export { VmRestore, type VmRestoreArgs } from "./resources/vm-restore";
export type {
  AdoptArg,
  CaptureLog,
  Duration,
  RestoreArgs,
  RestoreStatus,
  RestoreTimeouts,
  RestoreTimeoutsArgs,
} from "./resources/args";
export { Provider, type ProviderArgs } from "./resources/provider";
export { RecoveryPlan, type PlannedRestoreResult } from "./resources/recovery-plan";
export type {
  CheckTimesArgs,
  CommandCheckArgs,
  HttpCheckArgs,
  PlannedRestoreArgs,
  RecoveryCheckArgs,
  RecoveryGoalsArgs,
  RecoveryNotesArgs,
  RecoveryPlanArgs,
  RecoveryWaveArgs,
  TcpCheckArgs,
  WholeGoalsArgs,
} from "./resources/plan-args";
export type {
  GoalVerdict,
  OverallVerdict,
  PlanKind,
  StoredCheck,
  StoredCheckCounts,
  StoredCheckPlan,
  StoredCounts,
  StoredGoal,
  StoredSlowest,
  StoredVerdict,
} from "./plan/terms/stored";
export * from "./functions";

connectAnew();
