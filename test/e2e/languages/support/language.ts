import { join } from "node:path";
import type { Project } from "../../support/project";

/** What came of a run: `programs/run.py` and `programs/go/run.go` print it. */
interface Result {
  readonly changes: Readonly<Record<string, number>>;
  readonly error: string | null;
  readonly outputs: Readonly<Record<string, unknown>>;
  readonly said: string;
}

/** Runs a program that is a text. */
export type Runner = (project: Project, operation: "preview" | "up", program: string) => Promise<Result>;

export interface Language {
  /** As Pulumi calls the runtime, and the page its blocks. */
  readonly name: "python" | "go";
  /** Gets ready what its programs need, in `folder`; where that cannot be had, says why. `packages` is where the packages were made. */
  readonly prepare: (folder: string, packages: string) => Promise<{ readonly runs: Runner } | { readonly why: string }>;
}

export const programs = join(__dirname, "..", "programs");

export function resultOf(stdout: string): Result {
  return JSON.parse(stdout) as Result;
}
