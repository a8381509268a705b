import type { Mark, PointRule } from "../../../provider/start";
import { at, type Exported, exportedStack, urnOf, type PendingOperation, type StackResource } from "./stack";

/** One restore and its outcome. Times are in seconds since the first request. */
export interface Played {
  readonly name: string;
  readonly machine: number | string;
  readonly point?: number | string;
  readonly rule?: PointRule;
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
  readonly of?: string;
  readonly panel?: string;
  /** The id of the intent for which the record was made, if it differs from the stored intent's id. */
  readonly carries?: string;
}

function kindOf({ paths }: Pick<Played, "paths">): "VmRestore" | "FileRestore" {
  return paths === undefined ? "VmRestore" : "FileRestore";
}

export function stampsOf({ requested, queued = 5, ran, status = "complete" }: Played): object {
  if (requested === undefined) return {};
  const isEnded = ran !== undefined && ["complete", "failed", "cancelled"].includes(status);
  return {
    requestedAt: at(requested),
    ...(status !== "pending" && { startedAt: at(requested + queued) }),
    ...(isEnded && { finishedAt: at(requested + queued + ran) }),
  };
}

function askedFor(played: Played): object {
  return {
    virtualMachineId: String(played.machine),
    ...(played.rule && { recoveryPoint: played.rule }),
    recoveryPointId: String(played.point ?? 1007),
    ...(played.paths !== undefined && { paths: played.paths }),
    ...(played.triggers !== undefined && { triggers: played.triggers }),
  };
}

/** What is known about the panel when an intent is made. */
export function markOf({ panel = "https://panel.example.com" }: Partial<Played>): Mark {
  return { panel, ended: ["5000"], others: ["4999"], isWhole: true, newestId: "5000", takenAt: at(0) };
}

export function intentResource(played: Played): StackResource {
  const { name, of, rule, takenAt } = played;
  return {
    type: "Intent",
    name: `${name}-${kindOf(played) === "VmRestore" ? "vm" : "file"}-intent`,
    id: `intent-${name}-${kindOf(played)}`,
    ...(of !== undefined && { of }),
    outputs: {
      __kind: kindOf(played),
      mark: markOf(played),
      ...askedFor(played),
      ...(rule && { choice: { recoveryPointTakenAt: takenAt, warnings: [] } }),
    },
  };
}

export function restoreResource(played: Played): StackResource {
  const { name, of, status = "complete", transaction, adopted = false, warnings = [], outputs } = played;
  const { outputs: stored, ...intent } = intentResource(played);
  return {
    type: kindOf(played),
    name,
    ...(of !== undefined && { of }),
    outputs: {
      ...askedFor(played),
      status,
      transactionIds: transaction === undefined ? [] : [transaction],
      ...(transaction !== undefined && { transactionId: transaction }),
      ...stampsOf(played),
      adopted,
      warnings,
      ...(status !== "complete" && { mark: markOf(played) }),
      __intent: { ...stored, id: played.carries ?? intent.id, urn: urnOf(intent) },
      ...outputs,
    },
  };
}

/** A stack of restores without a plan. */
export function stackOf(restores: readonly Played[], pending: readonly PendingOperation[] = []): Exported {
  return exportedStack(
    restores.flatMap((played) => [intentResource(played), restoreResource(played)]),
    pending,
  );
}

export const usual = { machine: "42", queued: 5, ran: 60 };
export const complete = (transaction: string) => ({ status: "complete", transaction }) as const;

/** A restore without a plan, as it is stored. Without a status, only its intent is stored. */
export function restore(given: Partial<Played>): readonly StackResource[] {
  const played = { ...usual, name: "web", ...(given.transaction !== undefined && { requested: 0 }), ...given };
  const intent = intentResource(played);
  const shown = { ...intent, outputs: { ...intent.outputs, ...given.outputs } };
  return given.status === undefined ? [shown] : [shown, restoreResource(played)];
}

export function pendingOn(name: string, type = "VmRestore", of?: string): PendingOperation {
  return { type, name, operation: "creating", ...(of !== undefined && { of }) };
}

const triggers = ["2026-11-drill"];

export const threeRestores: readonly [Played, Played, Played] = [
  { name: "web", machine: 42, point: 1007, triggers, requested: 0, queued: 12, ran: 840, transaction: "5014" },
  { name: "db", machine: 43, point: 1008, triggers, requested: 2, queued: 40, ran: 1_500, transaction: "5015" },
  {
    name: "content",
    machine: 42,
    point: 1009,
    paths: ["/var/www", "/etc/nginx"],
    triggers,
    requested: 880,
    queued: 3,
    ran: 95,
    transaction: "5016",
  },
];
