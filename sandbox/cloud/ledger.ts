import { hash, word } from "../plain/clock";
import { present } from "../plain/input";
import type { SandboxJob, Status } from "./model";

export interface LedgerState {
  readonly jobs: readonly SandboxJob[];
  readonly count: number;
  readonly runs: readonly BackgroundRun[];
  readonly stream?: BackgroundStream;
}

/** Consecutive background rows, at a constant rate. */
interface BackgroundRun {
  readonly firstOrdinal: number;
  readonly size: number;
  readonly firstAt: number;
  readonly everyMs: number;
}

/** Other users' work: rows added at a steady rate. */
interface BackgroundStream {
  readonly nextAt: number;
  readonly everyMs: number;
}

/**
 * The list of all transactions, by ordinal. Background rows are not stored: a run of them is a few numbers, and a row is computed
 * when a page shows it. So a page costs only its own rows, however long the list is.
 */
export class TransactionLedger {
  readonly #jobs = new Map<number, SandboxJob>();
  readonly #byMachine = new Map<string, SandboxJob[]>();
  readonly #runs: BackgroundRun[] = [];
  /** Jobs made but not listed yet, oldest first. */
  #unlisted: SandboxJob[] = [];
  #count = 0;
  #stream: BackgroundStream | undefined;

  constructor(private readonly seed: number) {}

  /** Adds the background rows that are due. */
  advance(now: number): void {
    this.#unlisted = this.#unlisted.filter((job) => job.listedAt > now);
    const stream = this.#stream;
    if (stream === undefined || stream.nextAt > now) return;
    const size = Math.floor((now - stream.nextAt) / stream.everyMs) + 1;
    const last = this.#runs.at(-1);
    if (last?.everyMs === stream.everyMs && last.firstOrdinal + last.size === this.#count) {
      this.#runs[this.#runs.length - 1] = { ...last, size: last.size + size };
    } else {
      this.#runs.push({ firstOrdinal: this.#count, size, firstAt: stream.nextAt, everyMs: stream.everyMs });
    }
    this.#count += size;
    this.#stream = { ...stream, nextAt: stream.nextAt + size * stream.everyMs };
  }

  /** Adds a background row every `everyMs` from `now` on; undefined stops them. */
  setBackground(everyMs: number | undefined, now: number): void {
    this.#stream = everyMs === undefined ? undefined : { nextAt: now + everyMs, everyMs };
  }

  get nextOrdinal(): number {
    return this.#count;
  }

  add(job: SandboxJob): void {
    this.#jobs.set(job.ordinal, job);
    const others = this.#byMachine.get(job.machineId) ?? [];
    if (others.push(job) === 1) this.#byMachine.set(job.machineId, others);
    this.#count = job.ordinal + 1;
    if (job.listedAt > job.createdAt) this.#unlisted.push(job);
  }

  job(ordinal: number): SandboxJob | undefined {
    return this.#jobs.get(ordinal);
  }

  /** In order of creation, without background rows. */
  jobs(): IterableIterator<SandboxJob> {
    return this.#jobs.values();
  }

  jobsOf(machineId: string): readonly SandboxJob[] {
    return this.#byMachine.get(machineId) ?? [];
  }

  get listedCount(): number {
    return this.#count - this.#unlisted.length;
  }

  /** `size` listed rows, newest first, without the newest `offset`. */
  slice(offset: number, size: number, now: number): SandboxJob[] {
    const rows: SandboxJob[] = [];
    const end = Math.min(offset + size, this.listedCount);
    for (let place = offset; place < end; place++) rows.push(this.#row(this.#ordinalAt(place), now));
    return rows;
  }

  state(): LedgerState {
    return present({ jobs: [...this.#jobs.values()], count: this.#count, runs: this.#runs, stream: this.#stream });
  }

  /** Background rows continue from the stored state: rows listed since then get the same places again. */
  resume({ runs, count, stream }: LedgerState): void {
    this.#runs.push(...runs);
    this.#count = count;
    this.#stream = stream;
  }

  #ordinalAt(place: number): number {
    let ordinal = this.#count - 1 - place;
    for (const hidden of this.#unlisted.toReversed()) if (hidden.ordinal >= ordinal) ordinal--;
    return ordinal;
  }

  #row(ordinal: number, now: number): SandboxJob {
    const job = this.#jobs.get(ordinal);
    if (job !== undefined) return job;
    const run = this.#runs.findLast(({ firstOrdinal }) => firstOrdinal <= ordinal);
    const createdAt = run === undefined ? now : run.firstAt + (ordinal - run.firstOrdinal) * run.everyMs;
    return backgroundJob(ordinal, Math.floor(createdAt), now, this.seed);
  }
}

/** Includes restores: a client must not mistake somebody else's restore for its own. */
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

/** A row of one of twenty machines of other users, computed from its ordinal, its time and the seed. */
function backgroundJob(ordinal: number, createdAt: number, now: number, seed: number): SandboxJob {
  const random = hash(seed, "background", ordinal);
  const machine = 100 + (random % 20);
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
