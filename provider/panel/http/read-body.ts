import { addAbortSignal, type Readable } from "node:stream";
import { codeOf, TransportFailure } from "./transport";

/**
 * Reads an answer up to a number of bytes, counted as they come out of decompression, and not one chunk further.
 * Never rejects: what was read before a break is handed back beside the reason.
 */
export async function readBody(
  stream: Readable,
  maxBytes: number,
  signal: AbortSignal,
): Promise<{ body: Buffer; broken?: TransportFailure }> {
  const chunks: Buffer[] = [];
  let size = 0;
  let broken: TransportFailure | undefined;
  try {
    // Leaving the loop destroys the stream, and with it the connection.
    for await (const chunk of addAbortSignal(signal, stream) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) {
        broken = new TransportFailure("TOO_LARGE", true);
        break;
      }
      chunks.push(chunk);
    }
  } catch (error) {
    broken = new TransportFailure(signal.aborted ? "ABORTED" : breakOf(codeOf(error)), true);
  }
  return { body: Buffer.concat(chunks), ...(broken === undefined ? {} : { broken }) };
}

/** A connection cut in the middle may close the stream without an error of its own. */
function breakOf(code: string): string {
  return code === "ERR_STREAM_PREMATURE_CLOSE" ? "ECONNRESET" : code;
}
