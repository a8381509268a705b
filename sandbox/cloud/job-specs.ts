import type { Dialect } from "../dialect/dialect";
import type { Job, Machine, Outcome, RestoreKind } from "./model";

interface RestoreSpec {
  readonly kind: RestoreKind;
  readonly machine: Machine;
  readonly pointId: string;
  readonly seconds: number;
  readonly outcome: Outcome;
}

/** A job of a restore, without its place in time and in the list. */
export type JobSpec = Pick<Job, "action" | "params" | "willEnd"> & {
  readonly target?: NonNullable<Job["target"]>;
  readonly seconds: number;
  /** True for the restore itself, false for the stop and start around it. */
  readonly isRestore: boolean;
};

const actionNames: Readonly<Record<Dialect["actionNames"], Readonly<Record<RestoreKind, string>>>> = {
  backup: { machine: "restore_backup", files: "restore_file_entries" },
  recoveryPoint: { machine: "restore_recovery_point", files: "restore_files_from_recovery_point" },
  camel: { machine: "RestoreVm", files: "RestoreFileEntries" },
  other: { machine: "rollback_virtual_machine", files: "recover_file_entries" },
};

/** One job, or with chains three: stop, restore and start. Files are restored into a running machine. */
export function restoreJobSpecs(spec: RestoreSpec, dialect: Dialect): JobSpec[] {
  const chained = dialect.chain !== "single" && spec.kind === "machine";
  const restore: JobSpec = {
    action: actionNames[dialect.actionNames][spec.kind],
    target: { type: "RecoveryPoint", id: spec.pointId },
    params: paramsOf(spec, dialect),
    willEnd: spec.outcome,
    seconds: spec.seconds * (chained ? 0.8 : 1),
    isRestore: true,
  };
  if (!chained) return [restore];
  const around = { willEnd: "complete", seconds: spec.seconds * 0.1, isRestore: false } as const;
  return [
    { ...around, action: "stop_virtual_machine", params: { shutdown_type: "soft" } },
    restore,
    { ...around, action: "startup_virtual_machine", params: {} },
  ];
}

function paramsOf(spec: RestoreSpec, dialect: Dialect): JobSpec["params"] {
  switch (dialect.params) {
    case "empty":
      return {};
    case "point":
      return { recovery_point_id: /^[0-9]{1,15}$/.test(spec.pointId) ? Number(spec.pointId) : spec.pointId };
    case "secret":
      return { remote_ip: "192.0.2.7", encryption_key: "correct-horse-battery" };
  }
}
