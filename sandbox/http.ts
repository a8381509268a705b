import { type IncomingMessage, type Server, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Answer } from "./answers";
import type { Delivery } from "./delivery";
import { type Panel, largestBodyBytes } from "./panel";
import { SandboxError } from "./sandbox-error";

/** The panel's interface on a socket. */
export function panelServer(panel: Panel): Server {
  return createServer((request, response) => {
    void readBody(request)
      .then((body) => {
        const headers = Object.fromEntries(
          Object.entries(request.headers).map(([name, value]) => [
            name,
            Array.isArray(value) ? value.join(", ") : value,
          ]),
        );
        const { method = "GET", url = "/" } = request;
        send(panel.receive({ method, path: url, headers, body }), response, panel);
      })
      .catch(() => {
        // The client went away: there is nobody to answer.
        request.socket.destroy();
      });
  });
}

export function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const why = error.code === "EADDRINUSE" ? "the port is in use; choose another, or 0 for any" : error.message;
      reject(new SandboxError(`port ${String(port)} on ${host}: ${why}`));
    });
    server.listen(port, host, () => {
      resolve((server.address() as AddressInfo).port);
    });
  });
}

export function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      resolve();
    });
    server.closeAllConnections();
  });
}

/** What is read and thrown away of a body that is too large, so that its sender lives to read the refusal. */
const patienceBytes = 20 * largestBodyBytes;

/** The body, or of one that is too large as much as shows that it is. */
export function readBody(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      if (size <= largestBodyBytes) chunks.push(chunk);
      size += chunk.length;
      if (size > patienceBytes) request.destroy();
    });
    request.on("end", () => {
      resolve(Buffer.concat(chunks).toString("utf8"));
    });
    request.on("error", reject);
    request.on("close", () => {
      reject(new Error("the client went away"));
    });
  });
}

function send(delivery: Delivery, response: ServerResponse, panel: Panel): void {
  switch (delivery.kind) {
    case "answer":
      write(delivery.answer, response);
      return;
    case "later": {
      const cancel = panel.clock.after(delivery.afterMs, () => {
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
      drip(delivery.answer, response, delivery.bytesPerSecond, panel);
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

/** A tenth of a second's bytes at a time. */
function drip(answer: Answer, response: ServerResponse, bytesPerSecond: number, panel: Panel): void {
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
    const cancel = panel.clock.after((step * 1000) / bytesPerSecond, () => {
      response.off("close", cancel);
      next(from + step);
    });
    response.once("close", cancel);
  };
  next(0);
}
