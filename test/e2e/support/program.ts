import { join } from "node:path";
import type { PulumiFn } from "@pulumi/pulumi/automation";
import { repositoryRoot } from "../../../tools/engine/cli";
import { programFile } from "../../../tools/engine/program";

/** A function, or a file (path from the repository's root) whose exports are the outputs. Only a file can run in a separate process. */
export type Program = PulumiFn | { readonly file: string };

export function example(name: string): { readonly file: string } {
  return { file: `examples/${name}/index.ts` };
}

export function fixture(name: string): { readonly file: string } {
  return { file: `test/e2e/programs/${name}.ts` };
}

export function asFunction(program: Program): PulumiFn {
  return typeof program === "function" ? program : programFile(join(repositoryRoot, program.file));
}
