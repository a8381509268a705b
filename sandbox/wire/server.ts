import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pause } from "../../provider/plain/clock";
import type { PanelClock } from "../plain/clock";
import { SandboxError } from "../plain/input";
import type { PanelResponse, PanelRequest } from "./answers";
import type { Delivery } from "./deliver";

/** Decides the answer to each request. */
interface Receiver {
  readonly clock: PanelClock;
  receive(request: PanelRequest): Promise<Delivery>;
}

/** Serves the panel's API on a socket. */
export function panelServer(panel: Receiver): Server {
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const gone = new AbortController();
    response.once("close", () => {
      gone.abort();
    });
    const { method = "GET", url: path = "/" } = request;
    const headers = { authorization: request.headers.authorization };
    const body = await readBody(request);
    const delivery = await panel.receive({ method, path, headers, body, signal: gone.signal });
    await send(delivery, response, (ms) => pause(panel.clock, ms, gone.signal));
  };
  return createServer((request, response) => {
    serve(request, response).catch(() => {
      // A fault cut the connection, the client disconnected, or the panel itself failed.
      request.socket.resetAndDestroy();
    });
  });
}

/** Writes an answer to the socket. */
async function send(
  { answer, bytesPerSecond, isHalf }: Delivery,
  response: ServerResponse,
  wait: (ms: number) => Promise<void>,
): Promise<void> {
  const body = Buffer.from(answer.body);
  writeHead(answer, response, body.length);
  if (isHalf) {
    response.write(body.subarray(0, body.length >> 1), () => response.socket?.destroy());
  } else if (bytesPerSecond === undefined) {
    response.end(body);
  } else {
    // Every tenth of a second, sends the bytes that are due.
    const step = Math.max(1, Math.round(bytesPerSecond / 10));
    response.flushHeaders();
    for (let from = 0; from < body.length; from += step) {
      response.write(body.subarray(from, from + step));
      await wait((step * 1000) / bytesPerSecond);
    }
    response.end();
  }
}

function writeHead(answer: PanelResponse, response: ServerResponse, length: number): void {
  response.sendDate = false;
  const ends = answer.status === 413 ? { connection: "close" } : {};
  const sized = answer.status === 204 ? {} : { "content-length": String(length) };
  response.writeHead(answer.status, { ...answer.headers, ...sized, ...ends });
}

/** Far larger than any list of paths needs to be. */
export const largestBodyBytes = 1_000_000;

/** Up to this many bytes of an oversized body are read and discarded, because a client reads the rejection only after sending the whole body. */
const patienceBytes = 20 * largestBodyBytes;

/** Reads the body. Keeps just enough of an oversized body to show that it is too large. */
export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    if (size <= largestBodyBytes) chunks.push(chunk);
    size += chunk.length;
    if (size > patienceBytes) request.destroy();
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Listens on the port, or on any free port if the port is 0, and returns the port. */
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

/** Stops listening and drops every connection, including those that wait for an answer. */
export function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      resolve();
    });
    server.closeAllConnections();
  });
}
