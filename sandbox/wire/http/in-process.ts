import { abortReason, pause } from "../../../provider/plain/clock";
import type { Answer } from "../answers";
import type { Delivery } from "../delivery";
import type { PanelResponse } from "../request";
import type { Clock } from "../../time/clock";

/** What a client without a socket sees of a delivery, on the clock it shares with the panel. */
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
      if (delivery.declare === "full") throw reset();
      const { answer } = delivery;
      return response({ ...answer, body: answer.body.slice(0, answer.body.length >> 1) });
    }
    case "cut":
      throw reset();
    case "silence":
      return silence(signal);
  }
}

function response(answer: Answer): PanelResponse {
  return { status: answer.status, headers: { ...answer.headers }, body: answer.body };
}

function reset(): Error {
  return Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
}

function silence(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    const give = (): void => {
      reject(abortReason(signal));
    };
    if (signal?.aborted === true) give();
    else signal?.addEventListener("abort", give, { once: true });
  });
}
