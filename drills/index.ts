/** The parts of plans that programs use. */
export { RecoveryPlan } from "./program/recovery-plan";
export {
  type PlannedCheckResult,
  type PlannedRestore,
  type PlannedRestoreResult,
  plannedRestores,
} from "./program/results";
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
} from "./program/args";
export type { PlannedGoalResult, VerdictWord } from "./judge/stored";
