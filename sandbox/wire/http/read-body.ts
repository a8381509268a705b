import type { IncomingMessage } from "node:http";

/** Far above what a list of paths needs. */
export const largestBodyBytes = 1_000_000;

/** What is read and thrown away of a body that is too large, so that its sender lives to read the refusal. */
const patienceBytes = 20 * largestBodyBytes;

/** The body, or of one that is too large as much as shows that it is. */
export function readBody(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      if (size <= largestBodyBytes) chunks.push(chunk);
      size += chunk.length;
      if (size > patienceBytes) request.destroy();
    });
    request.on("end", () => {
      resolve(Buffer.concat(chunks).toString("utf8"));
    });
    request.on("error", reject);
    request.on("close", () => {
      reject(new Error("the client went away"));
    });
  });
}
