import type { ChosenFrom } from "../../../provider/inputs/intent";
import type { PointRule } from "../../../provider/inputs/read-point-rule";
import { at, exportedStack, urnOf, type PendingOperation, type StackResource } from "./stack";

/** One restore and its outcome; times are seconds since the first request. */
export interface Played {
  readonly name: string;
  readonly machine: number | string;
  readonly point?: number | string;
  /** The rule that chose the point, and the points it chose from. */
  readonly rule?: PointRule;
  readonly chosenFrom?: ChosenFrom;
  readonly takenAt?: string;
  readonly paths?: readonly string[];
  readonly triggers?: readonly unknown[];
  readonly requested?: number;
  readonly queued?: number;
  readonly ran?: number;
  readonly status?: string;
  readonly transaction?: string;
  readonly adopted?: boolean;
  readonly warnings?: readonly string[];
  readonly outputs?: object;
  readonly inputs?: object;
  readonly initErrors?: readonly string[];
  readonly of?: string;
  /** The id of its intent, if that is not the stored one. */
  readonly carries?: string;
  /** The resources that `dependsOn` names. */
  readonly after?: readonly StackResource[];
  /** A wave's record limits its paths itself. */
  readonly listed?: "without paths";
}

export function kindOf({ paths }: Pick<Played, "paths">): "VmRestore" | "FileRestore" {
  return paths === undefined ? "VmRestore" : "FileRestore";
}

/** The outputs that a restore and its wave's record share. */
export function figuresOf(played: Played): object {
  const { requested, queued = 5, ran, status = "complete" } = played;
  const began = requested !== undefined && status !== "pending" && status !== "accepted" && status !== "unknown";
  const ended = began && ran !== undefined && status !== "running";
  return {
    virtualMachineId: String(played.machine),
    recoveryPointId: String(played.point ?? 1007),
    ...(played.rule && { recoveryPoint: played.rule, recoveryPointTakenAt: played.takenAt }),
    ...(played.paths !== undefined && played.listed === undefined && { paths: played.paths }),
    status,
    transactionIds: played.transaction === undefined ? [] : [played.transaction],
    ...(played.transaction !== undefined && {
      transactionId: played.transaction,
      action: played.paths ? "restore_file_entries" : "restore_backup",
    }),
    ...(requested !== undefined && { requestedAt: at(requested) }),
    ...(began && { startedAt: at(requested + queued), queuedSeconds: queued }),
    ...(ended && { finishedAt: at(requested + queued + ran), durationSeconds: queued + ran }),
    adopted: played.adopted ?? false,
    warnings: played.warnings ?? [],
  };
}

export function intentResource(played: Played): StackResource {
  const { name, of, after, triggers = [] } = played;
  return {
    type: "RestoreIntent",
    name: `${name}-${kindOf(played) === "VmRestore" ? "vm" : "file"}-intent`,
    id: `intent-${name}`,
    ...(of !== undefined && { of }),
    ...(after && { after }),
    outputs: {
      kind: kindOf(played),
      madeAt: at((played.requested ?? 0) - 1),
      mark: { panel: "https://panel.example.com", newestId: "4999", firstPageIds: ["4999"] },
      process: "process-1",
      virtualMachineId: String(played.machine),
      recoveryPointId: String(played.point ?? 1007),
      ...(played.rule && {
        recoveryPoint: played.rule,
        choice: { recoveryPointTakenAt: played.takenAt, warnings: [], ...played.chosenFrom },
      }),
      ...(played.paths !== undefined && { paths: played.paths }),
      triggers,
    },
  };
}

export function restoreResource(played: Played): StackResource {
  const { name, of, after, triggers, initErrors } = played;
  const intent = intentResource(played);
  return {
    type: kindOf(played),
    name,
    ...(of !== undefined && { of }),
    ...(after && { after }),
    ...(initErrors !== undefined && { initErrors }),
    ...(played.inputs && { inputs: played.inputs }),
    outputs: {
      ...figuresOf(played),
      ...(triggers !== undefined && { triggers }),
      intent: { ...intent.outputs, id: played.carries ?? intent.id, urn: urnOf(intent) },
      ...played.outputs,
    },
  };
}

/** A stack of restores without a plan. */
export function stackOf(restores: readonly Played[], pending: readonly PendingOperation[] = []): object {
  return exportedStack(
    restores.flatMap((played) => [intentResource(played), restoreResource(played)]),
    pending,
  );
}

export const threeRestores: readonly Played[] = [
  {
    name: "web",
    machine: 42,
    point: 1007,
    triggers: ["2026-11-drill"],
    requested: 0,
    queued: 12,
    ran: 840,
    transaction: "5014",
  },
  {
    name: "db",
    machine: 43,
    point: 1008,
    triggers: ["2026-11-drill"],
    requested: 2,
    queued: 40,
    ran: 1_500,
    transaction: "5015",
  },
  {
    name: "content",
    machine: 42,
    point: 1009,
    paths: ["/var/www", "/etc/nginx"],
    triggers: ["2026-11-drill"],
    requested: 880,
    queued: 3,
    ran: 95,
    transaction: "5016",
  },
];
