import type { RestoreKind } from "../inputs/restore-table";
import { planType } from "../inputs/resource-names";

/** The components that a program in another language can use. */
export const componentTypes: Readonly<Record<RestoreKind | "RecoveryPlan", string>> = {
  VmRestore: "recovery:index:VmRestore",
  FileRestore: "recovery:index:FileRestore",
  RecoveryPlan: planType,
};

export const functionTokens = {
  getTransactions: "recovery:index:getTransactions",
  getVmLogs: "recovery:index:getVmLogs",
  getRecoveryPoints: "recovery:index:getRecoveryPoints",
} as const;
