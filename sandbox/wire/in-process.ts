import { once } from "node:events";
import { abortReason, pause } from "../../provider/plain/clock";
import type { Answer } from "./answers";
import type { Delivery } from "./deliver";
import type { Clock } from "../plain/clock";

/** Delivers an answer to a client without a socket, on the panel's clock. */
export async function inProcess(delivery: Delivery, clock: Clock, signal?: AbortSignal): Promise<PanelResponse> {
  switch (delivery.kind) {
    case "answer":
      return response(delivery.answer);
    case "later":
      await pause(clock, delivery.afterMs, signal);
      return response(delivery.handle());
    case "drip":
      await pause(clock, (delivery.answer.body.length * 1000) / delivery.bytesPerSecond, signal);
      return response(delivery.answer);
    case "half": {
      if (delivery.declare === "full") throw connectionReset();
      const { answer } = delivery;
      return response({ ...answer, body: answer.body.slice(0, answer.body.length >> 1) });
    }
    case "cut":
      throw connectionReset();
    case "silence":
      return neverAnswer(signal);
  }
}

function response(answer: Answer): PanelResponse {
  return { status: answer.status, headers: { ...answer.headers }, body: answer.body };
}

function connectionReset(): Error {
  return Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
}

async function neverAnswer(signal: AbortSignal | undefined): Promise<never> {
  if (signal === undefined) return new Promise(() => undefined);
  if (!signal.aborted) await once(signal, "abort");
  throw abortReason(signal);
}

export interface PanelRequest {
  readonly method: string;
  /** Includes the query. */
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

/** A request that has arrived whole. */
export type ReceivedRequest = PanelRequest & { readonly body: string };
