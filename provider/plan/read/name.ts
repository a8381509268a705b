import { show } from "../../text/show";

/** Names become part of the names of resources, and rows that somebody reads at night. */
const name = /^[\p{L}\p{N}](?:[\p{L}\p{N} ._-]{0,58}[\p{L}\p{N}])?$/u;

export function nameProblem(value: unknown): string | undefined {
  if (typeof value === "string" && name.test(value)) return undefined;
  return ` is ${show(value)}, which is no name: give up to 60 letters, digits, spaces, ".", "-" and "_", the first and last a letter or a digit`;
}
