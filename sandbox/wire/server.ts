import { type Server, createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Clock } from "../plain/clock";
import type { Delivery } from "./deliver";
import type { ReceivedRequest } from "./in-process";
import { send } from "./send";
import { SandboxError } from "../plain/input";

/** Decides the answer to each request. */
interface Receiver {
  readonly clock: Clock;
  receive(request: ReceivedRequest): Delivery;
}

/** Serves the panel's interface on a socket. */
export function panelServer(panel: Receiver): Server {
  return createServer((request, response) => {
    void readBody(request)
      .then((body) => {
        const { method = "GET", url = "/" } = request;
        const headers = { authorization: request.headers.authorization };
        send(panel.receive({ method, path: url, headers, body }), response, panel.clock);
      })
      .catch(() => {
        // The client went away, or the panel itself broke: there is nobody to answer, or no answer.
        request.socket.destroy();
      });
  });
}

/** Far more than a list of paths needs. */
export const largestBodyBytes = 1_000_000;

/** Bytes of a too large body that are read and dropped: a sender reads the refusal only after writing everything. */
const patienceBytes = 20 * largestBodyBytes;

/** Reads the body; of a too large one, just enough to show its size. */
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

/** Listens on the port, or on any free one for 0, and returns it. */
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
