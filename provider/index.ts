import { useOwnConnections } from "./program/own-connections";

export { FileRestore, type FileRestoreArgs, type RestoreArgs, VmRestore, type VmRestoreArgs } from "./program/restores";
export type { CaptureLog } from "./inputs/read-values";
export type { RestoreStatus } from "./inputs/record";
export type {
  Duration,
  RecoveryPointArg,
  RecoveryPointRuleArgs,
  RestoreTimeouts,
  RestoreTimeoutsArgs,
} from "./program/args";
export type { PointRule as RecoveryPointRule } from "./inputs/read-point-rule";
export { Provider, type ProviderArgs } from "./program/provider";

export { RecoveryPlan } from "../drills/program/recovery-plan";
export { type PlannedRestore, type PlannedRestoreResult, plannedRestores } from "../drills/program/results";
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
} from "../drills/program/args";
export type { VerdictWord } from "../drills/judge/judge";

export {
  getTransactions,
  getTransactionsOutput,
  type GetTransactionsArgs,
  type GetTransactionsOutputArgs,
  type GetTransactionsResult,
} from "./program/get-transactions";
export {
  getRecoveryPoints,
  getRecoveryPointsOutput,
  type GetRecoveryPointsArgs,
  type GetRecoveryPointsOutputArgs,
  type GetRecoveryPointsResult,
} from "./program/get-recovery-points";
export {
  getVmLogs,
  getVmLogsOutput,
  type GetVmLogsArgs,
  type GetVmLogsOutputArgs,
  type GetVmLogsResult,
} from "./program/get-vm-logs";
export type { DependsOn, OutputArgs, OutputFunctionOptions } from "./program/function-args";
export type { LogItem, RecoveryPoint, Transaction } from "./program/rows";

useOwnConnections();
