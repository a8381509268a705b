import { spawn, type ChildProcess } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  realpathSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { Killable } from "./killable";
import type { Run } from "./run";
import type { Sandbox } from "./scene";
import { cliPath, repositoryRoot } from "../../../tools/engine/cli";
import { placeLanguageHost } from "../../../tools/engine/command-line";
import { engineEnvironment } from "../../../tools/engine/environment";
import { removeHalfWritten, type StoredResource } from "./stored";

interface Ended extends Pick<Run, "stdout" | "outputs" | "error"> {
  readonly code: number | null;
  /** All that was printed. */
  readonly text: string;
}

/** A command of the CLI that runs. */
class YamlRun extends Killable {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;

  constructor(child: ChildProcess, home: string) {
    super(child, home);
    this.child = child;
    let text = "";
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (more: string) => (text += more));
    this.ended = new Promise<Ended>((resolve) =>
      child.once("close", (code) => {
        const error = code === 0 ? {} : { error: text === "" ? `ended with ${String(code)}` : text };
        resolve({ code, text, stdout: this.stdout, outputs: {}, ...error });
      }),
    );
  }
}

/**
 * A project in YAML in a folder of its own, with the plugin of this working copy. There is no language host for Node beside the CLI: what is
 * started is the plugin's own executable.
 */
export class YamlProject {
  readonly folder: string;
  readonly #env: NodeJS.ProcessEnv;

  private constructor(folder: string, env: NodeJS.ProcessEnv) {
    this.folder = folder;
    this.#env = env;
  }

  static async open(
    parent: string,
    program: string,
    settings: Readonly<Record<string, string>>,
    { existing, startedBy = "its executable" }: ProjectOptions = {},
  ): Promise<YamlProject> {
    const folder = join(parent, "yaml");
    const bin = join(parent, "yaml-bin");
    for (const path of [folder, bin, join(folder, "node_modules"), join(parent, "backend"), join(parent, "home")]) {
      mkdirSync(path, { recursive: true });
    }
    place(cliPath(), join(bin, "pulumi"));
    const { find } = await import("../../../tools/cli/find.mjs");
    const host = await find("yaml-host");
    if ("why" in host) throw new Error(host.why);
    place(host.path, join(bin, "pulumi-language-yaml"));
    // What a stack of a program in TypeScript has been made with.
    const dynamic = "pulumi-resource-pulumi-nodejs";
    place(join(dirname(realpathSync(cliPath())), dynamic), join(bin, dynamic));
    writeFileSync(join(folder, "Pulumi.yaml"), program);
    const installed = join(folder, "node_modules", "pulumi-recovery");
    if (startedBy === "its executable") symlinkSync(repositoryRoot, installed);
    else withoutExecutable(installed, bin);
    // As in `sparingEnvironment`: nobody waits a minute for rows that a test's panel lists at once.
    const options = `--require=${join(repositoryRoot, "test", "support", "short-quiet.cjs")}`;
    const path = [bin, dirname(process.execPath), process.env.PATH ?? ""].join(delimiter);
    const project = new YamlProject(folder, {
      ...process.env,
      ...engineEnvironment(parent),
      NODE_OPTIONS: options,
      PATH: path,
    });
    if (existing === undefined) await project.expect("stack", "init", "test");
    else copyFileSync(join(parent, existing, "Pulumi.test.yaml"), join(folder, "Pulumi.test.yaml"));
    await project.expect("stack", "select", "test");
    for (const [key, value] of Object.entries(settings)) {
      await project.expect("config", "set", ...(/password$/i.test(key) ? ["--secret"] : []), key, value);
    }
    return project;
  }

  /** What the CLI is started with; a program of its own that starts the CLI takes it too. */
  get env(): NodeJS.ProcessEnv {
    return this.#env;
  }

  /** Replaces the program. */
  rewrite(program: string): void {
    writeFileSync(join(this.folder, "Pulumi.yaml"), program);
  }

  start(...words: readonly string[]): YamlRun {
    const options = { cwd: this.folder, env: this.#env, stdio: ["ignore" as const, "pipe" as const, "pipe" as const] };
    const child = spawn("pulumi", [...words, "--non-interactive", "--color=never"], options);
    return new YamlRun(child, this.#env.PULUMI_HOME ?? "");
  }

  run(...words: readonly string[]): Promise<Ended> {
    return this.start(...words).ended;
  }

  /** The output of a command that must succeed. */
  async expect(...words: readonly string[]): Promise<string> {
    const { code, text } = await this.run(...words);
    if (code !== 0) throw new Error(`pulumi ${words.join(" ")} ended with ${String(code)}:\n${text}`);
    return text;
  }

  /** Takes away the lock that a killed run left, and before it what else a kill leaves now and then. */
  async cancel(): Promise<void> {
    await removeHalfWritten({ folder: dirname(this.folder) });
    await this.expect("cancel", "--yes");
  }

  /** The stack's outputs. */
  async outputs(): Promise<Readonly<Record<string, unknown>>> {
    return JSON.parse(await this.expect("stack", "output", "--json")) as Record<string, unknown>;
  }

  /** The state, as it is stored: secrets are not opened. */
  async state(): Promise<string> {
    return this.expect("stack", "export");
  }

  async resources(): Promise<readonly StoredResource[]> {
    const { deployment } = JSON.parse(await this.state()) as { deployment: { resources?: StoredResource[] } };
    return deployment.resources ?? [];
  }
}

interface ProjectOptions {
  /** The project whose stack `test` is to be used. */
  readonly existing?: string;
  /** How the engine is to start the plugin. @default "its executable" */
  readonly startedBy?: "its executable" | "PulumiPlugin.yaml";
}

/** The package as it is installed where its executable cannot be started: the engine reads PulumiPlugin.yaml and asks the language host. */
function withoutExecutable(installed: string, bin: string): void {
  mkdirSync(join(installed, "plugin"), { recursive: true });
  for (const name of readdirSync(join(repositoryRoot, "plugin"))) {
    if (name !== "pulumi-resource-recovery")
      copyFileSync(join(repositoryRoot, "plugin", name), join(installed, "plugin", name));
  }
  copyFileSync(join(repositoryRoot, "package.json"), join(installed, "package.json"));
  for (const name of ["dist", "node_modules"]) symlinkSync(join(repositoryRoot, name), join(installed, name));
  placeLanguageHost(bin);
}

export function connection(panel: Sandbox): Readonly<Record<string, string>> {
  return { "recovery:endpoint": panel.url, "recovery:username": panel.username, "recovery:password": panel.password };
}

/** The engine looks beside its own binary first, and a symbolic link would lead it back to where that came from. */
function place(from: string, to: string): void {
  if (existsSync(to)) return;
  const real = realpathSync(from);
  try {
    linkSync(real, to);
  } catch {
    copyFileSync(real, to);
  }
}
