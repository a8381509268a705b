import type { NextRestore } from "../cloud/cloud";
import type { TransactionSpec } from "../cloud/jobs";
import type { MachineSpec, RecoveryPointSpec } from "../cloud/machines";
import type { Outcome } from "../cloud/model";
import type { Dialect } from "../dialect/dialect";
import type { Faults } from "../dialect/faults";
import { changeDialect } from "../dialect/presets";
import { SandboxError } from "../plain/input";
import { HttpPanel } from "./http-panel";
import {
  type MachineRecord,
  machineRecord,
  type RequestRecord,
  type RestoreRecord,
  restoreRecord,
  type TransactionRecord,
  transactionRecord,
} from "./records";
import type { RestoreOptions, SandboxPanel } from "./sandbox-panel";

/** A panel with its records and the actions of a test or the page. */
export class Panel extends HttpPanel implements SandboxPanel {
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
    if (changes.idStyle !== undefined && changes.idStyle !== this.current.idStyle) {
      throw new SandboxError("dialect.idStyle: a running panel cannot rename its transactions; choose it at the start");
    }
    this.current = changeDialect(this.current, changes);
  }

  dialect(): Dialect {
    return this.current;
  }

  #advance(): number {
    const now = this.cloud.advance();
    this.save();
    return now;
  }
}
