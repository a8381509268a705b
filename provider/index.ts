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
export * from "./functions";
