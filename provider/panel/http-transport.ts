import http from "node:http";
import https from "node:https";
import { createRequire } from "node:module";
import { addAbortSignal, type Readable } from "node:stream";
import type { AxiosResponse, AxiosStatic } from "axios";
import type { Clock } from "../plain/clock";
import type { Endpoint } from "./endpoint";
import { codeOf, type Transport, TransportFailure, type TransportRequest, type TransportResponse } from "./transport";

type Axios = InstanceType<AxiosStatic["Axios"]>;

interface HttpTransportOptions {
  readonly endpoint: Endpoint;
  readonly clock: Clock;
  /** PEM text; it replaces the built-in authorities. */
  readonly ca?: string;
  readonly insecure: boolean;
  readonly connectTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly maxResponseBytes: number;
}

/*
 * axios builds the address, writes headers and body, decompresses the answer, and gives up a request at a signal.
 * Redirects and the environment's proxies are switched off, because both would give the password to another server
 * than the endpoint. Three things are done here instead:
 * - A restore may have begun only if a byte of its request was written. Only the socket shows that, so Node's own function
 *   makes the request, and its socket is watched (`requestWithProgress`).
 * - axios knows one time-out. Here an error distinguishes a missing connection from a missing answer, and both limits go by the
 *   clock of this package (`send`).
 * - axios returns a whole body, or an error without a status. A POST is decided once its status arrived, however its
 *   body ends, so the body is read apart from it (`readBody`).
 */

/** The default transport. */
export function createHttpTransport(options: HttpTransportOptions): { send: Transport; close(): void } {
  const tls = {
    rejectUnauthorized: !options.insecure,
    ...(options.ca === undefined ? {} : { ca: options.ca }),
  };
  // Idle sockets of a keep-alive agent do not keep Node's process alive.
  const keepAliveAgent = options.endpoint.secure
    ? new https.Agent({ ...tls, keepAlive: true, maxFreeSockets: 8 })
    : new http.Agent({ keepAlive: true, maxFreeSockets: 8 });
  // A server may close idle connections at any time. A POST on a closing connection ends in a reset, and nobody knows
  // then if the restore began. So every POST gets a connection of its own.
  const singleUseAgent = options.endpoint.secure ? new https.Agent({ ...tls, keepAlive: false }) : new http.Agent();
  let axios: Axios | undefined;
  return {
    send: (request) => {
      axios ??= createAxios(options.endpoint);
      return send(axios, request, request.method === "POST" ? singleUseAgent : keepAliveAgent, options);
    },
    close: () => {
      keepAliveAgent.destroy();
      singleUseAgent.destroy();
    },
  };
}

/**
 * Loads axios with the first request: a program that only declares restores never pays for it. `axios.create` would
 * take over the program's own axios defaults. Their headers and login must not go to the panel, and the panel's
 * password not to their interceptors.
 */
function createAxios({ address }: Endpoint): Axios {
  const loaded = createRequire(__filename)("axios") as AxiosStatic;
  return new loaded.Axios({
    baseURL: address,
    // A path that looks like an address would send the password there.
    allowAbsoluteUrls: false,
    adapter: "http",
    proxy: false,
    maxRedirects: 0,
    responseType: "stream",
  });
}

/** How far a request came. Only an open connection can have carried any of it. */
interface SendProgress {
  connected: boolean;
  answering: boolean;
}

async function send(
  axios: Axios,
  request: TransportRequest,
  agent: http.Agent,
  options: HttpTransportOptions,
): Promise<TransportResponse> {
  const progress: SendProgress = { connected: false, answering: false };
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
  // A tenth is left for the body: the error then distinguishes a silent panel from a slow panel.
  const firstByteMs = Math.ceil((request.limitMs ?? options.requestTimeoutMs) * 0.9);
  const cancelFirstByte = options.clock.after(firstByteMs, () => {
    if (progress.answering) return;
    const phase = progress.connected ? "firstByte" : "connect";
    end(new TransportFailure("TIMEOUT", progress.connected, { phase, limitMs: firstByteMs }));
  });
  try {
    const { method, path: url, body: data } = request;
    const response = await axios.request<Readable>({
      method,
      url,
      data,
      headers: { ...request.headers },
      signal: stop.signal,
      httpAgent: agent,
      httpsAgent: agent,
      transport: requestWithProgress(options.endpoint, progress),
    });
    progress.answering = true;
    cancelFirstByte();
    const headers = singleHeaders(response.headers);
    const { body, broken } = await readBody(response.data, options.maxResponseBytes, stop.signal);
    const failure = broken === undefined ? undefined : (stopped ?? broken);
    return { status: response.status, headers, body, ...(failure === undefined ? {} : { broken: failure }) };
  } catch (error) {
    // Only the code is kept: the error's config holds the password, and its request the header.
    throw stopped ?? new TransportFailure(codeOf(error), progress.connected);
  } finally {
    cancelConnect();
    cancelFirstByte();
    request.signal.removeEventListener("abort", onAbort);
  }
}

/** Node's own `request`, which also notes when a connection that may carry the request is open. */
function requestWithProgress({ secure }: Endpoint, progress: SendProgress): Pick<typeof http, "request"> {
  const node = secure ? https : http;
  const request = (options: http.RequestOptions, onResponse: (response: http.IncomingMessage) => void) => {
    const outgoing = node.request(options, onResponse);
    outgoing.once("socket", (socket) => {
      // A reused connection is already open, and a listener on it would never be removed.
      if (outgoing.reusedSocket) {
        progress.connected = true;
        return;
      }
      // Over TLS no byte of the request leaves before the handshake has ended and the certificate was checked.
      socket.once(secure ? "secureConnect" : "connect", () => {
        progress.connected = true;
      });
    });
    return outgoing;
  };
  return { request: request as typeof http.request };
}

/** Drops the few headers that Node gives as lists; nobody reads them here. */
function singleHeaders(headers: AxiosResponse["headers"]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

/**
 * Reads an answer up to a number of bytes after decompression, and not one chunk further. Never rejects: after a
 * break, it returns the bytes so far and the reason.
 */
async function readBody(
  stream: Readable,
  maxBytes: number,
  signal: AbortSignal,
): Promise<{ body: Buffer; broken?: TransportFailure }> {
  const chunks: Buffer[] = [];
  let size = 0;
  let broken: TransportFailure | undefined;
  try {
    // Leaving the loop destroys the stream and its connection.
    for await (const chunk of addAbortSignal(signal, stream) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) {
        broken = new TransportFailure("TOO_LARGE", true);
        break;
      }
      chunks.push(chunk);
    }
  } catch (error) {
    broken = new TransportFailure(signal.aborted ? "ABORTED" : breakCode(codeOf(error)), true);
  }
  return { body: Buffer.concat(chunks), ...(broken === undefined ? {} : { broken }) };
}

/** A connection cut in the middle may close the stream without an error of its own. */
function breakCode(code: string): string {
  return code === "ERR_STREAM_PREMATURE_CLOSE" ? "ECONNRESET" : code;
}
