import { timingSafeEqual } from "node:crypto";
import { pause, type Random } from "../../provider/plain/clock";
import { Cloud } from "../cloud/cloud";
import { StateFile } from "../cloud/state-file";
import type { Dialect } from "../dialect/dialect";
import { FaultPicker } from "../dialect/faults";
import { resolveDialect } from "../dialect/presets";
import { type PanelClock, randomFrom, systemPanelClock } from "../plain/clock";
import { positive, present, SandboxError } from "../plain/input";
import { errorAnswer, type WireFormat, htmlAnswer, type PanelRequest, type PanelResponse } from "../wire/answers";
import { connectionReset, deliver, type Delivery } from "../wire/deliver";
import { answerOperation } from "../wire/operations";
import { route } from "../wire/route";
import { panelTime } from "../wire/rows";
import { largestBodyBytes } from "../wire/server";
import type { RequestRecord } from "./records";
import type { PanelOptions } from "./sandbox-panel";
import { type Scenario, withMachines } from "./scenario";

/** A cloud behind a panel's HTTP interface. */
export class HttpPanel {
  readonly username: string;
  readonly password: string;
  readonly clock: PanelClock;
  readonly speed: number;
  readonly cloud: Cloud;
  readonly picker: FaultPicker;
  /** The newest hundred thousand requests, because a panel may run for weeks. */
  readonly requests: RequestRecord[] = [];
  #received = 0;
  readonly #random: Random;
  readonly #onRequest: (line: string) => void;
  readonly #file: StateFile;
  /** It can change while the panel runs. */
  dialect: Dialect;

  constructor(options: PanelOptions = {}) {
    const scenario = withMachines(options.scenario ?? {});
    const seed = options.seed ?? scenario.seed ?? 1;
    this.username = options.username ?? "operator";
    // HTTP Basic ends the name at the first colon.
    if (this.username.includes(":")) throw new SandboxError("username: must not hold a colon");
    this.password = options.password ?? "sandbox";
    this.clock = options.clock ?? systemPanelClock;
    this.#onRequest = options.onRequest ?? (() => undefined);
    this.#random = randomFrom(seed, "request ids");
    this.dialect = resolveDialect(options.dialect ?? scenario.dialect);
    this.#file = new StateFile(options.stateFile, this.dialect.idStyle);
    this.picker = new FaultPicker(seed);
    this.picker.set({ ...scenario.faults, ...options.faults });
    this.speed = positive(options.speed ?? scenario.speed ?? 1, "speed");
    const slots = positive(options.slots ?? scenario.slots ?? 4, "slots");
    const { clock, speed } = this;
    const pickupSeconds = scenario.pickupSeconds ?? 1;
    this.cloud = new Cloud({ clock, seed, speed, slots, pickupSeconds }, () => this.dialect);
    this.#begin(scenario);
  }

  async handle(request: PanelRequest): Promise<PanelResponse> {
    const { answer, bytesPerSecond, half } = await this.receive(request);
    if (half === "full") throw connectionReset();
    const { body } = answer;
    if (bytesPerSecond !== undefined) await pause(this.clock, (body.length * 1000) / bytesPerSecond, request.signal);
    return half === undefined ? answer : { ...answer, body: body.slice(0, body.length >> 1) };
  }

  /**
   * Decides the whole answer except its sending. A request goes through these steps: it is recorded; a fault may end it; credentials and
   * body size are checked; the operation runs; the state is saved; a fault may spoil the answer; the answer gets its headers; it is
   * reported.
   */
  async receive(request: PanelRequest): Promise<Delivery> {
    const { method, path, body = "", signal } = request;
    const { clock, dialect } = this;
    const fault = this.picker.pick(method, path);
    const kept = body === "" ? undefined : body.slice(0, 100_000);
    const asked = { number: ++this.#received, method, path, at: clock.now(), body: kept, fault: fault?.kind };
    const record: { -readonly [Key in keyof RequestRecord]: RequestRecord[Key] } = present(asked);
    this.requests.push(record);
    if (this.requests.length > 110_000) this.requests.splice(0, 10_000);
    const report = (outcome: string): void => {
      const struck = fault === undefined ? "" : ` (fault: ${fault.kind})`;
      this.#onRequest(`${new Date(clock.now()).toISOString()} ${method} ${path} ${outcome}${struck}`);
    };
    const { format } = route(method, path);
    try {
      const context = { format, dialect, clock, signal };
      const delivery = await deliver(fault, () => this.#answer(request, format), context);
      const { answer } = delivery;
      record.status = answer.status;
      report(String(answer.status));
      return { ...delivery, answer: { ...answer, headers: { ...this.#headers(answer.status), ...answer.headers } } };
    } catch (error) {
      report("no answer");
      throw error;
    }
  }

  save(): void {
    this.#file.save(this.cloud);
  }

  #answer({ method, path, headers, body = "" }: PanelRequest, format: WireFormat): PanelResponse {
    const dialect = this.dialect;
    if (!areCredentials(headers["authorization"], this)) {
      return errorAnswer(401, "Authorization is required", format, dialect);
    }
    if (Buffer.byteLength(body) > largestBodyBytes) return errorAnswer(413, "The body is too large", format, dialect);
    const answer = answerOperation(this.cloud, dialect, method, path, body);
    try {
      // Saved before the answer is sent: a client must not see anything that is not in the state file.
      this.save();
    } catch (error) {
      if (!(error instanceof SandboxError)) throw error;
      this.#onRequest(error.message);
      return htmlAnswer(500, "The panel cannot keep its state");
    }
    return answer;
  }

  /** Headers of every answer: the panel's time, and in some dialects a request id and a session cookie. */
  #headers(status: number): Record<string, string> {
    const dialect = this.dialect;
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
      this.cloud.resume(state);
    } else {
      for (const machine of scenario.machines ?? []) this.cloud.addMachine(machine);
      for (const transaction of scenario.transactions ?? []) this.cloud.addTransaction(transaction);
      if (scenario.background !== undefined) this.cloud.setBackground(scenario.background.perSecond);
    }
    this.save();
  }
}

/** The `Authorization` header is HTTP Basic with exactly this user and password. */
function areCredentials(authorization: string | undefined, { username, password }: HttpPanel): boolean {
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization ?? "")?.[1];
  const given = Buffer.from(encoded ?? "", "base64");
  const wanted = Buffer.from(`${username}:${password}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
