import type { Dialect } from "../dialect/dialect";
import type { PanelClock } from "../plain/clock";
import { present, SandboxError } from "../plain/input";
import { otherJob, restoreJobs, type TransactionSpec } from "./jobs";
import { TransactionLedger, type LedgerState } from "./ledger";
import {
  type AcceptedRestore,
  formatId,
  isJobFinished,
  type SandboxJob,
  type Machine,
  type MachineSpec,
  makeMachine,
  makePoint,
  type Outcome,
  type SandboxPoint,
  type RecoveryPointSpec,
} from "./model";
import { Runner } from "./runner";

interface CloudOptions {
  readonly clock: PanelClock;
  readonly seed: number;
  readonly speed: number;
  readonly slots: number;
  /** Delay before the runner picks up a new job. */
  readonly pickupSeconds: number;
}

interface RestoreRequest extends Pick<AcceptedRestore, "kind" | "by">, NextRestore {
  readonly machine: Machine;
  readonly pointId: string;
  readonly paths?: readonly string[] | undefined;
}

export interface CloudState {
  readonly ledger: LedgerState;
  readonly machines: readonly Machine[];
  readonly restores: readonly AcceptedRestore[];
}

/** The outcome and duration of a machine's next restore. */
export interface NextRestore {
  readonly outcome?: Outcome;
  readonly seconds?: number;
}

/** Machines, transactions and the passing of time: the panel without its API. */
export class Cloud {
  /** Machines, both by id and by identifier, because a path may contain either. */
  readonly machines = new Map<string, Machine>();
  readonly ledger: TransactionLedger;
  readonly restores: AcceptedRestore[] = [];
  readonly #runner: Runner;
  /** Transactions by id, without background rows. */
  readonly byId = new Map<string, SandboxJob>();
  readonly #next = new Map<string, NextRestore[]>();
  #now: number;

  constructor(
    private readonly options: CloudOptions,
    private readonly dialect: () => Dialect,
  ) {
    this.ledger = new TransactionLedger(options.seed);
    this.#runner = new Runner(options.slots, this.ledger);
    this.#now = options.clock.now();
  }

  /** Advances everything to the clock's time. If the clock is set back, time stands still. */
  advance(): number {
    this.#now = Math.max(this.#now, this.options.clock.now());
    this.#runner.advance(this.#now);
    this.ledger.advance(this.#now);
    return this.#now;
  }

  allMachines(): readonly Machine[] {
    return [...new Set(this.machines.values())];
  }

  isLocked(machine: Machine): boolean {
    return this.#runner.isLocked(machine.id);
  }

  addMachine(spec: MachineSpec): Machine {
    const now = this.advance();
    const machine = makeMachine(spec, this.options.seed, now);
    for (const name of [machine.id, machine.identifier]) {
      if (this.machines.has(name)) throw new SandboxError(`machine ${name} already exists`);
    }
    this.#keep(machine);
    return machine;
  }

  /** Adds a recovery point. By default, it was taken just now, and its id is the machine's largest point id plus one. */
  addRecoveryPoint(machineId: string, spec: Partial<RecoveryPointSpec>): SandboxPoint {
    const now = this.advance();
    const machine = this.#machine(machineId);
    const numbers = machine.points.map((point) => Number(point.id)).filter(Number.isSafeInteger);
    const point = makePoint({ id: Math.max(1006, ...numbers) + 1, ...spec }, machine.points.length, now);
    if (machine.points.some(({ id }) => id === point.id)) {
      throw new SandboxError(`recovery point ${point.id} of machine ${machine.id} already exists`);
    }
    machine.points.push(point);
    return point;
  }

  addRestore({ machine, kind, pointId, paths, by, ...own }: RestoreRequest): SandboxJob {
    const now = this.advance();
    const [next = {}, ...rest] = this.#next.get(machine.id) ?? [];
    this.#next.set(machine.id, rest);
    const seconds = kind === "machine" ? machine.restoreSeconds : machine.fileSeconds;
    const spec = { kind, machine, pointId, seconds, outcome: "complete" as const, ...next, ...own };
    const { jobs, restore } = restoreJobs(spec, this.dialect(), this.#start(now));
    for (const job of jobs) this.#add(job);
    const transactionIds = jobs.map(({ ordinal }) => this.idOf(ordinal));
    const transactionId = this.idOf(restore.ordinal);
    const named = { transactionId, transactionIds, machineId: machine.id, recoveryPointId: pointId };
    this.restores.push(present({ ...named, kind, paths, by, requestedAt: now }));
    return restore;
  }

  addTransaction(spec: TransactionSpec): SandboxJob {
    const now = this.advance();
    const machine = this.machines.get(String(spec.machineId));
    const job = otherJob(spec, machine, this.options.seed, this.#start(now));
    this.#add(job);
    return job;
  }

  /** Ends an unfinished transaction now. If the outcome is not `complete`, the rest of its chain is cancelled. */
  endTransaction(id: string, outcome: Outcome): void {
    const now = this.advance();
    const job = this.byId.get(id);
    if (job === undefined)
      throw new SandboxError(`there is no transaction ${id} to end (background rows end by themselves)`);
    if (isJobFinished(job)) throw new SandboxError(`transaction ${id} has already ended: ${job.status}`);
    this.#runner.end(job, outcome, now);
  }

  setNextRestore(machineId: string, next: NextRestore): void {
    const machine = this.#machine(machineId);
    this.#next.set(machine.id, [...(this.#next.get(machine.id) ?? []), next]);
  }

  setBackground(perSecond: number): void {
    const now = this.advance();
    this.ledger.setBackground(perSecond > 0 ? 1000 / perSecond / this.options.speed : undefined, now);
  }

  state(): CloudState {
    return { ledger: this.ledger.state(), machines: this.allMachines(), restores: this.restores };
  }

  resume(state: CloudState): void {
    for (const machine of state.machines) this.#keep(machine);
    for (const job of state.ledger.jobs) this.#add({ ...job });
    this.ledger.resume(state.ledger);
    this.restores.push(...state.restores);
    this.#runner.resume(this.#now);
  }

  idOf(ordinal: number): string {
    return formatId(ordinal, this.dialect().idStyle);
  }

  #keep(machine: Machine): void {
    for (const name of [machine.identifier, machine.id]) this.machines.set(name, machine);
  }

  #machine(name: string): Machine {
    const machine = this.machines.get(name);
    if (machine === undefined) throw new SandboxError(`there is no machine ${name}`);
    return machine;
  }

  #add(job: SandboxJob): void {
    this.ledger.add(job);
    this.byId.set(this.idOf(job.ordinal), job);
    this.#runner.add(job);
  }

  #start(now: number) {
    const { speed, pickupSeconds } = this.options;
    return { ordinal: this.ledger.nextOrdinal, now, speed, pickupSeconds };
  }
}
