export {
  getTransactions,
  getTransactionsOutput,
  type GetTransactionsArgs,
  type GetTransactionsOutputArgs,
  type GetTransactionsResult,
} from "./get-transactions";
export {
  getRecoveryPoints,
  getRecoveryPointsOutput,
  type GetRecoveryPointsArgs,
  type GetRecoveryPointsOutputArgs,
  type GetRecoveryPointsResult,
} from "./get-recovery-points";
export {
  getVmLogs,
  getVmLogsOutput,
  type GetVmLogsArgs,
  type GetVmLogsOutputArgs,
  type GetVmLogsResult,
} from "./get-vm-logs";
export type { DependsOn, OutputArgs, OutputFunctionOptions } from "./function-args";
export type { LogItem, RecoveryPoint, Transaction } from "./rows";
