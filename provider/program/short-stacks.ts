import { resolve, sep } from "node:path";

interface Stacks {
  stackTraceLimit: number;
  /** Puts a trace into words. Whoever maps lines to their sources sets it, which the SDK has done before a program runs. */
  prepareStackTrace?: ((error: Error, trace: NodeJS.CallSite[]) => unknown) | undefined;
}

const stacks: Stacks = Error;

/**
 * The SDK takes a stack trace for every property of every resource, so that a promise that never settles can be named. A restore and
 * its intent have nearly forty properties, and behind the source maps that the SDK installs each frame has to be looked up: of a
 * program with a hundred restores it was most of the work, all of it before anything is sent to the engine.
 *
 * From here on errors hold that many frames at most, until what is returned is called: right after, around synchronous work only.
 * The trace of a resource that the engine keeps is taken separately and whole. Of that one this package's own frames are left out: the
 * engine writes the state hundreds of times, with every trace in it, and whoever looks at one looks for the line of the program.
 */
export function shortenStacks(frames: number): () => void {
  // Somebody looks for such a promise.
  if (process.env["PULUMI_DEBUG_PROMISE_LEAKS"]) return () => undefined;
  const { stackTraceLimit: before, prepareStackTrace: print } = stacks;
  stacks.stackTraceLimit = Math.min(before, frames);
  if (print !== undefined) {
    stacks.prepareStackTrace = (error, trace) => print(error, isWhole() ? withoutInner(trace) : trace);
  }
  return () => {
    stacks.stackTraceLimit = before;
    stacks.prepareStackTrace = print;
  };
}

/** As many as the SDK's own error for a registration that the engine turned down needs to show the program's line, and one to spare. */
export const toTheProgram = 6;
/** The same where it is the intent that is turned down, which its restore's constructor makes three calls further in. */
export const toTheProgramOfARestore = toTheProgram + 3;

const ownFolder = resolve(__dirname, "..") + sep;

/** The SDK lifts the limit for the trace that the engine keeps, and for no other. */
function isWhole(): boolean {
  return stacks.stackTraceLimit === Number.POSITIVE_INFINITY;
}

/**
 * The first frame of ours stays, the constructor of the resource: the SDK counts to it, and takes what comes after for the program's.
 * What our own frames called to get there, such as a loop over a list, goes with them.
 */
function withoutInner(trace: NodeJS.CallSite[]): NodeJS.CallSite[] {
  const first = trace.findIndex(isOwn);
  const last = trace.findLastIndex(isOwn);
  return trace.filter((_, index) => index <= first || index > last);
}

function isOwn(frame: NodeJS.CallSite): boolean {
  return frame.getFileName()?.startsWith(ownFolder) === true;
}
