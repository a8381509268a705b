import { word } from "../plain/chance";
import type { Job, Machine, Outcome } from "./model";
import type { JobSpec } from "./job-specs";

export interface TransactionSpec {
  readonly machineId: number | string;
  readonly action: string;
  /** Its duration at speed 1. @default 5 */
  readonly seconds?: number;
  /** Its status from the start. A finished one has already ended when it is added. @default "pending" */
  readonly status?: Job["status"];
  /** Its outcome. @default "complete" */
  readonly outcome?: Outcome;
  /** The machine takes no other work meanwhile. @default true */
  readonly locks?: boolean;
  /** Its direct target, if it is not the machine. */
  readonly target?: { readonly type: string; readonly id: number | string };
  readonly params?: Readonly<Record<string, string | number>>;
  /** Its age; it ran right away. Only with a finished `status`. @default 0 */
  readonly ageSeconds?: number;
}

/** The time and the place in the list at which new jobs begin. */
export interface Start {
  readonly ordinal: number;
  readonly now: number;

  readonly speed: number;
  /** Delay before the runner picks up a new job. */
  readonly pickupSeconds: number;
}

/** The jobs of a restore. Each waits for the one before it. */
export function restoreJobs(
  specs: readonly JobSpec[],
  machine: Machine,
  start: Start,
  listingDelaySeconds: number,
): Job[] {
  const { ordinal: first, now } = start;
  return specs.map((spec, index) => ({
    ordinal: first + index,
    machineId: machine.id,
    machineIdentifier: machine.identifier,
    action: spec.action,
    ...(spec.target === undefined ? {} : { target: spec.target }),
    params: spec.params,
    locks: true,
    createdAt: now,
    listedAt: now + ms(listingDelaySeconds, start),
    startAfter: now + ms(start.pickupSeconds, start),
    ...(index === 0 ? {} : { dependsOn: first + index - 1 }),
    ...(specs.length === 1 ? {} : { chain: 900 + first }),
    runsForMs: ms(spec.seconds, start),
    willEnd: spec.willEnd,
    status: "pending",
  }));
}

/** A job of other work. The cloud need not know its machine. */
export function otherJob(spec: TransactionSpec, machine: Machine | undefined, seed: number, start: Start): Job {
  const id = machine?.id ?? String(spec.machineId);
  const status = spec.status ?? "pending";
  const createdAt = start.now - (spec.ageSeconds ?? 0) * 1000;
  const runsForMs = ms(spec.seconds ?? 5, start);
  const ended = status === "pending" || status === "running" ? undefined : status;
  return {
    ordinal: start.ordinal,
    machineId: id,
    machineIdentifier: machine?.identifier ?? word(14, seed, "machine", id),
    action: spec.action,
    ...(spec.target === undefined ? {} : { target: { type: spec.target.type, id: String(spec.target.id) } }),
    params: spec.params ?? {},
    locks: spec.locks ?? true,
    createdAt,
    listedAt: createdAt,
    startAfter: start.now + ms(start.pickupSeconds, start),
    runsForMs,
    willEnd: spec.outcome ?? ended ?? "complete",
    status,
    ...(status === "pending" ? {} : { startedAt: createdAt }),
    ...(ended === undefined ? {} : { endedAt: Math.min(start.now, createdAt + runsForMs) }),
  };
}

function ms(seconds: number, { speed }: Start): number {
  return (seconds * 1000) / speed;
}
