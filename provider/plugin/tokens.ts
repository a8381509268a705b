import type { RestoreKind } from "../inputs/restore-table";
import { planType, type ResourceTypes } from "../inputs/resource-names";

/** The components that a program in another language writes. */
export const componentTypes: Readonly<Record<RestoreKind | "RecoveryPlan", string>> = {
  VmRestore: "recovery:index:VmRestore",
  FileRestore: "recovery:index:FileRestore",
  RecoveryPlan: planType,
};

/**
 * The resources inside the components. Changing a token replaces resources, which would restore machines: they are
 * fixed.
 */
export const childTypes = {
  VmRestore: "recovery:index:VmRestoreRun",
  FileRestore: "recovery:index:FileRestoreRun",
  RestoreIntent: "recovery:index:RestoreIntent",
  PlanRun: "recovery:index:PlanRun",
  PlanWave: "recovery:index:PlanWave",
  PlanVerdict: "recovery:index:PlanVerdict",
} as const satisfies ResourceTypes;

export const functionTokens = {
  getTransactions: "recovery:index:getTransactions",
  getVmLogs: "recovery:index:getVmLogs",
  getRecoveryPoints: "recovery:index:getRecoveryPoints",
} as const;
