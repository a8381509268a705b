import { type Clock, systemClock } from "../plain/clock";
import { Cloud, type NextRestore } from "../cloud/cloud";
import type { MachineSpec, RecoveryPointSpec } from "../cloud/machines";
import type { Outcome } from "../cloud/model";
import type { TransactionSpec } from "../cloud/new-jobs";
import { StateFile } from "../cloud/state-file";
import { changeDialect, resolveDialect } from "../dialect/read-dialect";
import type { Dialect } from "../dialect/dialect";
import { FaultPicker } from "../dialect/fault-picker";
import type { Faults } from "../dialect/faults";
import { SandboxError } from "../plain/input";
import { type Scenario, withMachines } from "./scenario";
import type { Delivery } from "../wire/deliver";
import { inProcess, type PanelRequest, type PanelResponse, type ReceivedRequest } from "../wire/in-process";
import { RequestHandler } from "./request-handler";
import {
  type MachineRecord,
  machineRecords,
  type RequestRecord,
  type RestoreRecord,
  restoreRecord,
  type TransactionRecord,
  transactionRecord,
  RequestLog,
} from "./records";
import type { PanelOptions, RestoreOptions, SandboxPanel } from "./sandbox-panel";

/** A cloud behind a request handler, with its records and the actions of a test or the page. */
export class Panel implements SandboxPanel {
  readonly username: string;
  readonly password: string;
  readonly clock: Clock;
  readonly speed: number;
  readonly #cloud: Cloud;
  readonly #faults: FaultPicker;
  readonly #log = new RequestLog();
  readonly #file: StateFile;
  readonly #handler: RequestHandler;
  #dialect: Dialect;

  constructor(options: PanelOptions = {}) {
    const scenario = withMachines(options.scenario ?? {});
    const seed = options.seed ?? scenario.seed ?? 1;
    this.username = options.username ?? "operator";
    // HTTP Basic ends the name at the first colon.
    if (this.username.includes(":")) throw new SandboxError("username: must not hold a colon");
    this.password = options.password ?? "sandbox";
    this.clock = options.clock ?? systemClock;
    this.#dialect = resolveDialect(options.dialect ?? scenario.dialect);
    this.#file = new StateFile(options.stateFile, this.#dialect.idStyle);
    this.#faults = new FaultPicker(seed);
    this.#faults.set(scenario.faults ?? {});
    this.#faults.set(options.faults ?? {});
    this.speed = positive("speed", options.speed ?? scenario.speed ?? 1);
    this.#cloud = new Cloud(
      {
        clock: this.clock,
        seed,
        speed: this.speed,
        slots: positive("slots", options.slots ?? scenario.slots ?? 4),
        pickupSeconds: scenario.pickupSeconds ?? 1,
      },
      () => this.#dialect,
    );
    this.#handler = new RequestHandler({
      username: this.username,
      password: this.password,
      clock: this.clock,
      seed,
      cloud: this.#cloud,
      faults: this.#faults,
      log: this.#log,
      dialect: () => this.#dialect,
      save: () => {
        this.#save();
      },
      ...(options.onRequest === undefined ? {} : { onRequest: options.onRequest }),
    });
    this.#begin(scenario);
  }

  handle(request: PanelRequest): Promise<PanelResponse> {
    const body = request.body ?? "";
    return inProcess(this.receive({ ...request, body }), this.clock, request.signal);
  }

  /** Decides the whole answer except its sending. */
  receive(request: ReceivedRequest): Delivery {
    return this.#handler.receive(request);
  }

  requests(): readonly RequestRecord[] {
    return this.#log.all();
  }

  acceptedPosts(machineId?: string | number): number {
    const machine = machineId === undefined ? undefined : this.#machineId(machineId);
    return this.#cloud.restores.filter(
      (restore) => restore.by === "post" && (machine === undefined || restore.machineId === machine),
    ).length;
  }

  restores(): readonly RestoreRecord[] {
    this.#advance();
    return this.#cloud.restores.map((restore) => restoreRecord(this.#cloud, restore));
  }

  transactions(): readonly TransactionRecord[] {
    const now = this.#advance();
    return [...this.#cloud.ledger.jobs()].map((job) => transactionRecord(this.#cloud, job, now));
  }

  machines(): readonly MachineRecord[] {
    this.#advance();
    return machineRecords(this.#cloud);
  }

  endTransaction(id: string | number, outcome: Outcome): void {
    this.#cloud.endTransaction(String(id), outcome);
    this.#save();
  }

  addMachine(machine: MachineSpec): void {
    this.#cloud.addMachine(machine);
    this.#save();
  }

  addRecoveryPoint(machineId: string | number, point: Partial<RecoveryPointSpec> = {}): string {
    const { id } = this.#cloud.addRecoveryPoint(String(machineId), point);
    this.#save();
    return id;
  }

  addTransaction(transaction: TransactionSpec): string {
    const job = this.#cloud.addTransaction(transaction);
    this.#save();
    return this.#cloud.idOf(job.ordinal);
  }

  postRestoreAsSomebodyElse(
    machineId: string | number,
    recoveryPointId: string | number,
    options: RestoreOptions = {},
  ): string {
    const machine = this.#cloud.machines.find(String(machineId));
    const point = machine?.points.find((candidate) => candidate.id === String(recoveryPointId));
    if (machine === undefined || point === undefined) {
      throw new SandboxError(`there is no recovery point ${String(recoveryPointId)} of a machine ${String(machineId)}`);
    }
    const kind = options.paths === undefined ? "machine" : "files";
    const restore = this.#cloud.addRestore({ ...options, kind, machine, pointId: point.id, by: "somebody" });
    this.#save();
    return this.#cloud.idOf(restore.restoreOrdinal);
  }

  failNext(machineId: string | number, next: Outcome | NextRestore): void {
    this.#cloud.setNextRestore(String(machineId), typeof next === "string" ? { outcome: next } : next);
  }

  setBackground(perSecond: number): void {
    this.#cloud.setBackground(perSecond);
  }

  setFaults(faults: Partial<Faults>): void {
    this.#faults.set(faults);
  }

  faults(): Faults {
    return this.#faults.faults;
  }

  setDialect(changes: Partial<Dialect>): void {
    if (changes.idStyle !== undefined && changes.idStyle !== this.#dialect.idStyle) {
      throw new SandboxError("dialect.idStyle: a running panel cannot rename its transactions; choose it at the start");
    }
    this.#dialect = changeDialect(this.#dialect, changes);
  }

  dialect(): Dialect {
    return this.#dialect;
  }

  #machineId(name: string | number): string {
    return this.#cloud.machines.find(String(name))?.id ?? String(name);
  }

  #advance(): number {
    const now = this.#cloud.advance();
    this.#save();
    return now;
  }

  #begin(scenario: Scenario): void {
    const state = this.#file.load();
    if (state !== undefined) {
      this.#cloud.resume(state);
    } else {
      for (const machine of scenario.machines ?? []) this.#cloud.addMachine(machine);
      for (const transaction of scenario.transactions ?? []) this.#cloud.addTransaction(transaction);
      if (scenario.background !== undefined) this.#cloud.setBackground(scenario.background.perSecond);
    }
    this.#save();
  }

  #save(): void {
    this.#file.save(this.#cloud);
  }
}

function positive(key: string, value: number): number {
  if (Number.isFinite(value) && value > 0) return value;
  throw new SandboxError(`${key}: must be a number above 0, not ${String(value)}`);
}
