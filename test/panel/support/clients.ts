import { createPanelClient, type PanelClientOptions } from "../../../provider/panel/client";
import { transactionDecoder } from "../../../provider/panel/decode";
import { PanelError } from "../../../provider/panel/errors";
import { noWords } from "../../../provider/panel/facts";
import { Secret } from "../../../provider/panel/secrets";
import type { Transport, TransportRequest, TransportResponse } from "../../../provider/panel/transport";
import type { Format, MachineId, PanelClient, RecoveryPointId } from "../../../provider/panel/types";
import { VirtualClock } from "../../support/virtual-clock";

export const formats: readonly Format[] = ["json", "xml"];
export const machine = "42" as MachineId;
export const point = "1007" as RecoveryPointId;
/** A password that occurs nowhere else, so finding it anywhere means a leak. */
export const password = "xyzzy-9&\"plugh'<7>";

/** Decodes rows in which any field may be missing. */
export const decodeTransactions = transactionDecoder({}, noWords, () => undefined);

export function clientOf(options: Partial<PanelClientOptions> & { readonly endpoint: string }): PanelClient {
  return createPanelClient({
    username: "operator",
    password: new Secret(password),
    format: "json",
    // Long, so that no test fails on a busy machine. Tests of time limits set their own limit.
    requestTimeoutMs: 60_000,
    random: () => 0,
    ...options,
  });
}

export interface InProcess {
  readonly client: PanelClient;
  readonly clock: VirtualClock;
  /** "GET /path" for every request, in order. */
  readonly lines: string[];
  readonly requests: TransportRequest[];
}

/** A client without sockets, in virtual time: `answer` returns the response to every request. */
export function inProcess(
  answer: (request: TransportRequest, clock: VirtualClock) => TransportResponse | Promise<TransportResponse>,
  options: Partial<PanelClientOptions> = {},
): InProcess {
  const clock = new VirtualClock();
  const requests: TransportRequest[] = [];
  const transport: Transport = async (request) => {
    requests.push(request);
    return answer(request, clock);
  };
  const client = clientOf({ endpoint: "https://panel.example", transport, clock, requestTimeoutMs: 3e4, ...options });
  return {
    client,
    clock,
    requests,
    get lines() {
      return requests.map(({ method, path }) => `${method} ${path}`);
    },
  };
}

export function answer(status: number, body = "", headers: Readonly<Record<string, string>> = {}): TransportResponse {
  return { status, body, headers };
}

export async function panelErrorOf(promise: Promise<unknown>): Promise<PanelError> {
  const error: unknown = await promise.then(
    () => new Error("it did not fail"),
    (reason: unknown) => reason,
  );
  if (error instanceof PanelError) return error;
  throw error;
}
