import { readFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import { createGunzip, createInflate } from "node:zlib";
import type { Probe } from "../inputs/read-check";
import { errorMessage } from "../plain/text";
import { codeOf, maxOutputBytes, type AttemptResult, type Attempt } from "./attempt";

type HttpProbe = Extract<Probe, { kind: "http" }>;

/** The limit of one request, even if the check has more time: a hung connection is tried again. */
const longestTryMs = 15_000;

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

function sendRequest(probe: HttpProbe, ca: Buffer | undefined, limitMs: number): Promise<AttemptResult> {
  return new Promise((resolve) => {
    const { request } = probe.url.toLowerCase().startsWith("https:") ? https : http;
    const finish = (result: AttemptResult): void => {
      clearTimeout(timer);
      sent?.destroy();
      resolve(result);
    };
    let sent: http.ClientRequest | undefined;
    const timer = setTimeout(() => {
      finish({ problem: `no answer within ${String(Math.round(limitMs / 1_000))}s` });
    }, limitMs);
    try {
      sent = request(
        probe.url,
        { agent: false, headers: { "accept-encoding": "identity", ...probe.headers }, ...(ca && { ca }) },
        (response) => {
          readBody(response, (body, bodyState) => {
            finish(checkResponse(probe, response.statusCode ?? 0, body, bodyState));
          });
        },
      );
    } catch (error) {
      finish({ problem: `the request could not be made: ${errorMessage(error)}` });
      return;
    }
    sent.on("error", (error) => {
      finish({ problem: `no answer: ${codeOf(error)}` });
    });
    sent.end();
  });
}

type BodyState = "complete" | "cut off" | "not decompressible";

/** Reads the body up to a limit, and the received part of one that was cut off. */
function readBody(response: http.IncomingMessage, done: (body: Buffer, bodyState: BodyState) => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  let isOver = false;
  const end = (bodyState: BodyState): void => {
    if (isOver) return;
    isOver = true;
    done(Buffer.concat(chunks).subarray(0, maxOutputBytes), bodyState);
  };
  const cutOff = (): void => {
    end("cut off");
  };
  const plain = decompressed(response);
  plain.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= maxOutputBytes) end("complete");
  });
  plain.on("end", () => {
    end(response.complete ? "complete" : "cut off");
  });
  // Compressed data ends too soon because the answer was cut off, or because the data is invalid.
  plain.on("error", () => {
    end(plain === response || response.errored !== null ? "cut off" : "not decompressible");
  });
  for (const event of ["error", "aborted", "close"]) response.on(event, cutOffUnlessComplete);
  plain.on("close", cutOff);

  function cutOffUnlessComplete(): void {
    if (!response.complete) cutOff();
  }
}

/** The request asks for no compression, but some servers compress all the same. */
function decompressed(response: http.IncomingMessage): NodeJS.ReadableStream {
  const encoding = response.headers["content-encoding"];
  if (encoding === "gzip") return response.pipe(createGunzip());
  return encoding === "deflate" ? response.pipe(createInflate()) : response;
}

function checkResponse(
  { statuses, contains }: HttpProbe,
  status: number,
  body: Buffer,
  bodyState: BodyState,
): AttemptResult {
  const text = body.toString("utf8");
  const isWanted = statuses.length === 0 ? status >= 200 && status <= 299 : statuses.includes(status);
  if (!isWanted) {
    const wanted = statuses.length === 0 ? "200 to 299" : statuses.join(" or ");
    return { problem: `the answer was ${String(status)}, not ${wanted}`, output: text };
  }
  if (bodyState !== "complete") {
    const what = bodyState === "cut off" ? "was cut off" : "cannot be decompressed";
    return { problem: `the answer was ${String(status)}, but its body ${what}`, output: text };
  }
  if (contains !== undefined && !text.includes(contains)) {
    return { problem: `the answer was ${String(status)}, but does not contain the expected text`, output: text };
  }
  return { output: text };
}
