import type { Clock } from "../plain/clock";
import type { Dialect } from "../dialect/dialect";
import { SandboxError } from "../plain/input";
import { Ledger, type LedgerState } from "./ledger";
import { Machines, type MachineSpec, makeMachine, makePoint, type RecoveryPointSpec } from "./machines";
import {
  type AcceptedRestore,
  type Job,
  type Machine,
  type Outcome,
  type RecoveryPoint,
  type RestoreKind,
  isFinished,
} from "./model";
import { otherJob, restoreJobs, type Start, type TransactionSpec } from "./new-jobs";
import { restoreJobSpecs } from "./job-specs";
import { Runner } from "./runner";
import { ordinalOf, formatId } from "./transaction-id";

interface CloudOptions {
  readonly clock: Clock;
  readonly seed: number;
  readonly speed: number;
  readonly slots: number;
  /** Delay before the runner picks up a new job. */
  readonly pickupSeconds: number;
}

interface RestoreRequest {
  readonly kind: RestoreKind;
  readonly machine: Machine;
  readonly pointId: string;
  readonly paths?: readonly string[];
  readonly by: AcceptedRestore["by"];
  readonly seconds?: number;
  readonly outcome?: Outcome;
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

/** Machines, transactions and the passing of time: the panel without its interface. */
export class Cloud {
  readonly machines = new Machines();
  readonly ledger: Ledger;
  readonly restores: AcceptedRestore[] = [];
  readonly #runner: Runner;
  readonly #next = new Map<string, NextRestore[]>();
  #now: number;
  #changes = 0;

  constructor(
    private readonly options: CloudOptions,
    private readonly dialect: () => Dialect,
  ) {
    this.ledger = new Ledger(options.seed);
    this.#runner = new Runner(
      options.slots,
      (ordinal) => this.ledger.job(ordinal),
      () => this.dialect().restOfChain,
    );
    this.#now = options.clock.now();
  }

  /** Brings everything up to the clock's time. Time never goes back here. */
  advance(): number {
    this.#now = Math.max(this.#now, this.options.clock.now());
    this.#runner.advance(this.#now);
    this.ledger.advance(this.#now);
    return this.#now;
  }

  /** Grows with every change that a state file has to hold. */
  get changes(): number {
    return this.#changes + this.#runner.changes;
  }

  isLocked(machine: Machine): boolean {
    return this.#runner.isLocked(machine.id);
  }

  addMachine(spec: MachineSpec): Machine {
    const now = this.advance();
    const machine = makeMachine(spec, this.options.seed, now);
    for (const name of [machine.id, machine.identifier]) {
      if (this.machines.find(name) !== undefined) throw new SandboxError(`there is a machine ${name} already`);
    }
    this.machines.add(machine);
    this.#changes++;
    return machine;
  }

  /** Adds a recovery point: by default one made just now, with the id after the machine's largest. */
  addRecoveryPoint(machineId: string, spec: Partial<RecoveryPointSpec>): RecoveryPoint {
    const now = this.advance();
    const machine = this.#machine(machineId);
    const numbers = machine.points.map((point) => Number(point.id)).filter(Number.isSafeInteger);
    const point = makePoint({ id: Math.max(1006, ...numbers) + 1, ...spec }, machine.points.length, now);
    if (machine.points.some(({ id }) => id === point.id)) {
      throw new SandboxError(`there is a recovery point ${point.id} of machine ${machine.id} already`);
    }
    machine.points.push(point);
    this.#changes++;
    return point;
  }

  addRestore(request: RestoreRequest): AcceptedRestore {
    const now = this.advance();
    const dialect = this.dialect();
    const { machine } = request;
    const next = this.#takeNext(machine.id);
    const seconds = request.kind === "machine" ? machine.restoreSeconds : machine.fileSeconds;
    const specs = restoreJobSpecs(
      {
        kind: request.kind,
        machine,
        pointId: request.pointId,
        seconds: request.seconds ?? next.seconds ?? seconds,
        outcome: request.outcome ?? next.outcome ?? "complete",
      },
      dialect,
    );
    const start = this.#start(now);
    const jobs = restoreJobs(specs, machine, start, dialect.listingDelaySeconds);
    for (const job of jobs) this.#add(job);
    const restore: AcceptedRestore = {
      kind: request.kind,
      machineId: machine.id,
      pointId: request.pointId,
      ...(request.paths === undefined ? {} : { paths: request.paths }),
      by: request.by,
      requestedAt: now,
      ordinals: jobs.map((job) => job.ordinal),
      restoreOrdinal: start.ordinal + specs.findIndex((planned) => planned.isRestore),
    };
    this.restores.push(restore);
    return restore;
  }

  addTransaction(spec: TransactionSpec): Job {
    const now = this.advance();
    const machine = this.machines.find(String(spec.machineId));
    const job = otherJob(spec, machine, this.options.seed, this.#start(now));
    this.#add(job);
    return job;
  }

  /** Ends an unfinished transaction now. Unless it completes, the rest of its chain is cancelled. */
  endTransaction(id: string, outcome: Outcome): void {
    const now = this.advance();
    const ordinal = ordinalOf(id, this.dialect().idStyle);
    const job = ordinal === undefined ? undefined : this.ledger.job(ordinal);
    if (job === undefined)
      throw new SandboxError(`there is no transaction ${id} to end (background rows end by themselves)`);
    if (isFinished(job)) throw new SandboxError(`transaction ${id} has ended already: ${job.status}`);
    this.#runner.end(job, outcome, now);
  }

  setNextRestore(machineId: string, next: NextRestore): void {
    const machine = this.#machine(machineId);
    this.#next.set(machine.id, [...(this.#next.get(machine.id) ?? []), next]);
  }

  setBackground(perSecond: number): void {
    const now = this.advance();
    this.#changes++;
    this.ledger.setBackground(perSecond > 0 ? 1000 / perSecond / this.options.speed : undefined, now);
  }

  state(): CloudState {
    return { ledger: this.ledger.state(), machines: this.machines.all(), restores: this.restores };
  }

  resume(state: CloudState): void {
    for (const machine of state.machines) this.machines.add(machine);
    this.ledger.resume(state.ledger);
    for (const job of this.ledger.jobs()) this.#runner.add(job);
    this.restores.push(...state.restores);
    this.#runner.resume(this.#now);
  }

  idOf(ordinal: number): string {
    return formatId(ordinal, this.dialect().idStyle);
  }

  #machine(name: string): Machine {
    const machine = this.machines.find(name);
    if (machine === undefined) throw new SandboxError(`there is no machine ${name}`);
    return machine;
  }

  #add(job: Job): void {
    this.ledger.add(job);
    this.#runner.add(job);
  }

  #takeNext(machineId: string): NextRestore {
    const [next = {}, ...rest] = this.#next.get(machineId) ?? [];
    this.#next.set(machineId, rest);
    return next;
  }

  #start(now: number): Start {
    const { speed, pickupSeconds } = this.options;
    return { ordinal: this.ledger.nextOrdinal, now, speed, pickupSeconds };
  }
}
