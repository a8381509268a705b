import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { root } from "./pages";

export interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly if?: string;
}

interface GithubJob {
  readonly if: string;
  readonly env: Readonly<Record<string, string>>;
  readonly concurrency?: unknown;
  readonly steps: readonly Step[];
}

interface GitlabJob {
  readonly rules: readonly { readonly if: string; readonly when?: string }[];
  readonly resource_group?: string;
  readonly interruptible?: boolean;
  readonly before_script: readonly string[];
  readonly script: readonly string[];
  readonly after_script: readonly string[];
  readonly artifacts: {
    readonly when: string;
    readonly expire_in?: string;
    readonly paths: readonly string[];
    readonly reports?: { readonly junit: string };
  };
}

type JobName = "ready" | "drill" | "call";

function parsed(name: string): unknown {
  return parse(readFileSync(join(root, "docs", "pipelines", name), "utf8"));
}

export function githubJob(name: JobName): GithubJob {
  return (parsed("github.yml") as { readonly jobs: Readonly<Record<JobName, GithubJob>> }).jobs[name];
}

export function gitlabJob(name: JobName = "drill"): GitlabJob {
  const jobs = parsed("gitlab.yml") as Readonly<Record<JobName, Omit<GitlabJob, "after_script"> & Partial<GitlabJob>>>;
  return { after_script: [], ...jobs[name] };
}

/** What the morning's jobs run beside the installation, on GitHub and on GitLab. */
export function readyScripts(): readonly [string, string] {
  const runs = githubJob("ready").steps.flatMap(({ run }) => (run === undefined || run === "npm ci" ? [] : [run]));
  return [runs.join("\n"), gitlabJob("ready").script.join("\n")];
}
