import { pause, type Random } from "../../provider/plain/clock";
import { Cloud, type NextRestore } from "../cloud/cloud";
import type { TransactionSpec } from "../cloud/jobs";
import type { AcceptedRestore, MachineSpec, Outcome, RecoveryPointSpec } from "../cloud/model";
import { StateFile } from "../cloud/state-file";
import type { Dialect } from "../dialect/dialect";
import { FaultPicker, type Faults } from "../dialect/faults";
import { resolveDialect } from "../dialect/presets";
import { type PanelClock, randomFrom, systemPanelClock } from "../plain/clock";
import { positive, present, SandboxError } from "../plain/input";
import { type PanelResponse, errorAnswer, type WireFormat, type PanelRequest } from "../wire/answers";
import { connectionReset, deliver, type Delivery } from "../wire/deliver";
import { answerOperation } from "../wire/operations";
import { route } from "../wire/route";
import { panelTime } from "../wire/rows";
import { largestBodyBytes } from "../wire/server";
import {
  machineRecord,
  type MachineRecord,
  type RequestRecord,
  restoreRecord,
  type PostedRestoreRecord,
  transactionRecord,
  type TransactionRecord,
} from "./records";
import { type Scenario, withMachines } from "./scenario";

export interface PanelOptions extends Pick<Scenario, "dialect" | "faults" | "seed" | "speed" | "slots"> {
  /** The user name. @default "operator" */
  readonly username?: string;
  /** The password. @default "sandbox" */
  readonly password?: string;
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

/** A simulated panel: its API without a socket, its records, and actions for tests. */
export type SandboxPanel = Omit<ControlledPanel, "clock" | "speed" | "receive">;

/** A cloud behind a panel's HTTP interface. */
export class ControlledPanel {
  readonly username: string;
  readonly password: string;
  readonly clock: PanelClock;
  readonly speed: number;
  readonly #cloud: Cloud;
  readonly #picker: FaultPicker;
  /** The newest hundred thousand requests. There is a limit because a panel may run for weeks. */
  readonly #requests: RequestRecord[] = [];
  #received = 0;
  readonly #random: Random;
  readonly #onRequest: (line: string) => void;
  readonly #file: StateFile;
  readonly #dialect: Dialect;

  constructor(options: PanelOptions = {}) {
    const scenario = withMachines(options.scenario ?? {});
    const seed = options.seed ?? scenario.seed ?? 1;
    this.username = options.username ?? "operator";
    // HTTP Basic ends the name at the first colon.
    if (this.username.includes(":")) throw new SandboxError("username: must not contain a colon");
    this.password = options.password ?? "sandbox";
    this.clock = options.clock ?? systemPanelClock;
    this.#onRequest = options.onRequest ?? (() => undefined);
    this.#random = randomFrom(seed, "request ids");
    this.#dialect = resolveDialect(options.dialect ?? scenario.dialect);
    this.#file = new StateFile(options.stateFile, this.#dialect.idStyle);
    this.#picker = new FaultPicker(seed);
    this.#picker.set({ ...scenario.faults, ...options.faults });
    this.speed = positive(options.speed ?? scenario.speed ?? 1, "speed");
    const slots = positive(options.slots ?? scenario.slots ?? 4, "slots");
    const { clock, speed } = this;
    const pickupSeconds = scenario.pickupSeconds ?? 1;
    this.#cloud = new Cloud({ clock, seed, speed, slots, pickupSeconds }, () => this.#dialect);
    this.#begin(scenario);
  }

  /** Handles a request without a socket. If a fault cuts the connection, rejects with ECONNRESET. If there is no answer, rejects once the signal is aborted. */
  async handle(request: PanelRequest): Promise<PanelResponse> {
    const { answer, bytesPerSecond, isHalf } = await this.receive(request);
    if (isHalf) throw connectionReset();
    const { body } = answer;
    if (bytesPerSecond !== undefined) await pause(this.clock, (body.length * 1000) / bytesPerSecond, request.signal);
    return answer;
  }

  /**
   * Does everything except sending the answer: records the request, checks the credentials and the body's size, carries out the operation, saves the state,
   * adds headers and reports the request. A fault may end the request before the operation, or corrupt the answer.
   */
  async receive(request: PanelRequest): Promise<Delivery> {
    const { method, path, body = "", signal } = request;
    const { clock } = this;
    const fault = this.#picker.pick(method, path);
    const kept = body === "" ? undefined : body.slice(0, 100_000);
    const asked = { number: ++this.#received, method, path, at: clock.now(), body: kept, fault: fault?.kind };
    const record: { -readonly [Key in keyof RequestRecord]: RequestRecord[Key] } = present(asked);
    this.#requests.push(record);
    if (this.#requests.length > 110_000) this.#requests.splice(0, 10_000);
    const report = (outcome: string): void => {
      const struck = fault === undefined ? "" : ` (fault: ${fault.kind})`;
      this.#onRequest(`${new Date(clock.now()).toISOString()} ${method} ${path} ${outcome}${struck}`);
    };
    const { format } = route(method, path);
    try {
      const context = { format, dialect: this.#dialect, clock, signal };
      const delivery = await deliver(fault, () => this.#answer(request, format), context);
      const { answer } = delivery;
      record.status = answer.status;
      report(String(answer.status));
      return { ...delivery, answer: { ...answer, headers: { ...this.#headers(answer.status), ...answer.headers } } };
    } catch (error) {
      report("no response");
      throw error;
    }
  }

  /** Every request received, in order. After a long run, only the newest hundred thousand. */
  requests(): readonly RequestRecord[] {
    return this.#requests;
  }

  /** Number of POSTs that were carried out, including those whose answer was lost. */
  acceptedPosts(machineId?: string | number): number {
    const machine = this.#cloud.machines.get(String(machineId))?.id;
    const counts = ({ by, machineId: of }: AcceptedRestore): boolean =>
      by === "post" && (machineId === undefined || of === machine);
    return this.#cloud.restores.filter(counts).length;
  }

  restores(): readonly PostedRestoreRecord[] {
    this.#saved(this.#cloud.advance());
    return this.#cloud.restores.map((restore) => restoreRecord(this.#cloud, restore));
  }

  /** In order of creation, without background rows. */
  transactions(): readonly TransactionRecord[] {
    const now = this.#saved(this.#cloud.advance());
    return [...this.#cloud.ledger.jobs()].map((job) => transactionRecord(this.#cloud, job, now));
  }

  machines(): readonly MachineRecord[] {
    this.#saved(this.#cloud.advance());
    return this.#cloud.allMachines().map((machine) => machineRecord(this.#cloud, machine));
  }

  /** Ends an unfinished transaction now. */
  endTransaction(id: string | number, outcome: Outcome): void {
    this.#cloud.endTransaction(String(id), outcome);
    this.#file.save(this.#cloud);
  }

  addMachine(machine: MachineSpec): void {
    this.#saved(this.#cloud.addMachine(machine));
  }

  /** Adds a recovery point, taken just now unless `point` sets an age. Returns its id, by default the machine's largest point id plus one. */
  addRecoveryPoint(machineId: string | number, point: Partial<RecoveryPointSpec> = {}): string {
    return this.#saved(this.#cloud.addRecoveryPoint(String(machineId), point)).id;
  }

  /** Adds other work, such as a backup. Returns the transaction's id. */
  addTransaction(transaction: TransactionSpec): string {
    return this.#cloud.idOf(this.#saved(this.#cloud.addTransaction(transaction)).ordinal);
  }

  /** Starts a restore as another user would. Returns the id of the transaction that does the restoring. */
  postRestoreAsSomebodyElse(
    machineId: string | number,
    recoveryPointId: string | number,
    restore: RestoreOptions = {},
  ): string {
    const machine = this.#cloud.machines.get(String(machineId));
    const point = machine?.points.find((candidate) => candidate.id === String(recoveryPointId));
    if (machine === undefined || point === undefined) {
      throw new SandboxError(`machine ${String(machineId)} has no recovery point ${String(recoveryPointId)}`);
    }
    const kind = restore.paths === undefined ? "machine" : "files";
    const job = this.#saved(this.#cloud.addRestore({ ...restore, kind, machine, pointId: point.id, by: "somebody" }));
    return this.#cloud.idOf(job.ordinal);
  }

  /** Sets the outcome of the machine's next restore. A second call sets the outcome of the restore after that. */
  failNext(machineId: string | number, next: Outcome | NextRestore): void {
    this.#cloud.setNextRestore(String(machineId), typeof next === "string" ? { outcome: next } : next);
  }

  /** Replaces the rules for the given methods, and restarts their counts. */
  setFaults(faults: Partial<Faults>): void {
    this.#picker.set(faults);
  }

  faults(): Faults {
    return this.#picker.faults;
  }

  /** Saves a change to the state file before any client can see the change. */
  #saved<T>(result: T): T {
    this.#file.save(this.#cloud);
    return result;
  }

  #answer({ method, path, headers, body = "" }: PanelRequest, format: WireFormat): PanelResponse {
    const dialect = this.#dialect;
    const basic = `Basic ${Buffer.from(`${this.username}:${this.password}`).toString("base64")}`;
    if (headers["authorization"] !== basic) {
      return errorAnswer(401, "Authorization is required", format, dialect);
    }
    if (Buffer.byteLength(body) > largestBodyBytes) return errorAnswer(413, "The body is too large", format, dialect);
    // Saved before the answer is sent, so that a client never sees anything that is not in the state file.
    return this.#saved(answerOperation(this.#cloud, dialect, method, path, body));
  }

  /** The headers of every answer: the panel's time and, in some dialects, a request id and a session cookie. */
  #headers(status: number): Record<string, string> {
    const dialect = this.#dialect;
    const token = (): string => Array.from({ length: 16 }, () => Math.floor(this.#random() * 16).toString(16)).join("");
    const traced = dialect.headers === "tracing" || dialect.headers === "all";
    return {
      date: new Date(panelTime(this.clock.now(), dialect)).toUTCString(),
      "cache-control": "no-store",
      ...(status === 401 ? { "www-authenticate": 'Basic realm="Control Panel"' } : {}),
      ...(traced ? { "x-request-id": token(), "set-cookie": `_session_id=${token()}; path=/; HttpOnly` } : {}),
    };
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
    this.#saved(undefined);
  }
}
