import { readFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import { type Readable, Transform } from "node:stream";
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  type Inflate,
  type InflateRaw,
} from "node:zlib";
import type { Probe } from "../inputs/read-check";
import { errorMessage } from "../plain/text";
import { codeOf, maxOutputBytes, type AttemptResult, type Attempt } from "./attempt";

type HttpProbe = Extract<Probe, { kind: "http" }>;

/** The limit of one request, even if the check has more time: a hung connection is tried again. */
const longestTryMs = 15_000;

/** The time for the body of an answer whose status has failed the check: people may want to see it. */
const shownBodyMs = 1_000;

/**
 * Makes one request per attempt, on its own connection. It follows no redirect and uses no proxy of the environment: the restored machine
 * itself has to answer.
 */
export function httpAttempt(probe: HttpProbe): Attempt {
  return (limitMs) => {
    let ca: Buffer | undefined;
    try {
      ca = probe.caFile === undefined ? undefined : readFileSync(probe.caFile);
    } catch (error) {
      return Promise.resolve({ problem: `caFile cannot be read: ${codeOf(error)}` });
    }
    return sendRequest(probe, ca, Math.min(limitMs, longestTryMs));
  };
}

async function sendRequest(probe: HttpProbe, ca: Buffer | undefined, limitMs: number): Promise<AttemptResult> {
  const { request } = probe.url.toLowerCase().startsWith("https:") ? https : http;
  const headers = { "accept-encoding": "identity", ...probe.headers };
  const limit = AbortSignal.timeout(limitMs);
  const limitText = `within ${String(Math.round(limitMs / 1_000))}s`;
  let sent: http.ClientRequest;
  try {
    sent = request(probe.url, { agent: false, headers, signal: limit, ...(ca && { ca }) });
  } catch (error) {
    return { problem: `the request could not be made: ${errorMessage(error)}` };
  }
  sent.on("error", () => undefined).end();
  try {
    const response = await responseTo(sent);
    const wrongStatus = statusProblem(probe, response.statusCode ?? 0);
    // The time until a check passes is measured: only a body that can still fail it is waited for.
    if (wrongStatus === undefined && probe.contains === undefined) return {};
    if (wrongStatus !== undefined) setTimeout(() => response.destroy(new Error("enough")), shownBodyMs).unref();
    const { text, trouble } = await readBody(response);
    const wrongBody = bodyProblem(probe, text, limit.aborted ? `did not end ${limitText}` : trouble);
    const problem = wrongStatus ?? (wrongBody && `the answer was ${String(response.statusCode)}, but ${wrongBody}`);
    return { ...(problem !== undefined && { problem }), output: text };
  } catch (error) {
    return { problem: limit.aborted ? `no answer ${limitText}` : `no answer: ${codeOf(error)}` };
  } finally {
    sent.destroy();
  }
}

function responseTo(sent: http.ClientRequest): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    sent.once("response", resolve).once("error", reject);
  });
}

function statusProblem({ statuses }: HttpProbe, status: number): string | undefined {
  const isWanted = statuses.length === 0 ? status >= 200 && status <= 299 : statuses.includes(status);
  const wanted = statuses.length === 0 ? "200 to 299" : statuses.join(" or ");
  return isWanted ? undefined : `the answer was ${String(status)}, not ${wanted}`;
}

function bodyProblem({ contains }: HttpProbe, text: string, trouble: string | undefined): string | undefined {
  if (trouble !== undefined) return `its body ${trouble}`;
  return contains === undefined || text.includes(contains) ? undefined : "does not contain the expected text";
}

interface Body {
  /** The text up to a limit, and of a body that is not whole the part that was received. */
  readonly text: string;
  /** Why it is not whole. */
  readonly trouble?: string;
}

async function readBody(response: http.IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = [];
  let size = 0;
  const body = (trouble?: string): Body => ({
    text: Buffer.concat(chunks).subarray(0, maxOutputBytes).toString("utf8"),
    ...(trouble !== undefined && { trouble }),
  });
  const decoders = decodersFor(response.headers["content-encoding"]);
  if (decoders === undefined) return body("cannot be decompressed");
  try {
    for await (const chunk of decoded(response, decoders) as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= maxOutputBytes) return body();
    }
    return body();
  } catch {
    // Compressed data ends too soon because the answer was cut off, or because the data is invalid.
    return body(response.errored === null ? "cannot be decompressed" : "was cut off");
  }
}

/** The request asks for no compression, but some servers compress all the same. An unknown encoding has no decoders. */
function decodersFor(encodings = ""): readonly Transform[] | undefined {
  const names = encodings.split(",").map((name) => name.trim().toLowerCase());
  const makers = names.filter((name) => name !== "" && name !== "identity").map((name) => decoderMakers.get(name));
  if (!makers.every((make) => make !== undefined)) return undefined;
  // The encoding that was applied last stands last.
  return makers.reverse().map((make) => make());
}

const decoderMakers = new Map<string, () => Transform>([
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["deflate", () => new InflateWithOrWithoutHeader()],
  ["br", createBrotliDecompress],
]);

function decoded(response: Readable, decoders: readonly Transform[]): Readable {
  let last = response;
  for (const decoder of decoders) {
    last.once("error", (error) => decoder.destroy(error));
    last = last.pipe(decoder);
  }
  return last;
}

/** Reads `deflate` as the standard has it, and without the two bytes before it, which some servers leave out. */
class InflateWithOrWithoutHeader extends Transform {
  #inflate: Inflate | InflateRaw | undefined;

  override _transform(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.#inflate ??= this.#inflateFor(chunk);
    this.#inflate.write(chunk, done);
  }

  override _flush(done: (error?: Error | null) => void): void {
    if (this.#inflate === undefined) done();
    else this.#inflate.once("end", done).end();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#inflate?.destroy();
    done(error);
  }

  #inflateFor([first = 0]: Buffer): Inflate | InflateRaw {
    // RFC 1950: 8 is the only method.
    const inflate = (first & 0x0f) === 8 ? createInflate() : createInflateRaw();
    inflate.on("data", (chunk: Buffer) => this.push(chunk));
    inflate.on("error", (error) => this.destroy(error));
    return inflate;
  }
}
