import { resolve, sep } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { forTerminal } from "../plain/text";

interface StackTraceSettings {
  stackTraceLimit: number;
  /** Puts a trace into words. Whoever maps lines to their sources sets it, which the SDK has done before a program runs. */
  prepareStackTrace?: ((error: Error, trace: NodeJS.CallSite[]) => unknown) | undefined;
}

const stackTraces: StackTraceSettings = Error;

/**
 * The SDK takes a stack trace for every property of every resource, so that a promise that never settles can be named. A restore and
 * its intent have nearly forty properties, and behind the source maps that the SDK installs each frame has to be looked up: of a
 * program with a hundred restores it was most of the work, all of it before anything is sent to the engine.
 *
 * From here on errors hold that many frames at most, until what is returned is called: right after, around synchronous work only.
 * The trace of a resource that the engine keeps is taken separately and whole. Of that one this package's own frames are left out: the
 * engine writes the state hundreds of times, with every trace in it, and whoever looks at one looks for the line of the program.
 */
export function shortenStackTraces(frames: number): () => void {
  // Somebody looks for such a promise.
  if (process.env["PULUMI_DEBUG_PROMISE_LEAKS"]) return () => undefined;
  const { stackTraceLimit: before, prepareStackTrace: print } = stackTraces;
  stackTraces.stackTraceLimit = Math.min(before, frames);
  if (print !== undefined) {
    stackTraces.prepareStackTrace = (error, trace) => print(error, isFullTrace() ? withoutOwnFrames(trace) : trace);
  }
  return () => {
    stackTraces.stackTraceLimit = before;
    stackTraces.prepareStackTrace = print;
  };
}

/** As many as the SDK's own error for a registration that the engine turned down needs to show the program's line, and one to spare. */
export const framesToProgram = 6;
/** The same where it is the intent that is turned down, which its restore's constructor makes three calls further in. */
export const framesToProgramFromIntent = framesToProgram + 3;

const ownFolder = resolve(__dirname, "..") + sep;

/** The SDK lifts the limit for the trace that the engine keeps, and for no other. */
function isFullTrace(): boolean {
  return stackTraces.stackTraceLimit === Number.POSITIVE_INFINITY;
}

/**
 * The first frame of ours stays, the constructor of the resource: the SDK counts to it, and takes what comes after for the program's.
 * What our own frames called to get there, such as a loop over a list, goes with them.
 */
function withoutOwnFrames(trace: NodeJS.CallSite[]): NodeJS.CallSite[] {
  const first = trace.findIndex(isOwnFrame);
  const last = trace.findLastIndex(isOwnFrame);
  return trace.filter((_, index) => index <= first || index > last);
}

function isOwnFrame(frame: NodeJS.CallSite): boolean {
  return frame.getFileName()?.startsWith(ownFolder) === true;
}

/*
 * A function may fail long before the SDK gets to the Output or the promise that its error is in: it looks at a program's
 * exports one after the other. Node.js tells the SDK of the rejection, and the SDK prints the error. When the export's turn
 * comes, Node.js warns that it was "handled asynchronously": one more line, and it tells nobody anything.
 */

const programErrors = new WeakSet();
let isListening = false;

/** No such warning for this error. All others are warned of as ever. */
function muteLateHandling(error: Error): void {
  programErrors.add(error);
  if (isListening) return;
  isListening = true;
  process.on("rejectionHandled", (promise) => {
    promise.catch((reason: unknown) => {
      if (typeof reason === "object" && reason !== null && programErrors.has(reason)) return;
      // With a listener, Node.js leaves the warning to it.
      if (process.listenerCount("rejectionHandled") > 1) return;
      process.emitWarning("Promise rejection was handled asynchronously", "PromiseRejectionHandledWarning");
    });
  });
}

/**
 * An error that ends a program with its message alone. A stack says nothing to a reader of a pipeline's output, but the SDK
 * prints it: where nobody waits for the promise, and always for its own tracing, in colour and with the cause's stack. One line
 * with `node_modules/@` in it then takes Node.js 20 half a minute of full load. With an empty stack the SDK does neither. What went wrong stays in `cause`, for programs that catch the error.
 */
export function programError(message: string, cause?: unknown): pulumi.RunError {
  const error = new pulumi.RunError(forTerminal(message));
  error.stack = "";
  muteLateHandling(error);
  if (cause === undefined) return error;
  // Programs print what they catch, and printing an error prints its cause.
  if (cause instanceof Error) cause.stack = `${cause.name}: ${cause.message}`;
  error.cause = cause;
  return error;
}
