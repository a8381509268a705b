import type { Dialect } from "../dialect/dialect";
import type { Job, Machine, Outcome, RestoreKind } from "./model";

interface RestorePlan {
  readonly kind: RestoreKind;
  readonly machine: Machine;
  readonly pointId: string;
  readonly seconds: number;
  readonly outcome: Outcome;
}

/** What a restore becomes: everything of its jobs but their places in time and in the list. */
export type PlannedJob = Pick<Job, "action" | "params" | "willEnd"> & {
  readonly target?: NonNullable<Job["target"]>;
  readonly seconds: number;
  /** The restore proper, not a stop or start around it. */
  readonly proper: boolean;
};

const names: Readonly<Record<Dialect["actionNames"], Readonly<Record<RestoreKind, string>>>> = {
  backup: { machine: "restore_backup", files: "restore_file_entries" },
  recoveryPoint: { machine: "restore_recovery_point", files: "restore_files_from_recovery_point" },
  camel: { machine: "RestoreVm", files: "RestoreFileEntries" },
  other: { machine: "rollback_virtual_machine", files: "recover_file_entries" },
};

/** One job, or with chains: the machine is stopped, restored and started again. Files go into a running machine. */
export function planRestore(plan: RestorePlan, dialect: Dialect): PlannedJob[] {
  const chained = dialect.chain !== "single" && plan.kind === "machine";
  const restore: PlannedJob = {
    action: names[dialect.actionNames][plan.kind],
    target: { type: "RecoveryPoint", id: plan.pointId },
    params: paramsOf(plan, dialect),
    willEnd: plan.outcome,
    seconds: plan.seconds * (chained ? 0.8 : 1),
    proper: true,
  };
  if (!chained) return [restore];
  const around = { willEnd: "complete", seconds: plan.seconds * 0.1, proper: false } as const;
  return [
    { ...around, action: "stop_virtual_machine", params: { shutdown_type: "soft" } },
    restore,
    { ...around, action: "startup_virtual_machine", params: {} },
  ];
}

function paramsOf(plan: RestorePlan, dialect: Dialect): PlannedJob["params"] {
  switch (dialect.params) {
    case "empty":
      return {};
    case "point":
      return { recovery_point_id: /^[0-9]{1,15}$/.test(plan.pointId) ? Number(plan.pointId) : plan.pointId };
    case "secret":
      return { remote_ip: "192.0.2.7", encryption_key: "correct-horse-battery" };
  }
}
