import { readFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import { createGunzip, createInflate } from "node:zlib";
import type { Probe } from "../inputs/read-check";
import { errorMessage } from "../plain/text";
import { codeOf, maxOutputBytes, type AttemptResult, type Attempt } from "./attempt";

type HttpProbe = Extract<Probe, { kind: "http" }>;

/** One request may take no longer, however much time the check still has: a hung connection is tried again. */
const longestTryMs = 15_000;

/**
 * One request per try, on a connection of its own. A redirect is an answer like any other and is not followed, and no proxy of the
 * environment is used: what answers is to be the machine that was restored.
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

type BodyState = "whole" | "broken off" | "not to be decompressed";

/** Up to a bound, and whatever came of an answer that broke off. */
function readBody(response: http.IncomingMessage, done: (body: Buffer, bodyState: BodyState) => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  let isOver = false;
  const end = (bodyState: BodyState): void => {
    if (isOver) return;
    isOver = true;
    done(Buffer.concat(chunks).subarray(0, maxOutputBytes), bodyState);
  };
  const brokenOff = (): void => {
    end("broken off");
  };
  const plain = decompressed(response);
  plain.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= maxOutputBytes) end("whole");
  });
  plain.on("end", () => {
    end(response.complete ? "whole" : "broken off");
  });
  // Compressed data that ends too soon does so because the answer did, or because it was never right.
  plain.on("error", () => {
    end(plain === response || response.errored !== null ? "broken off" : "not to be decompressed");
  });
  for (const event of ["error", "aborted", "close"]) response.on(event, brokenOffUnlessComplete);
  plain.on("close", brokenOff);

  function brokenOffUnlessComplete(): void {
    if (!response.complete) brokenOff();
  }
}

/** Asked for as it is; some servers compress all the same. */
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
  if (bodyState !== "whole") {
    const what = bodyState === "broken off" ? "broke off" : "is compressed in a way that cannot be read";
    return { problem: `the answer was ${String(status)}, and its text ${what}`, output: text };
  }
  if (contains !== undefined && !text.includes(contains)) {
    return { problem: `the answer was ${String(status)}, without the text that contains asks for`, output: text };
  }
  return { output: text };
}
