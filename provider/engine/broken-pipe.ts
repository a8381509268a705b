/**
 * When the engine is killed, nobody reads this process's output any more. A write then is an `error` on the stream, which the
 * SDK reports by writing to that same stream, and so on without end: the process would burn a core and never come to the
 * check that ends it. What cannot be said to anybody is dropped.
 */
export function outliveBrokenPipes(streams: readonly NodeJS.WritableStream[] = [process.stdout, process.stderr]): void {
  for (const stream of streams) stream.on("error", () => undefined);
}
