import net, { type AddressInfo } from "node:net";
import tls from "node:tls";
import { certificate, privateKey } from "./certificate";

/** One request as it came over the wire. */
interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Which connection it came on, counted from 0. */
  readonly connection: number;
}

/** Answers one request by writing to the bare socket, or by doing something worse to it. */
export type Behaviour = (socket: net.Socket, request: Received) => void;

/**
 * A server made of bare sockets, so that a test can break off, drip, stall or send whatever no HTTP library would.
 * Loopback only.
 */
export class RawServer {
  readonly requests: Received[] = [];
  connections = 0;
  /** Everything that came in before it was a whole request, as text. */
  received = "";
  readonly #open = new Set<net.Socket>();
  readonly #server: net.Server;

  private constructor(
    behaviour: Behaviour,
    private readonly secure: boolean,
  ) {
    const accept = (socket: net.Socket): void => {
      this.#serve(socket, behaviour);
    };
    this.#server = secure ? tls.createServer({ cert: certificate, key: privateKey }, accept) : net.createServer(accept);
    this.#server.on("tlsClientError", () => undefined);
    this.#server.on("connection", (socket: net.Socket) => {
      this.#open.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => this.#open.delete(socket));
    });
  }

  static async start(behaviour: Behaviour, options: { secure?: boolean } = {}): Promise<RawServer> {
    const server = new RawServer(behaviour, options.secure ?? false);
    await new Promise<void>((resolve) => server.#server.listen(0, "127.0.0.1", resolve));
    return server;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return this.secure ? `https://localhost:${String(this.port)}` : `http://127.0.0.1:${String(this.port)}`;
  }

  /** "GET /path" of every request, in order. */
  get lines(): string[] {
    return this.requests.map(({ method, path }) => `${method} ${path}`);
  }

  /** Connections that are open on this side. */
  get open(): number {
    return this.#open.size;
  }

  async stop(): Promise<void> {
    for (const socket of this.#open) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #serve(socket: net.Socket, behaviour: Behaviour): void {
    const connection = this.connections++;
    let pending = "";
    socket.on("error", () => undefined);
    socket.on("data", (chunk) => {
      this.received += chunk.toString("utf8");
      pending += chunk.toString("utf8");
      for (let parsed = wholeRequest(pending); parsed !== undefined; parsed = wholeRequest(pending)) {
        pending = parsed.rest;
        const request = { ...parsed.request, connection };
        this.requests.push(request);
        behaviour(socket, request);
      }
    });
  }
}

function wholeRequest(text: string): { request: Omit<Received, "connection">; rest: string } | undefined {
  const headEnd = text.indexOf("\r\n\r\n");
  if (headEnd === -1) return undefined;
  const [line = "", ...headerLines] = text.slice(0, headEnd).split("\r\n");
  const [method = "", path = ""] = line.split(" ");
  const headers = Object.fromEntries(
    headerLines.map((header) => {
      const colon = header.indexOf(":");
      return [header.slice(0, colon).toLowerCase(), header.slice(colon + 1).trim()] as const;
    }),
  );
  const length = Number(headers["content-length"] ?? 0);
  const bodyStart = headEnd + 4;
  if (Buffer.byteLength(text.slice(bodyStart)) < length) return undefined;
  const body = Buffer.from(text.slice(bodyStart)).subarray(0, length).toString("utf8");
  return { request: { method, path, headers, body }, rest: text.slice(bodyStart + body.length) };
}

/** A complete answer, kept alive. */
export function respond(
  status: number,
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
): Behaviour {
  return (socket) => {
    socket.write(head(status, { "Content-Length": String(Buffer.byteLength(body)), ...headers }));
    socket.write(body);
  };
}

export function head(status: number, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${String(status)} Said\r\n${lines.join("")}\r\n`;
}

/** Acts by turns: the first request gets the first behaviour, and so on; the last one stays. */
export function inTurn(...behaviours: [Behaviour, ...Behaviour[]]): Behaviour {
  let turn = 0;
  return (socket, request) => {
    const behaviour = behaviours[Math.min(turn++, behaviours.length - 1)] ?? behaviours[0];
    behaviour(socket, request);
  };
}

/** Closes with a reset rather than an orderly end. */
export const reset: Behaviour = (socket) => {
  socket.resetAndDestroy();
};

export const stall: Behaviour = () => undefined;
