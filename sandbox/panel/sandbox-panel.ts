import type { PanelClock } from "../plain/clock";
import type { NextRestore } from "../cloud/cloud";
import type { MachineSpec, Outcome, RecoveryPointSpec } from "../cloud/model";
import type { TransactionSpec } from "../cloud/jobs";
import type { DialectOption } from "../dialect/presets";
import type { Dialect } from "../dialect/dialect";
import type { Faults } from "../dialect/faults";
import type { Scenario } from "./scenario";
import type { PanelRequest, PanelResponse } from "../wire/answers";
import type { MachineRecord, RequestRecord, PostedRestoreRecord, TransactionRecord } from "./records";

export interface PanelOptions {
  /** The user name. @default "operator" */
  readonly username?: string;
  /** The password. @default "sandbox" */
  readonly password?: string;
  /** The panel's answers wherever panels differ. @default "plain" */
  readonly dialect?: DialectOption;
  /** Faults of requests. @default none */
  readonly faults?: Partial<Faults>;
  /** The same seed gives the same run. @default 1 */
  readonly seed?: number;
  /** Everything runs this many times faster than in reality. @default 1 */
  readonly speed?: number;
  /** Number of transactions that run at a time. @default 4 */
  readonly slots?: number;
  /** The panel's clock. @default the system's clock */
  readonly clock?: PanelClock;
  /** The panel's content at the start. @default machines 42, 43 and 44 with recovery points 1007, 1008 and 1009 each */
  readonly scenario?: Scenario;
  /** Keeps machines and transactions in this file across restarts. */
  readonly stateFile?: string;
  /** Receives one line per answered request. */
  readonly onRequest?: (line: string) => void;
}

export interface RestoreOptions {
  /** Restores these files instead of the whole machine. */
  readonly paths?: readonly string[];
  readonly seconds?: number;
  readonly outcome?: Outcome;
}

/** A simulated panel: its interface without a socket, its records, and actions for tests. */
export interface SandboxPanel {
  readonly username: string;
  readonly password: string;
  /** Handles a request without a socket. A cut connection rejects with the code ECONNRESET; a request without an answer settles with its signal. */
  handle(request: PanelRequest): Promise<PanelResponse>;
  /** Every request received, in order; in a long run the newest hundred thousand. */
  requests(): readonly RequestRecord[];
  /** Number of POSTs that were carried out, including those whose answer was lost. */
  acceptedPosts(machineId?: string | number): number;
  restores(): readonly PostedRestoreRecord[];
  /** In order of creation, without background rows. */
  transactions(): readonly TransactionRecord[];
  machines(): readonly MachineRecord[];
  /** Ends an unfinished transaction now. */
  endTransaction(id: string | number, outcome: Outcome): void;
  addMachine(machine: MachineSpec): void;
  /** Adds a recovery point, taken just now unless it has an age. Returns its id, by default the machine's largest id plus one. */
  addRecoveryPoint(machineId: string | number, point?: Partial<RecoveryPointSpec>): string;
  /** Adds other work, such as a backup. Returns the transaction's id. */
  addTransaction(transaction: TransactionSpec): string;
  /** Starts a restore as another user would. Returns the id of the transaction that restores. */
  postRestoreAsSomebodyElse(
    machineId: string | number,
    recoveryPointId: string | number,
    options?: RestoreOptions,
  ): string;
  /** Sets the outcome of the machine's next restore. A second call sets the outcome of the restore after it. */
  failNext(machineId: string | number, next: Outcome | NextRestore): void;
  /** Sets how many rows per second other users add; 0 for none. */
  setBackground(perSecond: number): void;
  /** Replaces the rules of the given methods. Their counts start again. */
  setFaults(faults: Partial<Faults>): void;
  faults(): Faults;
  setDialect(changes: Partial<Dialect>): void;
  dialect(): Dialect;
}
