import { dirname, resolve, sep } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { forTerminal } from "../plain/text";

interface StackTraceSettings {
  stackTraceLimit: number;
  /** Formats a trace. The SDK sets this function before a program runs, to map lines to their sources. */
  prepareStackTrace?: ((error: Error, trace: NodeJS.CallSite[]) => unknown) | undefined;
}

const stackTraces: StackTraceSettings = Error;

/**
 * Reduces the cost of the stack traces that the SDK takes for a resource, until the returned function is called. Use this only around synchronous work.
 *
 * The SDK takes a trace for every property of every resource, to name promises that never settle. A restore and its intent have nearly forty properties, and
 * the SDK searches its source maps for each frame. In a program with a hundred restores, this was most of the work, all done before anything reached the
 * engine. Nobody reads these traces, so they stay empty.
 *
 * For each resource, the engine keeps one trace. It is taken in full, but without the frames of this package, the SDK and Node.js: the engine writes the state,
 * with every trace in it, hundreds of times, and whoever reads a trace is looking for the program's line.
 */
export function cheapenStackTraces(): () => void {
  const { prepareStackTrace: print } = stackTraces;
  // Whoever sets this variable is looking for a promise that never settles, and needs every trace.
  if (print !== undefined && !process.env["PULUMI_DEBUG_PROMISE_LEAKS"])
    stackTraces.prepareStackTrace = (error, trace) =>
      isOfPromise(trace) ? "" : print(error, isFullTrace() ? programFrames(trace) : trace);
  return () => {
    stackTraces.prepareStackTrace = print;
  };
}

/** True for a trace that the SDK attaches to one of its own promises. */
function isOfPromise([first]: NodeJS.CallSite[]): boolean {
  return first?.getFunctionName() === "debuggablePromise" && isIn(first, sdkFolder);
}

const ownFolder = resolve(__dirname, "..") + sep;

/** True for the trace that the engine keeps: the SDK lifts the limit only for this trace. */
function isFullTrace(): boolean {
  return stackTraces.stackTraceLimit === Number.POSITIVE_INFINITY;
}

/**
 * Keeps all frames up to this package's first frame, which is the resource's constructor, because the SDK counts up to that frame and treats the next one as
 * the program's line. After that, only the program's frames are kept; any frames between this package's own, such as a loop over a list, are dropped.
 */
function programFrames(trace: NodeJS.CallSite[]): NodeJS.CallSite[] {
  const first = trace.findIndex((frame) => isIn(frame, ownFolder));
  const last = trace.findLastIndex((frame) => isIn(frame, ownFolder));
  return trace.filter((frame, index) => index <= first || (index > last && isProgramFrame(frame)));
}

const sdkFolder = dirname(require.resolve("@pulumi/pulumi/package.json")) + sep;

function isProgramFrame(frame: NodeJS.CallSite): boolean {
  const file = frame.getFileName() ?? frame.getScriptNameOrSourceURL();
  return typeof file === "string" && !file.startsWith("node:") && !isIn(frame, sdkFolder);
}

function isIn(frame: NodeJS.CallSite, folder: string): boolean {
  return frame.getFileName()?.startsWith(folder) === true;
}

/**
 * An error that ends a program with only its message. A stack trace does not help the reader of a pipeline's output, but the SDK prints the stack if nobody
 * waits for the promise. The SDK's own tracing always prints the stack, in color and with the cause's stack, and a single line that contains `node_modules/@`
 * then keeps Node.js 20 busy for half a minute. With an empty stack, neither happens. The original error stays in `cause`, for programs that catch the error.
 */
export function programError(message: string, cause?: unknown): pulumi.RunError {
  const error = new pulumi.RunError(forTerminal(message));
  error.stack = "";
  // The SDK may wait for a promise only after it was rejected, and without a listener, Node.js would then print a warning too.
  if (process.listenerCount("rejectionHandled") === 0) process.on("rejectionHandled", () => undefined);
  if (cause === undefined) return error;
  // Programs print the errors that they catch, and printing an error also prints its cause.
  if (cause instanceof Error) cause.stack = `${cause.name}: ${cause.message}`;
  error.cause = cause;
  return error;
}
