import type { Random } from "../provider/time/clock";
import { type Answer, errorAnswer, htmlAnswer } from "./answers";
import { commonHeaders } from "./common-headers";
import { type Clock, systemClock } from "./clock";
import { areCredentials } from "./credentials";
import { Cloud, type NextRestore, type TransactionSpec } from "./cloud";
import { type Delivery, deliver } from "./delivery";
import { type Dialect, changeDialect, resolveDialect } from "./dialect";
import { FaultDice, type Faults } from "./faults";
import { inProcess } from "./in-process";
import type { MachineSpec } from "./machines";
import type { Outcome } from "./model";
import { operate } from "./operations";
import { randomFrom } from "./random";
import { route } from "./route";
import { SandboxError } from "./sandbox-error";
import { type Scenario, withMachines } from "./scenario";
import type { PanelOptions, PanelRequest, PanelResponse, RestoreOptions, SandboxPanel } from "./sandbox-panel";
import { StateKeeper } from "./state";
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

/** Far above what a list of paths needs. */
export const largestBodyBytes = 1_000_000;

export class Panel implements SandboxPanel {
  readonly username: string;
  readonly password: string;
  readonly clock: Clock;
  readonly speed: number;
  readonly #cloud: Cloud;
  readonly #dice: FaultDice;
  readonly #log = new RequestLog();
  readonly #random: Random;
  readonly #options: PanelOptions;
  #dialect: Dialect;
  readonly #keeper: StateKeeper;

  constructor(options: PanelOptions = {}) {
    const scenario = withMachines(options.scenario ?? {});
    const seed = options.seed ?? scenario.seed ?? 1;
    this.#options = options;
    this.username = options.username ?? "operator";
    // HTTP Basic ends the name at the first colon.
    if (this.username.includes(":")) throw new SandboxError("username: must not hold a colon");
    this.password = options.password ?? "sandbox";
    this.clock = options.clock ?? systemClock;
    this.#dialect = resolveDialect(options.dialect ?? scenario.dialect);
    this.#keeper = new StateKeeper(options.stateFile, this.#dialect.idStyle);
    this.#dice = new FaultDice(seed);
    this.#dice.set(scenario.faults ?? {});
    this.#dice.set(options.faults ?? {});
    this.#random = randomFrom(seed, "request ids");
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
      return { ...answer, headers: { ...this.#headers(answer.status), ...answer.headers } };
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
      case "answer":
      case "drip":
      case "half":
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
    if (!areCredentials(request.headers["authorization"], this.username, this.password)) {
      return errorAnswer(401, "Authorization is required", format, this.#dialect);
    }
    if (Buffer.byteLength(body) > largestBodyBytes) {
      return errorAnswer(413, "The body is too large", format, this.#dialect);
    }
    const answer = operate(this.#cloud, this.#dialect, method, path, body);
    try {
      // Before the answer is on its way: nobody may have seen what the state file does not know.
      this.#save();
    } catch (error) {
      if (!(error instanceof SandboxError)) throw error;
      this.#options.onRequest?.(error.message);
      return htmlAnswer(500, "The panel cannot keep its state");
    }
    return answer;
  }

  #headers(status: number): Record<string, string> {
    return commonHeaders(status, this.#dialect, this.clock.now(), this.#random);
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
    const state = this.#keeper.load();
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
    this.#keeper.keep(this.#cloud);
  }
}

function positive(key: string, value: number): number {
  if (Number.isFinite(value) && value > 0) return value;
  throw new SandboxError(`${key}: must be a number above 0, not ${String(value)}`);
}
