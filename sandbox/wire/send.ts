import type { ServerResponse } from "node:http";
import type { Clock } from "../plain/clock";
import type { Answer } from "./answers";
import type { Delivery } from "./deliver";

/** Writes an answer to the socket. Delays run on the panel's clock. */
export function send(delivery: Delivery, response: ServerResponse, clock: Clock): void {
  switch (delivery.kind) {
    case "answer":
      write(delivery.answer, response);
      return;
    case "later": {
      const cancel = clock.after(delivery.afterMs, () => {
        write(delivery.handle(), response);
      });
      response.once("close", cancel);
      return;
    }
    case "cut":
      response.socket?.resetAndDestroy();
      return;
    case "silence":
      return;
    case "drip":
      drip(delivery.answer, response, delivery.bytesPerSecond, clock);
      return;
    case "half": {
      const half = Buffer.from(delivery.answer.body);
      const sent = half.subarray(0, half.length >> 1);
      const declared = delivery.declare === "full" ? half.length : sent.length;
      head(delivery.answer, response, declared);
      response.write(sent, () => {
        if (delivery.declare === "full") response.socket?.destroy();
        else response.end();
      });
    }
  }
}

function write(answer: Answer, response: ServerResponse): void {
  const body = Buffer.from(answer.body);
  head(answer, response, body.length);
  response.end(body);
}

function head(answer: Answer, response: ServerResponse, length: number): void {
  response.sendDate = false;
  const ends = answer.status === 413 ? { connection: "close" } : {};
  const sized = answer.status === 204 ? {} : { "content-length": String(length) };
  response.writeHead(answer.status, { ...answer.headers, ...sized, ...ends });
}

/** Sends the bytes of a tenth of a second at a time. */
function drip(answer: Answer, response: ServerResponse, bytesPerSecond: number, clock: Clock): void {
  const body = Buffer.from(answer.body);
  const step = Math.max(1, Math.round(bytesPerSecond / 10));
  head(answer, response, body.length);
  response.flushHeaders();
  const next = (from: number): void => {
    if (from >= body.length) {
      response.end();
      return;
    }
    response.write(body.subarray(from, from + step));
    const cancel = clock.after((step * 1000) / bytesPerSecond, () => {
      response.off("close", cancel);
      next(from + step);
    });
    response.once("close", cancel);
  };
  next(0);
}
