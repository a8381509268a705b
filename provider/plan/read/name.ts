import { show } from "../../text/show";

/** Names become part of the names of resources, and rows that somebody reads at night. */
const name = /^[\p{L}\p{N}](?:[\p{L}\p{N} ._-]{0,58}[\p{L}\p{N}])?$/u;

export function nameProblem(value: unknown): string | undefined {
  if (typeof value === "string" && name.test(value)) {
    // Restores are an object by their names. The SDK cannot write out one that has its own `toString`: the program stands still.
    return value in Object.prototype
      ? ` is ${show(value)}, a name that every object of JavaScript has: give another one`
      : undefined;
  }
  return ` is ${show(value)}, which is no name: give up to 60 letters, digits, spaces, ".", "-" and "_", the first and last a letter or a digit`;
}
