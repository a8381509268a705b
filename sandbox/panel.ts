import { timingSafeEqual } from "node:crypto";
import { type Clock, systemClock } from "../provider/time/clock";
import { type Answer, errorAnswer } from "./answers";
import { Cloud, type NextRestore, type TransactionSpec } from "./cloud";
import { type Delivery, deliver } from "./delivery";
import { type Dialect, type DialectOption, changeDialect, resolveDialect } from "./dialect";
import { FaultDice, type Faults } from "./faults";
import { inProcess } from "./in-process";
import type { MachineSpec } from "./machines";
import type { Outcome } from "./model";
import { operate } from "./operations";
import { randomFrom } from "./random";
import { route } from "./route";
import { SandboxError } from "./sandbox-error";
import { type Scenario, defaultScenario } from "./scenario";
import { loadState, saveState } from "./state";
import { panelTime } from "./timestamps";
import {
  type MachineRecord,
  machineRecords,
  RequestLog,
  type RequestRecord,
  type RestoreRecord,
  restoreRecord,
  type TransactionRecord,
  transactionRecord,
} from "./witness";

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

export interface PanelRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

export interface PanelResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
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

/** Far above what a list of paths needs. */
export const largestBodyBytes = 1_000_000;

export class Panel implements SandboxPanel {
  readonly username: string;
  readonly password: string;
  readonly clock: Clock;
  readonly #cloud: Cloud;
  readonly #dice: FaultDice;
  readonly #log = new RequestLog();
  readonly #requestIds;
  readonly #options: PanelOptions;
  #dialect: Dialect;
  #saved = 0;

  constructor(options: PanelOptions = {}) {
    const scenario = options.scenario ?? defaultScenario;
    const seed = options.seed ?? scenario.seed ?? 1;
    this.#options = options;
    this.username = options.username ?? "operator";
    this.password = options.password ?? "sandbox";
    this.clock = options.clock ?? systemClock;
    this.#dialect = resolveDialect(options.dialect ?? scenario.dialect);
    this.#dice = new FaultDice(seed);
    this.#dice.set(scenario.faults ?? {});
    this.#dice.set(options.faults ?? {});
    this.#requestIds = randomFrom(seed, "request ids");
    this.#cloud = new Cloud(
      {
        clock: this.clock,
        seed,
        speed: positive("speed", options.speed ?? scenario.speed ?? 1),
        slots: positive("slots", options.slots ?? scenario.slots ?? 4),
        pickupSeconds: scenario.pickupSeconds ?? 1,
      },
      () => this.#dialect,
    );
    this.#begin(scenario);
  }

  handle(request: PanelRequest): Promise<PanelResponse> {
    const body = request.body ?? "";
    return inProcess(this.receive({ ...request, body }), this.clock, request.signal);
  }

  /** Decides all of an answer but how it is sent. The request is on the record from here on. */
  receive(request: PanelRequest & { readonly body: string }): Delivery {
    const { method, path, body } = request;
    const strike = this.#dice.strike(method, path);
    const answered = this.#log.add(method, path, this.clock.now(), body, strike?.kind);
    const format = route(method, path).format;
    const finish = (answer: Answer): Answer => {
      answered(answer.status);
      this.#report(method, path, String(answer.status), strike?.kind);
      return { ...answer, headers: { ...this.#commonHeaders(answer.status), ...answer.headers } };
    };
    const delivery = deliver(strike, () => this.#answer(request), {
      format,
      dialect: this.#dialect,
      panelNow: panelTime(this.clock.now(), this.#dialect),
    });
    switch (delivery.kind) {
      case "cut":
      case "silence":
        this.#report(method, path, "no answer", strike?.kind);
        return delivery;
      case "later":
        return { ...delivery, handle: () => finish(delivery.handle()) };
      default:
        return { ...delivery, answer: finish(delivery.answer) };
    }
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

  addTransaction(transaction: TransactionSpec): string {
    const job = this.#cloud.addTransaction(transaction);
    this.#save();
    return this.#cloud.spell(job.ordinal);
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
    return this.#cloud.spell(restore.restoreOrdinal);
  }

  failNext(machineId: string | number, next: Outcome | NextRestore): void {
    this.#cloud.setNextRestore(String(machineId), typeof next === "string" ? { outcome: next } : next);
  }

  setBackground(perSecond: number): void {
    this.#cloud.setBackground(perSecond);
  }

  setFaults(faults: Partial<Faults>): void {
    this.#dice.set(faults);
  }

  faults(): Faults {
    return this.#dice.faults;
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

  #answer(request: PanelRequest & { readonly body: string }): Answer {
    const { method, path, body } = request;
    const format = route(method, path).format;
    if (!this.#knows(request.headers["authorization"])) {
      return errorAnswer(401, "Authorization is required", format, this.#dialect);
    }
    if (Buffer.byteLength(body) > largestBodyBytes) {
      return errorAnswer(413, "The body is too large", format, this.#dialect);
    }
    const answer = operate(this.#cloud, this.#dialect, method, path, body);
    // Before the answer is on its way: nobody may have seen what the state file does not know.
    this.#save();
    return answer;
  }

  #knows(authorization: string | undefined): boolean {
    const encoded = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization ?? "")?.[1];
    const given = Buffer.from(encoded ?? "", "base64");
    const wanted = Buffer.from(`${this.username}:${this.password}`);
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  }

  #commonHeaders(status: number): Record<string, string> {
    const traced = this.#dialect.headers === "tracing" || this.#dialect.headers === "all";
    const token = (): string =>
      Math.floor(this.#requestIds() * 2 ** 32)
        .toString(16)
        .padStart(8, "0");
    return {
      date: new Date(panelTime(this.clock.now(), this.#dialect)).toUTCString(),
      "cache-control": "no-store",
      ...(status === 401 ? { "www-authenticate": 'Basic realm="Control Panel"' } : {}),
      ...(traced
        ? { "x-request-id": token() + token(), "set-cookie": `_session_id=${token()}${token()}; path=/; HttpOnly` }
        : {}),
    };
  }

  #report(method: string, path: string, outcome: string, fault: string | undefined): void {
    const time = new Date(this.clock.now()).toISOString();
    this.#options.onRequest?.(`${time} ${method} ${path} ${outcome}${fault === undefined ? "" : ` (fault: ${fault})`}`);
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
    const { stateFile } = this.#options;
    const state = stateFile === undefined ? undefined : loadState(stateFile, this.#dialect.idStyle);
    if (state !== undefined) {
      this.#cloud.resume(state);
    } else {
      for (const machine of scenario.machines ?? []) this.#cloud.addMachine(machine);
      for (const transaction of scenario.transactions ?? []) this.#cloud.addTransaction(transaction);
      if (scenario.background !== undefined) this.#cloud.setBackground(scenario.background.perSecond);
    }
    this.#saved = -1;
    this.#save();
  }

  #save(): void {
    const { stateFile } = this.#options;
    if (stateFile === undefined || this.#saved === this.#cloud.changes) return;
    this.#saved = this.#cloud.changes;
    saveState(stateFile, this.#cloud.state(), this.#dialect.idStyle);
  }
}

function positive(key: string, value: number): number {
  if (Number.isFinite(value) && value > 0) return value;
  throw new SandboxError(`${key}: must be a number above 0, not ${String(value)}`);
}
