import { useOwnConnections } from "./program/own-connections";

export { FileRestore, type FileRestoreArgs, type RestoreArgs, VmRestore, type VmRestoreArgs } from "./program/restores";
export type { CaptureLog } from "./inputs/read-values";
export type { RestoreStatus } from "./inputs/record";
export type {
  Duration,
  RecoveryPointArg,
  RecoveryPointRule,
  RecoveryPointRuleArgs,
  RestoreTimeouts,
  RestoreTimeoutsArgs,
} from "./program/args";
export { Provider, type ProviderArgs } from "./program/provider";
export * from "../drills";
export * from "./program/functions";

useOwnConnections();
