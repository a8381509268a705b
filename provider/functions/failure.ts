import type * as pulumi from "@pulumi/pulumi";
import { programError } from "../program/program-error";
import { messageOf } from "../text/message-of";

/** What a call runs, with the function's name before whatever goes wrong. */
export function reported<T>(what: { readonly name: string }, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw failure(what, messageOf(error), error);
  }
}

export function failure(what: { readonly name: string }, message: string, cause?: unknown): pulumi.RunError {
  return programError(`${what.name}: ${message}`, cause);
}
