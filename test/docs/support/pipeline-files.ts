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

/** What the nightly jobs run beside the installation, on GitHub and on GitLab. */
export function readyScripts(): readonly [string, string] {
  const github = parsed("github-ready.yml") as {
    readonly jobs: { readonly ready: { readonly steps: readonly Step[] } };
  };
  const gitlab = parsed("gitlab-ready.yml") as { readonly ready: Pick<GitlabJob, "script"> };
  const runs = github.jobs.ready.steps.flatMap(({ run }) => (run === undefined || run === "npm ci" ? [] : [run]));
  return [runs.join("\n"), gitlab.ready.script.join("\n")];
}
