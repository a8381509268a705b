import { timingSafeEqual } from "node:crypto";
import type { Random } from "../../provider/plain/clock";
import type { Cloud } from "../cloud/cloud";
import type { Dialect } from "../dialect/dialect";
import type { FaultPicker } from "../dialect/faults";
import type { Clock } from "../plain/clock";
import { present, SandboxError } from "../plain/input";
import { type Answer, errorAnswer, htmlAnswer } from "../wire/answers";
import { deliver, type Delivery } from "../wire/deliver";
import type { Format } from "../wire/encode";
import type { ReceivedRequest } from "../wire/in-process";
import { answerOperation } from "../wire/operations";
import { route } from "../wire/route";
import { panelTime } from "../wire/rows";
import { largestBodyBytes } from "../wire/server";
import type { RequestLog } from "./records";

/** What answers a request. */
interface Served {
  readonly username: string;
  readonly password: string;
  readonly clock: Clock;
  readonly cloud: Cloud;
  readonly picker: FaultPicker;
  readonly log: RequestLog;
  /** Makes request ids. */
  readonly random: Random;
  /** Receives one line per answered request. */
  readonly onRequest: (line: string) => void;
  /** The dialect now: it can change while the panel runs. */
  dialect(): Dialect;
  /** Writes the state file. */
  save(): void;
}

/**
 * Decides the whole answer except its sending. A request goes through these steps: it is recorded; a fault may end it; credentials and
 * body size are checked; the operation runs; the state is saved; a fault may spoil the answer; the answer gets its headers; it is
 * reported.
 */
export function receive(panel: Served, request: ReceivedRequest): Delivery {
  const { method, path, body } = request;
  const { clock } = panel;
  const fault = panel.picker.pick(method, path);
  const kept = body === "" ? undefined : body.slice(0, 100_000);
  const answered = panel.log.add(present({ method, path, at: clock.now(), body: kept, fault: fault?.kind }));
  const report = (outcome: string): void => {
    const struck = fault === undefined ? "" : ` (fault: ${fault.kind})`;
    panel.onRequest(`${new Date(clock.now()).toISOString()} ${method} ${path} ${outcome}${struck}`);
  };
  const finish = (answer: Answer): Answer => {
    answered(answer.status);
    report(String(answer.status));
    return { ...answer, headers: { ...commonHeaders(answer.status, panel), ...answer.headers } };
  };
  const dialect = panel.dialect();
  const { format } = route(method, path);
  const context = { format, dialect, panelNow: panelTime(clock.now(), dialect) };
  const delivery = deliver(fault, () => answerRequest(panel, request, format), context);
  switch (delivery.kind) {
    case "cut":
    case "silence":
      report("no answer");
      return delivery;
    case "later":
      return { ...delivery, handle: () => finish(delivery.handle()) };
    case "answer":
    case "drip":
    case "half":
      return { ...delivery, answer: finish(delivery.answer) };
  }
}

function answerRequest(panel: Served, { method, path, headers, body }: ReceivedRequest, format: Format): Answer {
  const dialect = panel.dialect();
  if (!areCredentials(headers["authorization"], panel)) {
    return errorAnswer(401, "Authorization is required", format, dialect);
  }
  if (Buffer.byteLength(body) > largestBodyBytes) return errorAnswer(413, "The body is too large", format, dialect);
  const answer = answerOperation(panel.cloud, dialect, method, path, body);
  try {
    // Saved before the answer is sent: a client must not see what the state file does not hold.
    panel.save();
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error;
    panel.onRequest(error.message);
    return htmlAnswer(500, "The panel cannot keep its state");
  }
  return answer;
}

/** Headers of every answer: the panel's time, and in some dialects a request id and a session cookie. */
function commonHeaders(status: number, panel: Served): Record<string, string> {
  const dialect = panel.dialect();
  const token = (): string => Array.from({ length: 16 }, () => Math.floor(panel.random() * 16).toString(16)).join("");
  const traced = dialect.headers === "tracing" || dialect.headers === "all";
  return {
    date: new Date(panelTime(panel.clock.now(), dialect)).toUTCString(),
    "cache-control": "no-store",
    ...(status === 401 ? { "www-authenticate": 'Basic realm="Control Panel"' } : {}),
    ...(traced ? { "x-request-id": token(), "set-cookie": `_session_id=${token()}; path=/; HttpOnly` } : {}),
  };
}

/** The `Authorization` header is HTTP Basic with exactly this user and password. */
function areCredentials(authorization: string | undefined, { username, password }: Served): boolean {
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization ?? "")?.[1];
  const given = Buffer.from(encoded ?? "", "base64");
  const wanted = Buffer.from(`${username}:${password}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
