import { hash, word } from "../plain/chance";
import type { Job, Status } from "./model";

/** Background rows in a row, at one pace. */
export interface BackgroundRun {
  readonly firstOrdinal: number;
  readonly size: number;
  readonly firstAt: number;
  readonly everyMs: number;
}

export function createdAtOf(run: BackgroundRun, ordinal: number): number {
  return Math.floor(run.firstAt + (ordinal - run.firstOrdinal) * run.everyMs);
}

/** Includes restores: a client must not take somebody else's for its own. */
const actions = [
  "take_incremental_backup",
  "update_firewall",
  "startup_virtual_machine",
  "reboot_virtual_machine",
  "restore_backup",
  "format_disk",
  "configure_operating_system",
  "hot_migrate",
];

const firstMachine = 100;
const machines = 20;

/** A row of somebody else's machine, computed from its ordinal, its time and the seed. */
export function backgroundJob(ordinal: number, createdAt: number, now: number, seed: number): Job {
  const random = hash(seed, "background", ordinal);
  const machine = firstMachine + (random % machines);
  const startsAt = createdAt + 1000;
  const runsForMs = 2000 + ((random >>> 8) % 28) * 1000;
  const willEnd = (random >>> 16) % 40 === 0 ? "failed" : "complete";
  const status: Status = now < startsAt ? "pending" : now < startsAt + runsForMs ? "running" : willEnd;
  return {
    ordinal,
    machineId: String(machine),
    machineIdentifier: word(14, seed, "machine", String(machine)),
    action: actions[(random >>> 4) % actions.length] ?? "update_firewall",
    params: {},
    locks: true,
    createdAt,
    listedAt: createdAt,
    startAfter: createdAt,
    runsForMs,
    willEnd,
    status,
    ...(status === "pending" ? {} : { startedAt: startsAt }),
    ...(status === "complete" || status === "failed" ? { endedAt: startsAt + runsForMs } : {}),
  };
}
