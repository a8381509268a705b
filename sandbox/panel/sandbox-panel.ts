import type { Clock } from "../plain/clock";
import type { NextRestore } from "../cloud/cloud";
import type { MachineSpec, RecoveryPointSpec } from "../cloud/machines";
import type { Outcome } from "../cloud/model";
import type { TransactionSpec } from "../cloud/new-jobs";
import type { DialectOption } from "../dialect/read-dialect";
import type { Dialect } from "../dialect/dialect";
import type { Faults } from "../dialect/faults";
import type { Scenario } from "./scenario";
import type { PanelRequest, PanelResponse } from "../wire/in-process";
import type { MachineRecord, RequestRecord, RestoreRecord, TransactionRecord } from "./records";

export interface PanelOptions {
  /** @default "operator" */
  readonly username?: string;
  /** @default "sandbox" */
  readonly password?: string;
  /** How the panel answers what its description leaves open. @default "plain" */
  readonly dialect?: DialectOption;
  readonly faults?: Partial<Faults>;
  /** Same seed, same run. @default 1 */
  readonly seed?: number;
  /** How many times faster than life everything runs. @default 1 */
  readonly speed?: number;
  /** How many transactions run at a time. @default 4 */
  readonly slots?: number;
  /** @default the system's clock */
  readonly clock?: Clock;
  /** @default machines 42, 43 and 44 with recovery points 1007, 1008 and 1009 each */
  readonly scenario?: Scenario;
  /** Machines and transactions are kept in this file across restarts. */
  readonly stateFile?: string;
  /** Gets one line per request, when it was answered. */
  readonly onRequest?: (line: string) => void;
}

export interface RestoreOptions {
  /** Restores these files instead of the whole machine. */
  readonly paths?: readonly string[];
  readonly seconds?: number;
  readonly outcome?: Outcome;
}

/** The handle on a panel: its interface in process, what it witnessed, and what a test may do to it. */
export interface SandboxPanel {
  readonly username: string;
  readonly password: string;
  /** The panel's interface without a socket. A cut connection rejects with the code ECONNRESET; a request that is never answered settles with its signal. */
  handle(request: PanelRequest): Promise<PanelResponse>;
  /** Every request received (of a long run the newest hundred thousand), in order. */
  requests(): readonly RequestRecord[];
  /** How many POSTs were carried out, also those whose answer was lost. */
  acceptedPosts(machineId?: string | number): number;
  restores(): readonly RestoreRecord[];
  /** In order of creation, without background rows. */
  transactions(): readonly TransactionRecord[];
  machines(): readonly MachineRecord[];
  /** Ends an unfinished transaction now. */
  endTransaction(id: string | number, outcome: Outcome): void;
  addMachine(machine: MachineSpec): void;
  /** A backup that was made, just now unless it has an age. Returns the recovery point's id: by default the one after the machine's largest. */
  addRecoveryPoint(machineId: string | number, point?: Partial<RecoveryPointSpec>): string;
  /** Other work, such as a backup. Returns the transaction's id. */
  addTransaction(transaction: TransactionSpec): string;
  /** A restore that no request asked for. Returns the id of the transaction that is the restore proper. */
  postRestoreAsSomebodyElse(
    machineId: string | number,
    recoveryPointId: string | number,
    options?: RestoreOptions,
  ): string;
  /** What becomes of the next restore of the machine; called twice, of the next two. */
  failNext(machineId: string | number, next: Outcome | NextRestore): void;
  /** Rows per second that other users add; 0 for none. */
  setBackground(perSecond: number): void;
  /** Replaces the rules of the methods given; their counts start anew. */
  setFaults(faults: Partial<Faults>): void;
  faults(): Faults;
  setDialect(changes: Partial<Dialect>): void;
  dialect(): Dialect;
}
