import type { Random } from "../../provider/plain/clock";
import { Cloud, type NextRestore } from "../cloud/cloud";
import type { TransactionSpec } from "../cloud/jobs";
import type { MachineSpec, RecoveryPointSpec } from "../cloud/machines";
import type { Outcome } from "../cloud/model";
import { StateFile } from "../cloud/state-file";
import type { Dialect } from "../dialect/dialect";
import { FaultPicker, type Faults } from "../dialect/faults";
import { changeDialect, resolveDialect } from "../dialect/presets";
import { randomFrom } from "../plain/chance";
import { type Clock, systemClock } from "../plain/clock";
import { positive, SandboxError } from "../plain/input";
import type { Delivery } from "../wire/deliver";
import { inProcess, type PanelRequest, type PanelResponse, type ReceivedRequest } from "../wire/in-process";
import { receive } from "./receive";
import {
  type MachineRecord,
  machineRecord,
  RequestLog,
  type RequestRecord,
  type RestoreRecord,
  restoreRecord,
  type TransactionRecord,
  transactionRecord,
} from "./records";
import type { PanelOptions, RestoreOptions, SandboxPanel } from "./sandbox-panel";
import { type Scenario, withMachines } from "./scenario";

/** A cloud behind a panel's interface, with its records and the actions of a test or the page. */
export class Panel implements SandboxPanel {
  readonly username: string;
  readonly password: string;
  readonly clock: Clock;
  readonly speed: number;
  readonly cloud: Cloud;
  readonly picker: FaultPicker;
  readonly log = new RequestLog();
  readonly random: Random;
  readonly onRequest: (line: string) => void;
  readonly #file: StateFile;
  #dialect: Dialect;

  constructor(options: PanelOptions = {}) {
    const scenario = withMachines(options.scenario ?? {});
    const seed = options.seed ?? scenario.seed ?? 1;
    this.username = options.username ?? "operator";
    // HTTP Basic ends the name at the first colon.
    if (this.username.includes(":")) throw new SandboxError("username: must not hold a colon");
    this.password = options.password ?? "sandbox";
    this.clock = options.clock ?? systemClock;
    this.onRequest = options.onRequest ?? (() => undefined);
    this.random = randomFrom(seed, "request ids");
    this.#dialect = resolveDialect(options.dialect ?? scenario.dialect);
    this.#file = new StateFile(options.stateFile, this.#dialect.idStyle);
    this.picker = new FaultPicker(seed);
    this.picker.set({ ...scenario.faults, ...options.faults });
    this.speed = positive(options.speed ?? scenario.speed ?? 1, "speed");
    const slots = positive(options.slots ?? scenario.slots ?? 4, "slots");
    const { clock, speed } = this;
    const pickupSeconds = scenario.pickupSeconds ?? 1;
    this.cloud = new Cloud({ clock, seed, speed, slots, pickupSeconds }, () => this.#dialect);
    this.#begin(scenario);
  }

  handle(request: PanelRequest): Promise<PanelResponse> {
    const body = request.body ?? "";
    return inProcess(this.receive({ ...request, body }), this.clock, request.signal);
  }

  receive(request: ReceivedRequest): Delivery {
    return receive(this, request);
  }

  requests(): readonly RequestRecord[] {
    return this.log.all();
  }

  acceptedPosts(machineId?: string | number): number {
    const name = machineId === undefined ? undefined : String(machineId);
    const machine = name && (this.cloud.machines.get(name)?.id ?? name);
    return this.cloud.restores.filter(
      (restore) => restore.by === "post" && (machine === undefined || restore.machineId === machine),
    ).length;
  }

  restores(): readonly RestoreRecord[] {
    this.#advance();
    return this.cloud.restores.map((restore) => restoreRecord(this.cloud, restore));
  }

  transactions(): readonly TransactionRecord[] {
    const now = this.#advance();
    return [...this.cloud.ledger.jobs()].map((job) => transactionRecord(this.cloud, job, now));
  }

  machines(): readonly MachineRecord[] {
    this.#advance();
    return this.cloud.allMachines().map((machine) => machineRecord(this.cloud, machine));
  }

  endTransaction(id: string | number, outcome: Outcome): void {
    this.cloud.endTransaction(String(id), outcome);
    this.save();
  }

  addMachine(machine: MachineSpec): void {
    this.cloud.addMachine(machine);
    this.save();
  }

  addRecoveryPoint(machineId: string | number, point: Partial<RecoveryPointSpec> = {}): string {
    const { id } = this.cloud.addRecoveryPoint(String(machineId), point);
    this.save();
    return id;
  }

  addTransaction(transaction: TransactionSpec): string {
    const job = this.cloud.addTransaction(transaction);
    this.save();
    return this.cloud.idOf(job.ordinal);
  }

  postRestoreAsSomebodyElse(
    machineId: string | number,
    recoveryPointId: string | number,
    options: RestoreOptions = {},
  ): string {
    const machine = this.cloud.machines.get(String(machineId));
    const point = machine?.points.find((candidate) => candidate.id === String(recoveryPointId));
    if (machine === undefined || point === undefined) {
      throw new SandboxError(`there is no recovery point ${String(recoveryPointId)} of a machine ${String(machineId)}`);
    }
    const kind = options.paths === undefined ? "machine" : "files";
    const { ordinal } = this.cloud.addRestore({ ...options, kind, machine, pointId: point.id, by: "somebody" });
    this.save();
    return this.cloud.idOf(ordinal);
  }

  failNext(machineId: string | number, next: Outcome | NextRestore): void {
    this.cloud.setNextRestore(String(machineId), typeof next === "string" ? { outcome: next } : next);
  }

  setBackground(perSecond: number): void {
    this.cloud.setBackground(perSecond);
  }

  setFaults(faults: Partial<Faults>): void {
    this.picker.set(faults);
  }

  faults(): Faults {
    return this.picker.faults;
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

  save(): void {
    this.#file.save(this.cloud);
  }

  #advance(): number {
    const now = this.cloud.advance();
    this.save();
    return now;
  }

  #begin(scenario: Scenario): void {
    const state = this.#file.load();
    if (state !== undefined) {
      this.cloud.resume(state);
    } else {
      for (const machine of scenario.machines ?? []) this.cloud.addMachine(machine);
      for (const transaction of scenario.transactions ?? []) this.cloud.addTransaction(transaction);
      if (scenario.background !== undefined) this.cloud.setBackground(scenario.background.perSecond);
    }
    this.save();
  }
}
