import http from "node:http";
import https from "node:https";
import { createRequire } from "node:module";
import { addAbortSignal, type Readable } from "node:stream";
import type { AxiosResponse, AxiosStatic } from "axios";
import type { Endpoint } from "./endpoint";
import {
  errorCodeOf,
  type Transport,
  TransportFailure,
  type TransportRequest,
  type TransportResponse,
} from "./transport";

type Axios = InstanceType<AxiosStatic["Axios"]>;

interface HttpTransportOptions {
  readonly endpoint: Endpoint;
  readonly ca?: string | undefined;
  readonly insecure: boolean;
  readonly maxResponseBytes: number;
}

/*
 * axios builds the address, writes headers and body, decompresses the answer, and aborts a request on a signal.
 * Redirects and the environment's proxies are switched off, because both would send the password to a server other
 * than the endpoint. Two things are done here instead:
 * - A restore can have begun only if a byte of its request was written. Only the socket shows that, so Node's own function
 *   makes the request, and its socket is watched (`watchedRequest`).
 * - axios returns a whole body, or an error without a status. The status alone decides a POST, even if the body breaks off, so `readBody` reads the body.
 */
export function createHttpTransport(options: HttpTransportOptions): { send: Transport; close: () => void } {
  const tls = { rejectUnauthorized: !options.insecure, ca: options.ca };
  // Idle sockets of a keep-alive agent do not keep Node's process alive.
  const keepAliveAgent = options.endpoint.secure
    ? new https.Agent({ ...tls, keepAlive: true, maxFreeSockets: 8 })
    : new http.Agent({ keepAlive: true, maxFreeSockets: 8 });
  // Every POST has its own connection: a server may close an idle connection at any time, and after a reset it is unknown whether the restore began.
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
 * Loads axios with the first request, so that a program that only declares restores never pays for it. `axios.create` would
 * inherit the program's own axios defaults, whose headers and login must not go to the panel, and whose interceptors must
 * not see the panel's password.
 */
function createAxios({ address }: Endpoint): Axios {
  const loaded = createRequire(__filename)("axios") as AxiosStatic;
  return new loaded.Axios({
    baseURL: address,
    // Otherwise, if a path looked like an address, the password would be sent there.
    allowAbsoluteUrls: false,
    adapter: "http",
    proxy: false,
    maxRedirects: 0,
    responseType: "stream",
  });
}

async function send(
  axios: Axios,
  { method, path: url, body: data, headers, signal }: TransportRequest,
  agent: http.Agent,
  options: HttpTransportOptions,
): Promise<TransportResponse> {
  // Only an established connection can have carried any part of a request.
  let isConnected = false;
  const onConnect = (): void => {
    isConnected = true;
  };
  try {
    const response = await axios.request<Readable>({
      method,
      url,
      data,
      headers: { ...headers },
      signal,
      httpAgent: agent,
      httpsAgent: agent,
      transport: watchedRequest(options.endpoint, onConnect),
    });
    const read = await readBody(response.data, options.maxResponseBytes, signal);
    return { status: response.status, headers: singleHeaders(response.headers), ...read };
  } catch (error) {
    // Only the code is kept, because the error's config contains the password, and its request contains the header.
    throw new TransportFailure(errorCodeOf(error), isConnected);
  }
}

/** Node's own `request`, which also reports when the request's connection is open. */
function watchedRequest({ secure }: Endpoint, onConnect: () => void): Pick<typeof http, "request"> {
  const node = secure ? https : http;
  const request = (options: http.RequestOptions, onResponse: (response: http.IncomingMessage) => void) => {
    const outgoing = node.request(options, onResponse);
    outgoing.once("socket", (socket) => {
      // A reused connection is already open, and a listener on it would never be removed.
      if (outgoing.reusedSocket) onConnect();
      // Over TLS, no byte of the request leaves before the handshake has ended and the certificate has been checked.
      else socket.once(secure ? "secureConnect" : "connect", onConnect);
    });
    return outgoing;
  };
  return { request: request as typeof http.request };
}

function singleHeaders(headers: AxiosResponse["headers"]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

/** Reads up to a number of bytes, counted after decompression. Never rejects: if the body breaks off, returns the bytes so far and the reason. */
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
    broken = new TransportFailure(signal.aborted ? "ABORTED" : errorCodeOf(error), true);
  }
  return { body: Buffer.concat(chunks), ...(broken === undefined ? {} : { broken }) };
}
