import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { root } from "./pages";

type Environment = Readonly<Record<string, string>>;

export interface Step {
  readonly id?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly if?: string;
  readonly env?: Environment;
}

interface GithubJob {
  readonly if: string;
  readonly env: Environment;
  readonly environment?: string;
  readonly needs?: string | readonly string[];
  readonly concurrency?: unknown;
  readonly steps: readonly Step[];
}

interface GitlabJob {
  readonly rules: readonly { readonly when?: string }[];
  readonly environment?: unknown;
  readonly needs?: readonly string[];
  readonly resource_group?: string;
  readonly interruptible?: boolean;
  readonly before_script: readonly string[];
  readonly script: readonly string[];
  readonly after_script: readonly string[];
  readonly artifacts: { readonly expire_in?: string };
}

type JobName = "ready" | "preview" | "drill" | "call";

function parsed(name: string): unknown {
  return parse(readFileSync(join(root, "docs", "pipelines", name), "utf8"));
}

interface GithubFile {
  readonly env: Environment;
  readonly jobs: Readonly<Record<JobName, GithubJob>>;
}

export function githubJob(name: JobName): GithubJob {
  const { env, jobs } = parsed("github.yml") as GithubFile;
  return { ...jobs[name], env: { ...env, ...jobs[name].env } };
}

/** A job, including the parts of the file that every job inherits. */
export function gitlabJob(name: JobName = "drill"): GitlabJob {
  const { default: shared, ...jobs } = parsed("gitlab.yml") as {
    readonly default: Pick<GitlabJob, "before_script">;
  } & Readonly<Record<JobName, Omit<GitlabJob, "after_script" | "before_script"> & Partial<GitlabJob>>>;
  const before = "inherit" in jobs[name] ? [] : shared.before_script;
  return { before_script: before, after_script: [], ...jobs[name] };
}

export function jobSteps(on: "GitHub" | "GitLab", name: JobName): readonly Step[] {
  if (on === "GitHub") return githubJob(name).steps;
  const { before_script, script, after_script } = gitlabJob(name);
  const always = after_script.length === 0 ? [] : [{ run: after_script.join("\n"), if: "always()" }];
  return [{ run: [...before_script, ...script].join("\n") }, ...always];
}

/**
 * Runs steps as a runner does: after a step fails, it runs only the steps that are marked to always run. A step can set environment variables for later
 * steps, and `left` contains what the steps pass to other jobs.
 */
export async function playSteps(
  steps: readonly Step[],
  environment: Environment,
  shell: (script: string, env: Environment) => Promise<{ readonly code: number | null; readonly output: string }>,
): Promise<{ readonly isGood: boolean; readonly output: string; readonly left: Environment }> {
  const folder = mkdtempSync(join(tmpdir(), "recovery-steps-"));
  const files = { GITHUB_ENV: join(folder, "env"), GITHUB_OUTPUT: join(folder, "output") };
  const left = (file: string): Environment =>
    Object.fromEntries(
      [...readFileSync(file, "utf8").matchAll(/^(\w+)=(.*)$/gm)].map(([, key = "", text = ""]) => [key, text]),
    );
  try {
    for (const file of Object.values(files)) writeFileSync(file, "");
    let [isGood, output] = [true, ""];
    for (const { run, if: when, env = {} } of steps) {
      if (run === undefined || (!isGood && when !== "always()")) continue;
      const outputs = left(files.GITHUB_OUTPUT);
      const own = Object.entries(env).map(([key, text]) => [
        key,
        text.replace(/\$\{\{ steps\.name\.outputs\.(\w+) \}\}/g, (_, name: string) => outputs[name] ?? ""),
      ]);
      const played = await shell(run, {
        ...environment,
        ...files,
        ...left(files.GITHUB_ENV),
        ...(Object.fromEntries(own) as Environment),
      });
      output += played.output;
      isGood &&= played.code === 0;
    }
    return { isGood, output, left: left(files.GITHUB_OUTPUT) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
