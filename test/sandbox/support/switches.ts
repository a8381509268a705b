import { createSandbox, dialects, type Dialect, type DialectOption, SandboxError } from "../../../sandbox";

/** The values of each dialect switch that accepts words, as listed in the switch's own error message. */
export const switches: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  (Object.keys(dialects.plain) as (keyof Dialect)[]).flatMap((name) => {
    const words = /must be one of (.*), got/.exec(errorOf({ [name]: "?" }))?.[1];
    return words === undefined ? [] : [[name, words.split(", ")] as const];
  }),
);

function errorOf(dialect: object): string {
  try {
    createSandbox({ dialect: dialect as DialectOption });
  } catch (error) {
    if (error instanceof SandboxError) return error.message;
    throw error;
  }
  return "";
}
