import type { TransactionLedger } from "./ledger";
import type { SandboxJob, Outcome } from "./model";

/**
 * The panel's own job runner. It runs jobs in order, at most a limited number at a time and one per machine, and each link of a chain only after the previous
 * link. It uses no timer: `advance` works out everything that has happened by now, each event at its own time. So the clock may jump by hours, and no timer
 * keeps the process alive.
 */
export class Runner {
  #pending: SandboxJob[] = [];
  readonly #running = new Set<SandboxJob>();
  /** No job starts before this time, because the panel was off until then. */
  #notBefore = -Infinity;

  constructor(
    private readonly slots: number,
    private readonly ledger: TransactionLedger,
  ) {}

  add(job: SandboxJob): void {
    if (job.status === "running") this.#running.add(job);
    else if (job.status === "pending") this.#pending.push(job);
  }

  /**
   * Continues at `now`, after the panel was off. In the meantime, queued jobs waited, but running jobs continued, because a compute resource does their work.
   */
  resume(now: number): void {
    this.#notBefore = now;
  }

  advance(now: number): void {
    for (let at = this.#next(); at <= now; at = this.#next()) {
      for (const job of [...this.#running]) {
        if (endOf(job) <= at) this.#finish(job, job.willEnd, endOf(job));
      }
      for (const job of this.#startable()) {
        if (this.#readyAt(job) <= at && this.#running.size < this.slots) this.#start(job, at);
      }
    }
    this.#notBefore = Math.max(this.#notBefore, now);
  }

  /** Ends an unfinished job now, whatever its planned outcome. */
  end(job: SandboxJob, outcome: Outcome, now: number): void {
    this.#finish(job, outcome, now);
    this.advance(now);
  }

  /** True if unfinished work has, or will have, exclusive use of the machine. */
  isLocked(machineId: string): boolean {
    const holds = (job: SandboxJob): boolean => job.locks && job.machineId === machineId;
    return [...this.#running].some(holds) || this.#pending.some(holds);
  }

  #start(job: SandboxJob, at: number): void {
    job.status = "running";
    job.startedAt = at;
    this.#pending = this.#pending.filter((other) => other !== job);
    this.#running.add(job);
  }

  #finish(job: SandboxJob, outcome: Outcome, at: number): void {
    job.status = outcome;
    job.endedAt = at;
    this.#running.delete(job);
    this.#pending = this.#pending.filter((other) => other !== job);
    if (outcome === "complete") return;
    // The rest of the chain is cancelled.
    for (const next of this.#pending.filter((other) => other.dependsOn === job.ordinal)) {
      this.#finish(next, "cancelled", at);
    }
  }

  /** The first pending job of each free machine, and all pending jobs that lock no machine, but no jobs that wait for another job. */
  #startable(): SandboxJob[] {
    const taken = new Set<string>();
    for (const job of this.#running) if (job.locks) taken.add(job.machineId);
    return this.#pending.filter((job) => {
      if (job.locks) {
        if (taken.has(job.machineId)) return false;
        taken.add(job.machineId);
      }
      const before = job.dependsOn === undefined ? undefined : this.ledger.job(job.dependsOn);
      return before === undefined || before.status === "complete";
    });
  }

  #readyAt(job: SandboxJob): number {
    return Math.max(job.startAfter, this.#notBefore);
  }

  /** The time of the next event: the end of a job, or the earliest time at which a job may start. */
  #next(): number {
    const starts = this.#running.size < this.slots ? this.#startable().map((job) => this.#readyAt(job)) : [];
    const ends = [...this.#running].map(endOf);
    return Math.min(...starts, ...ends);
  }
}

function endOf(job: SandboxJob): number {
  return (job.startedAt ?? job.startAfter) + job.runsForMs;
}
