import { hash, word } from "../plain/clock";
import { present } from "../plain/input";
import type { SandboxJob, Status } from "./model";

export interface LedgerState {
  readonly jobs: readonly SandboxJob[];
  readonly count: number;
  /** The creation time of each background row, with the row's ordinal. */
  readonly background: readonly (readonly [ordinal: number, createdAt: number])[];
  readonly stream?: BackgroundStream;
}

/** Other users' work: rows added at a steady rate. */
interface BackgroundStream {
  readonly nextAt: number;
  readonly everyMs: number;
}

/** All transactions, by ordinal. For background rows, keeps only the creation time, and computes a row when a page shows it. */
export class TransactionLedger {
  readonly #jobs = new Map<number, SandboxJob>();
  readonly #background = new Map<number, number>();
  /** Jobs that were created but are not listed yet, oldest first. */
  #unlisted: SandboxJob[] = [];
  #count = 0;
  #stream: BackgroundStream | undefined;

  constructor(private readonly seed: number) {}

  /** Adds the background rows that are due. */
  advance(now: number): void {
    this.#unlisted = this.#unlisted.filter((job) => job.listedAt > now);
    while (this.#stream && this.#stream.nextAt <= now) {
      const { nextAt, everyMs } = this.#stream;
      this.#background.set(this.#count++, nextAt);
      this.#stream = { everyMs, nextAt: nextAt + everyMs };
    }
  }

  /** Adds a background row every `everyMs` milliseconds from `now` on. If `everyMs` is undefined, no more rows are added. */
  setBackground(everyMs: number | undefined, now: number): void {
    this.#stream = everyMs === undefined ? undefined : { nextAt: now + everyMs, everyMs };
  }

  get nextOrdinal(): number {
    return this.#count;
  }

  add(job: SandboxJob): void {
    this.#jobs.set(job.ordinal, job);
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
    return [...this.#jobs.values()].filter((job) => job.machineId === machineId);
  }

  get listedCount(): number {
    return this.#count - this.#unlisted.length;
  }

  /** Skips the newest `offset` rows and returns the next `size` listed rows, newest first. */
  slice(offset: number, size: number, now: number): SandboxJob[] {
    const rows: SandboxJob[] = [];
    const end = Math.min(offset + size, this.listedCount);
    for (let place = offset; place < end; place++) rows.push(this.#row(this.#ordinalAt(place), now));
    return rows;
  }

  state(): LedgerState {
    return present({
      jobs: [...this.#jobs.values()],
      count: this.#count,
      background: [...this.#background],
      stream: this.#stream,
    });
  }

  /** Continues background rows from the stored state, so that rows that were listed after the state was stored get the same places again. */
  resume({ background, count, stream }: LedgerState): void {
    for (const [ordinal, createdAt] of background) this.#background.set(ordinal, createdAt);
    this.#count = count;
    this.#stream = stream;
  }

  #ordinalAt(place: number): number {
    let ordinal = this.#count - 1 - place;
    for (const hidden of this.#unlisted.toReversed()) if (hidden.ordinal >= ordinal) ordinal--;
    return ordinal;
  }

  #row(ordinal: number, now: number): SandboxJob {
    const createdAt = Math.floor(this.#background.get(ordinal) ?? now);
    return this.#jobs.get(ordinal) ?? backgroundJob(ordinal, createdAt, now, this.seed);
  }
}

/** The actions of background rows. They include restores, because a client must not mistake another user's restore for its own. */
const actions = [
  "take_incremental_backup",
  "update_firewall",
  "startup_virtual_machine",
  "restore_backup",
  "format_disk",
];

/** A row for one of the twenty machines of other users, computed from the row's ordinal, its creation time and the seed. */
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
    machineIdentifier: word(seed, "machine", String(machine)),
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
