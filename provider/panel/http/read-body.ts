import type { Readable } from "node:stream";
import { codeOf, TransportFailure } from "./transport";

/**
 * Reads an answer up to a number of bytes, counted as they come out of decompression, and not one chunk further.
 * Never rejects: what was read before a break is handed back beside the reason.
 */
export function readBody(
  stream: Readable,
  maxBytes: number,
  signal: AbortSignal,
): Promise<{ body: Buffer; broken?: TransportFailure }> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let finished = false;
    const finish = (broken?: TransportFailure): void => {
      if (finished) return;
      finished = true;
      signal.removeEventListener("abort", onAbort);
      stream.removeListener("data", onData);
      // A stream that is torn down may still report an error, which would otherwise end the process.
      stream.on("error", () => undefined);
      if (broken !== undefined) stream.destroy();
      resolve({ body: Buffer.concat(chunks), ...(broken === undefined ? {} : { broken }) });
    };
    const onAbort = (): void => {
      finish(new TransportFailure("ABORTED", true));
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > maxBytes) finish(new TransportFailure("TOO_LARGE", true));
      else chunks.push(chunk);
    };
    if (signal.aborted) {
      onAbort();
      return;
    }
    signal.addEventListener("abort", onAbort, { once: true });
    stream.on("data", onData);
    stream.once("end", () => {
      finish();
    });
    stream.once("error", (error) => {
      finish(new TransportFailure(codeOf(error), true));
    });
    // A connection cut in the middle may close the stream without an error.
    stream.once("close", () => {
      finish(new TransportFailure("ECONNRESET", true));
    });
  });
}
