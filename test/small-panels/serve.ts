import type { Socket } from "node:net";
import { createServer, type IncomingMessage } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { listening } from "../support/listening";
import type { MakePanel, PanelAnswer, PanelRequest, SmallPanel, World } from "./panel";

type Restore = Parameters<World["posted"]>[0];

/** Handles a request on the raw socket: answers it, or misbehaves in some way. */
export type Behaviour = (socket: Socket, request: PanelRequest) => void;

/** A server on the loopback interface. Its behavior decides what is sent, and may break off, send slowly or stall. */
export interface Served {
  readonly url: string;
  readonly requests: readonly PanelRequest[];
  /** "GET /path" for every request, in order. */
  readonly lines: readonly string[];
  readonly connections: number;
  /** The number of decrypted bytes received in requests, complete or not. */
  readonly bytes: number;
  stop(): Promise<void>;
}

export async function serveRaw(behaviour: Behaviour, secure?: { cert: string; key: string }): Promise<Served> {
  const requests: PanelRequest[] = [];
  const open = new Set<Socket>();
  const receive = (incoming: IncomingMessage): void => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const { method = "", url: path = "", socket } = incoming;
      const headers = incoming.headers as Record<string, string>;
      const request = { method, path, headers, body: Buffer.concat(chunks).toString() };
      requests.push(request);
      behaviour(socket, request);
    });
  };
  const server = secure ? createSecureServer(secure, receive) : createServer(receive);
  server.on("tlsClientError", () => undefined);
  let bytes = 0;
  server.on(secure ? "secureConnection" : "connection", (socket: Socket) => {
    socket.on("data", (chunk: Buffer) => (bytes += chunk.length));
  });
  let connections = 0;
  server.on("connection", (socket: Socket) => {
    connections++;
    open.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => open.delete(socket));
  });
  const port = String(await listening(server));
  return {
    url: secure ? `https://localhost:${port}` : `http://127.0.0.1:${port}`,
    requests,
    get lines() {
      return requests.map(({ method, path }) => `${method} ${path}`);
    },
    get connections() {
      return connections;
    },
    get bytes() {
      return bytes;
    },
    stop: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Sends a complete answer and keeps the connection alive. */
export function respond(status: number, body: string | Buffer, headers: Record<string, string> = {}): Behaviour {
  return (socket) => {
    socket.write(head(status, { "Content-Length": String(Buffer.byteLength(body)), ...headers }));
    socket.write(body);
  };
}

export function head(status: number, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${String(status)} Said\r\n${lines.join("")}\r\n`;
}

/** A small panel on a local port, in real time. */
export interface ServedPanel extends Served {
  readonly panel: SmallPanel;
  /** The restores that the panel has accepted, oldest first. */
  readonly restores: readonly Restore[];
  fail(machine: string): void;
}

export async function serve(make: MakePanel, { restoreSeconds = 2 } = {}): Promise<ServedPanel> {
  const restores: Restore[] = [];
  const failing = new Set<string>();
  const timers = new Set<NodeJS.Timeout>();
  const after = (ms: number, run: () => void): void => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      run();
    }, ms);
    timers.add(timer);
  };
  const panel = make({
    now: () => Date.now(),
    after,
    pause: (ms) => new Promise((resolve) => after(ms, resolve)),
    restoreSeconds,
    endOf: (machine) => (failing.has(machine) ? "failed" : "complete"),
    posted: (restore) => void restores.push(restore),
  });
  const server = await serveRaw((socket, request) => {
    void Promise.resolve(panel.answer(request)).then((answer) => {
      const headers = { "content-type": "application/json", date: new Date().toUTCString(), ...answer.headers };
      respond(answer.status, bodyOf(answer), headers)(socket, request);
    });
  });
  const stop = (): Promise<void> => {
    for (const timer of timers) clearTimeout(timer);
    return server.stop();
  };
  const fail = (machine: string): void => void failing.add(machine);
  return Object.assign(Object.create(server) as Served, { panel, restores, fail, stop });
}

export function bodyOf({ body }: PanelAnswer): string {
  if (body === undefined) return "";
  return typeof body === "string" ? body : JSON.stringify(body);
}
