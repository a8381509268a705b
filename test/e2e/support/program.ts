import { join } from "node:path";
import type { PulumiFn } from "@pulumi/pulumi/automation";
import { repositoryRoot } from "./cli";

/**
 * A program of a test: a function, or a file (path from the repository's root) whose exports are the outputs,
 * as with a real project. Only a file can run in a process of its own.
 */
export type Program = PulumiFn | { readonly file: string };

/** The `index.ts` of one of the examples. */
export function example(name: string): { readonly file: string } {
  return { file: `examples/${name}/index.ts` };
}

/** A program of `test/e2e/programs/`. */
export function fixture(name: string): { readonly file: string } {
  return { file: `test/e2e/programs/${name}.ts` };
}

export function asFunction(program: Program): PulumiFn {
  return typeof program === "function" ? program : () => runFile(join(repositoryRoot, program.file));
}

/**
 * Runs a program's file. Only the file itself is loaded anew: the package keeps its module state between two
 * programs of one process, as it would in any program that uses the Automation API.
 */
async function runFile(path: string): Promise<Record<string, unknown>> {
  Reflect.deleteProperty(require.cache, require.resolve(path));
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- the file is known only now, and has to run now
  const loaded: unknown = require(path);
  const exported: unknown = typeof loaded === "function" ? await (loaded as () => unknown)() : loaded;
  return { ...(exported as Record<string, unknown>) };
}
