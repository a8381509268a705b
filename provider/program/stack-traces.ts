import { dirname, resolve, sep } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { forTerminal } from "../plain/text";

interface StackTraceSettings {
  stackTraceLimit: number;
  /** Formats a trace. The SDK sets it before a program runs, to map lines to their sources. */
  prepareStackTrace?: ((error: Error, trace: NodeJS.CallSite[]) => unknown) | undefined;
}

const stackTraces: StackTraceSettings = Error;

/**
 * Makes the stack traces that the SDK takes of a resource cheap until the returned function is called. Use it around synchronous work only.
 *
 * The SDK takes one for every property of every resource, to name promises that never settle. A restore and its intent have nearly forty properties, and
 * the SDK's source maps are searched for each frame. In a program with a hundred restores this was most of the work, all done before anything reached
 * the engine. Nobody reads these traces, so they stay empty.
 *
 * The trace of a resource that the engine keeps is taken in full. Frames of this package, the SDK and Node.js are left out of it: the
 * engine writes the state hundreds of times, with every trace in it, and its readers look for the line of the program.
 */
export function cheapenStackTraces(): () => void {
  const { prepareStackTrace: print } = stackTraces;
  // With the variable, the user is looking for a promise that never settles, and needs every trace.
  if (print === undefined || process.env["PULUMI_DEBUG_PROMISE_LEAKS"]) return () => undefined;
  stackTraces.prepareStackTrace = (error, trace) => {
    if (isOfPromise(trace)) return "";
    return print(error, isFullTrace() ? programFrames(trace) : trace);
  };
  return () => {
    stackTraces.prepareStackTrace = print;
  };
}

/** True for the trace that the SDK attaches to a promise of its own. */
function isOfPromise([first]: NodeJS.CallSite[]): boolean {
  return first?.getFunctionName() === "debuggablePromise" && isIn(first, sdkFolder);
}

const ownFolder = resolve(__dirname, "..") + sep;

/** True for the trace that the engine keeps: the SDK lifts the limit for it, and for no other. */
function isFullTrace(): boolean {
  return stackTraces.stackTraceLimit === Number.POSITIVE_INFINITY;
}

/**
 * Leaves the program's frames, after those up to this package's first, which is the resource's constructor: the SDK counts to it, and takes the next
 * frame for the program's. Frames between our own, such as a loop over a list, go with them.
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

/*
 * A function may fail long before the SDK reaches the Output or promise that holds its error, because the SDK looks at a program's exports one
 * after the other. Node.js reports the rejection to the SDK, which prints the error. When the SDK reaches the export, Node.js warns
 * that the rejection was "handled asynchronously", which helps nobody.
 */

const programErrors = new WeakSet();
let isListening = false;

/** Suppresses that warning for this error, and for no other. */
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
 * An error that ends a program with its message alone. A stack trace does not help the reader of a pipeline's output, but the SDK prints it if nobody
 * waits for the promise. It always prints it for its own tracing, in colour and with the cause's stack. One line with `node_modules/@` in it then
 * takes Node.js 20 half a minute of full load. With an empty stack the SDK does neither. The original error stays in `cause`, for programs that catch
 * the error.
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
