import * as pulumi from "@pulumi/pulumi";
import { forTerminal } from "../text/for-terminal";
import { mayBeHandledLate } from "./late-handling";

/**
 * An error that ends a program with its message alone. A stack says nothing to whoever reads the output of a pipeline, and
 * the SDK prints it all the same: with a promise that nobody waits for, and always for its own tracing, in colour and with the
 * cause's, which takes Node.js 20 half a minute of full load for one line with `node_modules/@` in it. It does neither
 * with an empty stack. What went wrong stays in `cause`, for programs that catch the error.
 */
export function programError(message: string, cause?: unknown): pulumi.RunError {
  const error = new pulumi.RunError(forTerminal(message));
  error.stack = "";
  mayBeHandledLate(error);
  if (cause === undefined) return error;
  // Programs print what they catch, and printing an error prints its cause.
  if (cause instanceof Error) cause.stack = `${cause.name}: ${cause.message}`;
  error.cause = cause;
  return error;
}
