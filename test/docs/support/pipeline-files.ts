import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { root } from "./pages";

export interface Step {
  readonly id?: string;
  readonly name?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly uses?: string;
  readonly run?: string;
  readonly if?: string;
}

interface GithubWorkflow {
  readonly concurrency: unknown;
  readonly jobs: {
    readonly restore: { readonly env: Readonly<Record<string, string>>; readonly steps: readonly Step[] };
  };
}

interface GitlabJob {
  readonly resource_group: string;
  readonly interruptible: boolean;
  readonly variables: Readonly<Record<string, string>>;
  readonly before_script: readonly string[];
  readonly script: readonly string[];
  readonly after_script: readonly string[];
  readonly artifacts: {
    readonly when: string;
    readonly paths: readonly string[];
    readonly reports: { readonly junit: string };
  };
}

function parsed(name: string): unknown {
  return parse(readFileSync(join(root, "docs", "pipelines", name), "utf8"));
}

export function githubSteps(): { concurrency: unknown; env: Readonly<Record<string, string>>; steps: readonly Step[] } {
  const { concurrency, jobs } = parsed("github-actions.yml") as GithubWorkflow;
  return { concurrency, ...jobs.restore };
}

export function gitlabJob(): GitlabJob {
  return (parsed("gitlab-ci.yml") as { readonly restore: GitlabJob }).restore;
}
