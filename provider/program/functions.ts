export {
  getTransactions,
  getTransactionsOutput,
  type GetTransactionsArgs,
  type GetTransactionsOutputArgs,
  type GetTransactionsResult,
} from "./get-transactions";
export {
  getVmLogs,
  getVmLogsOutput,
  type GetVmLogsArgs,
  type GetVmLogsOutputArgs,
  type GetVmLogsResult,
} from "./get-vm-logs";
export type { DependsOn, OutputFunctionOptions } from "./function-args";
export type { LogItem, Transaction } from "./rows";
