import { join } from "node:path";
import type { Project } from "../../support/project";

/** The result of a run, as printed by `programs/run.py` and `programs/go/run.go`. */
interface Result {
  readonly changes: Readonly<Record<string, number>>;
  readonly error: string | null;
  readonly outputs: Readonly<Record<string, unknown>>;
  readonly said: string;
}

type Runner = (project: Project, operation: "preview" | "up", program: string) => Promise<Result>;

export interface Language {
  /** Pulumi's name for the runtime, and the language of the page's code blocks. */
  readonly name: "python" | "go";
  /** Prepares what the programs need in `folder`, or returns why that is impossible. `packages` is the folder with the generated packages. */
  readonly prepare: (folder: string, packages: string) => Promise<{ readonly runs: Runner } | { readonly why: string }>;
}

export const programs = join(__dirname, "..", "programs");

export function resultOf(stdout: string): Result {
  return JSON.parse(stdout) as Result;
}
