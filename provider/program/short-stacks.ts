/**
 * The SDK takes a stack trace for every property of every resource, so that a promise that never settles can be named. A restore and
 * its intent have nearly forty properties, and behind the source maps that the SDK installs each frame has to be looked up: of a
 * program with a hundred restores it was most of the work, all of it before anything is sent to the engine. The line of the program
 * that the engine keeps of each resource is taken separately, and whole.
 *
 * From here on errors hold that many frames at most, until what is returned is called: right after, around synchronous work only.
 */
export function shortenStacks(frames: number): () => void {
  // Somebody looks for such a promise.
  if (process.env["PULUMI_DEBUG_PROMISE_LEAKS"]) return () => undefined;
  const before = Error.stackTraceLimit;
  Error.stackTraceLimit = Math.min(before, frames);
  return () => {
    Error.stackTraceLimit = before;
  };
}

/** As many as the SDK's own error for a registration that the engine turned down needs to show the program's line, and one to spare. */
export const toTheProgram = 6;
