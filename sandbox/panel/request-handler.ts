import { timingSafeEqual } from "node:crypto";
import type { Random } from "../../provider/plain/clock";
import type { Clock } from "../plain/clock";
import { randomFrom } from "../plain/chance";
import type { Cloud } from "../cloud/cloud";
import type { Dialect } from "../dialect/dialect";
import { deliver, type Delivery } from "../wire/deliver";
import type { FaultPicker } from "../dialect/fault-picker";
import { SandboxError } from "../plain/input";
import { type Answer, errorAnswer, htmlAnswer } from "../wire/answers";
import { largestBodyBytes } from "../wire/server";
import { answerOperation } from "../wire/operations";
import type { ReceivedRequest } from "../wire/in-process";
import { route } from "../wire/route";
import { panelTime } from "../wire/rows";
import type { RequestLog } from "./records";

interface RequestHandlerOptions {
  readonly username: string;
  readonly password: string;
  readonly clock: Clock;
  readonly seed: number;
  readonly cloud: Cloud;
  readonly faults: FaultPicker;
  readonly log: RequestLog;
  /** The dialect at the time of a request: it can change while the panel runs. */
  readonly dialect: () => Dialect;
  /** Writes the state file. */
  readonly save: () => void;
  readonly onRequest?: (line: string) => void;
}

/**
 * A request goes through these steps: it is recorded; a fault may end it; credentials and body size are checked; the operation runs;
 * the state is saved; a fault may spoil the answer; the answer gets its headers; it is reported.
 */
export class RequestHandler {
  readonly #random: Random;

  constructor(private readonly options: RequestHandlerOptions) {
    this.#random = randomFrom(options.seed, "request ids");
  }

  /** Records the request and decides the whole answer except its sending. */
  receive(request: ReceivedRequest): Delivery {
    const { method, path, body } = request;
    const { clock, faults: dice, log, dialect } = this.options;
    const fault = dice.pick(method, path);
    const answered = log.add(method, path, clock.now(), body, fault?.kind);
    const finish = (answer: Answer): Answer => {
      answered(answer.status);
      this.#report(method, path, String(answer.status), fault?.kind);
      return { ...answer, headers: { ...this.#headers(answer.status), ...answer.headers } };
    };
    const delivery = deliver(fault, () => this.#answer(request), {
      format: route(method, path).format,
      dialect: dialect(),
      panelNow: panelTime(clock.now(), dialect()),
    });
    switch (delivery.kind) {
      case "cut":
      case "silence":
        this.#report(method, path, "no answer", fault?.kind);
        return delivery;
      case "later":
        return { ...delivery, handle: () => finish(delivery.handle()) };
      case "answer":
      case "drip":
      case "half":
        return { ...delivery, answer: finish(delivery.answer) };
    }
  }

  #answer(request: ReceivedRequest): Answer {
    const { method, path, body } = request;
    const { username, password, cloud } = this.options;
    const dialect = this.options.dialect();
    const format = route(method, path).format;
    if (!areCredentials(request.headers["authorization"], username, password)) {
      return errorAnswer(401, "Authorization is required", format, dialect);
    }
    if (Buffer.byteLength(body) > largestBodyBytes) {
      return errorAnswer(413, "The body is too large", format, dialect);
    }
    const answer = answerOperation(cloud, dialect, method, path, body);
    try {
      // Saved before the answer is sent: a client must not see what the state file does not hold.
      this.options.save();
    } catch (error) {
      if (!(error instanceof SandboxError)) throw error;
      this.options.onRequest?.(error.message);
      return htmlAnswer(500, "The panel cannot keep its state");
    }
    return answer;
  }

  #headers(status: number): Record<string, string> {
    return commonHeaders(status, this.options.dialect(), this.options.clock.now(), this.#random);
  }

  #report(method: string, path: string, outcome: string, fault: string | undefined): void {
    const time = new Date(this.options.clock.now()).toISOString();
    const struck = fault === undefined ? "" : ` (fault: ${fault})`;
    this.options.onRequest?.(`${time} ${method} ${path} ${outcome}${struck}`);
  }
}

/** Headers of every answer: the panel's time, and in some dialects a request id and a session cookie. */
function commonHeaders(status: number, dialect: Dialect, now: number, random: Random): Record<string, string> {
  const token = (): string => Array.from({ length: 16 }, () => Math.floor(random() * 16).toString(16)).join("");
  const traced = dialect.headers === "tracing" || dialect.headers === "all";
  return {
    date: new Date(panelTime(now, dialect)).toUTCString(),
    "cache-control": "no-store",
    ...(status === 401 ? { "www-authenticate": 'Basic realm="Control Panel"' } : {}),
    ...(traced ? { "x-request-id": token(), "set-cookie": `_session_id=${token()}; path=/; HttpOnly` } : {}),
  };
}

/** The `Authorization` header is HTTP Basic with exactly this user and password. */
function areCredentials(authorization: string | undefined, username: string, password: string): boolean {
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization ?? "")?.[1];
  const given = Buffer.from(encoded ?? "", "base64");
  const wanted = Buffer.from(`${username}:${password}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
