import { type BackgroundRun, backgroundJob, createdAtOf } from "./background";
import type { Job } from "./model";

export interface LedgerState {
  readonly jobs: readonly Job[];
  readonly count: number;
  readonly runs: readonly BackgroundRun[];
  readonly stream?: BackgroundStream;
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
export class Ledger {
  readonly #jobs = new Map<number, Job>();
  readonly #byMachine = new Map<string, Job[]>();
  readonly #runs: BackgroundRun[] = [];
  /** Jobs made but not listed yet, oldest first. */
  #unlisted: Job[] = [];
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

  add(job: Job): void {
    this.#jobs.set(job.ordinal, job);
    const others = this.#byMachine.get(job.machineId);
    if (others === undefined) this.#byMachine.set(job.machineId, [job]);
    else others.push(job);
    this.#count = job.ordinal + 1;
    if (job.listedAt > job.createdAt) this.#unlisted.push(job);
  }

  job(ordinal: number): Job | undefined {
    return this.#jobs.get(ordinal);
  }

  /** In order of creation, without background rows. */
  jobs(): IterableIterator<Job> {
    return this.#jobs.values();
  }

  jobsOf(machineId: string): readonly Job[] {
    return this.#byMachine.get(machineId) ?? [];
  }

  get listedCount(): number {
    return this.#count - this.#unlisted.length;
  }

  /** `size` listed rows, newest first, without the newest `offset`. */
  slice(offset: number, size: number, now: number): Job[] {
    const rows: Job[] = [];
    const end = Math.min(offset + size, this.listedCount);
    for (let place = offset; place < end; place++) rows.push(this.#row(this.#ordinalAt(place), now));
    return rows;
  }

  state(): LedgerState {
    return {
      jobs: [...this.#jobs.values()],
      count: this.#count,
      runs: this.#runs,
      ...(this.#stream === undefined ? {} : { stream: this.#stream }),
    };
  }

  /** Background rows go on from the stored state: rows listed since then get the same places again. */
  resume(state: LedgerState): void {
    for (const job of state.jobs) this.add({ ...job });
    this.#runs.push(...state.runs);
    this.#count = state.count;
    this.#stream = state.stream;
  }

  #ordinalAt(place: number): number {
    let ordinal = this.#count - 1 - place;
    for (let index = this.#unlisted.length - 1; index >= 0; index--) {
      const hidden = this.#unlisted[index];
      if (hidden !== undefined && hidden.ordinal >= ordinal) ordinal--;
    }
    return ordinal;
  }

  #row(ordinal: number, now: number): Job {
    const job = this.#jobs.get(ordinal);
    if (job !== undefined) return job;
    const run = this.#runOf(ordinal);
    return backgroundJob(ordinal, run === undefined ? now : createdAtOf(run, ordinal), now, this.seed);
  }

  #runOf(ordinal: number): BackgroundRun | undefined {
    let low = 0;
    let high = this.#runs.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const run = this.#runs[middle];
      if (run === undefined) return undefined;
      if (ordinal < run.firstOrdinal) high = middle - 1;
      else if (ordinal >= run.firstOrdinal + run.size) low = middle + 1;
      else return run;
    }
    return undefined;
  }
}
