import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { SandboxError } from "../../input/sandbox-error";

/** The port that was taken: the one asked for, or any free one for 0. */
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

/** Takes no more requests and drops every connection, also one that waits for an answer. */
export function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      resolve();
    });
    server.closeAllConnections();
  });
}
