import http from "node:http";
import https from "node:https";
import { createRequire } from "node:module";
import type { Readable } from "node:stream";
import type { AxiosResponse, AxiosStatic } from "axios";
import type { Clock } from "../../time/clock";
import type { Endpoint } from "./endpoint";
import { readBody } from "./read-body";
import { codeOf, TransportFailure, type Transport, type TransportRequest, type TransportResponse } from "./transport";

export interface HttpTransportOptions {
  readonly endpoint: Endpoint;
  readonly clock: Clock;
  /** PEM text; replaces the built-in authorities. */
  readonly ca?: string;
  readonly insecure: boolean;
  readonly connectTimeoutMs: number;
  readonly firstByteTimeoutMs: number;
  readonly maxResponseBytes: number;
}

/** The default transport: axios over Node's agents, and nothing of what axios would do by itself. */
export function createHttpTransport(options: HttpTransportOptions): { send: Transport; close(): void } {
  const tls = {
    rejectUnauthorized: !options.insecure,
    ...(options.ca === undefined ? {} : { ca: options.ca }),
  };
  // Node takes idle sockets of a keep-alive agent out of the count of what keeps a process alive.
  const kept = options.endpoint.secure
    ? new https.Agent({ ...tls, keepAlive: true, maxFreeSockets: 8 })
    : new http.Agent({ keepAlive: true, maxFreeSockets: 8 });
  // A server closes idle connections when it likes. A POST written into one that is being closed ends in a reset
  // that leaves open whether the restore was begun, so every POST gets a connection of its own.
  const fresh = options.endpoint.secure ? new https.Agent({ ...tls, keepAlive: false }) : new http.Agent();
  return {
    send: (request) => send(request, request.method === "POST" ? fresh : kept, options),
    close: () => {
      kept.destroy();
      fresh.destroy();
    },
  };
}

/** How far a request came; only a standing connection can have carried any of it. */
interface Progress {
  connected: boolean;
  answering: boolean;
}

async function send(
  request: TransportRequest,
  agent: http.Agent,
  options: HttpTransportOptions,
): Promise<TransportResponse> {
  const progress: Progress = { connected: false, answering: false };
  const stop = new AbortController();
  let stopped: TransportFailure | undefined;
  const end = (failure: TransportFailure): void => {
    stopped ??= failure;
    stop.abort();
  };
  const onAbort = (): void => {
    end(new TransportFailure("ABORTED", progress.connected));
  };
  if (request.signal.aborted) throw new TransportFailure("ABORTED", false);
  request.signal.addEventListener("abort", onAbort, { once: true });
  const cancelConnect = options.clock.after(options.connectTimeoutMs, () => {
    if (progress.connected) return;
    end(new TransportFailure("TIMEOUT", false, { phase: "connect", limitMs: options.connectTimeoutMs }));
  });
  const cancelFirstByte = options.clock.after(options.firstByteTimeoutMs, () => {
    if (progress.answering) return;
    const phase = progress.connected ? "firstByte" : "connect";
    end(new TransportFailure("TIMEOUT", progress.connected, { phase, limitMs: options.firstByteTimeoutMs }));
  });
  try {
    const response = await begin(request, agent, options, progress, stop.signal);
    progress.answering = true;
    cancelFirstByte();
    const headers = lowerCased(response.headers);
    const { body, broken } = await readBody(response.data, options.maxResponseBytes, stop.signal);
    const failure = broken === undefined ? undefined : (stopped ?? broken);
    return { status: response.status, headers, body, ...(failure === undefined ? {} : { broken: failure }) };
  } catch (error) {
    // The error's config holds the password, and its request the header: only the code is kept.
    throw stopped ?? new TransportFailure(codeOf(error), progress.connected);
  } finally {
    cancelConnect();
    cancelFirstByte();
    request.signal.removeEventListener("abort", onAbort);
  }
}

function begin(
  request: TransportRequest,
  agent: http.Agent,
  options: HttpTransportOptions,
  progress: Progress,
  signal: AbortSignal,
): Promise<AxiosResponse<Readable>> {
  const node = options.endpoint.secure ? https : http;
  return axios().request<Readable>({
    method: request.method,
    baseURL: options.endpoint.address,
    url: request.path,
    allowAbsoluteUrls: false,
    headers: { ...request.headers },
    data: request.body,
    signal,
    adapter: "http",
    // Watching the socket is the only way to know whether any of a request can have been written.
    transport: {
      request(requestOptions: http.RequestOptions, onResponse: (response: http.IncomingMessage) => void) {
        const outgoing = node.request(requestOptions, onResponse);
        outgoing.once("socket", (socket) => {
          // A connection that is used again stands already, and a listener would stay on it for good.
          if (outgoing.reusedSocket) {
            progress.connected = true;
            return;
          }
          // Over TLS nothing of the request leaves before the handshake ended and the certificate was checked.
          socket.once(options.endpoint.secure ? "secureConnect" : "connect", () => {
            progress.connected = true;
          });
        });
        return outgoing;
      },
    },
    proxy: false,
    maxRedirects: 0,
    httpAgent: agent,
    httpsAgent: agent,
    responseType: "stream",
    decompress: true,
    maxBodyLength: Infinity,
    validateStatus: () => true,
    transformRequest: [(data: unknown) => data],
    transformResponse: [(data: unknown) => data],
  });
}

/**
 * Loaded with the first request: a program that only declares restores never pays for it. An instance without the
 * library's defaults: what the program itself sets on axios (interceptors, headers, a login) must not meet the
 * panel's password.
 */
function axios(): InstanceType<AxiosStatic["Axios"]> {
  const loaded = createRequire(__filename)("axios") as AxiosStatic;
  return new loaded.Axios({});
}

function lowerCased(headers: AxiosResponse["headers"]): Record<string, string> {
  const plain: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === "string") plain[name.toLowerCase()] = value;
  }
  return plain;
}
