import { execFile, spawn } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { repositoryRoot } from "../../../tools/engine/cli";
import { pathWithPulumi } from "../../../tools/engine/command-line";
import { engineEnvironment } from "../../../tools/engine/environment";
import type { Sandbox } from "./scene";

/** What `npm publish` would upload, as a file in `folder`. */
export async function packed(folder: string): Promise<string> {
  // Set-up has built what is packed, before the tests were started.
  await run("npm", ["pack", "--ignore-scripts", "--pack-destination", folder], { cwd: repositoryRoot });
  const [name] = readdirSync(folder).filter((file) => file.endsWith(".tgz"));
  if (name === undefined) throw new Error("npm pack packed nothing");
  return join(folder, name);
}

/** Runs a command to its end; what it said is in the error when it fails. */
export async function run(
  command: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv },
): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(command, args, { ...options, maxBuffer: 64 * 1024 * 1024 });
    return stdout;
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new Error(`${command} ${args.join(" ")} failed:\n${stdout}\n${stderr}`, { cause: error });
  }
}

/** What a project runs on, where that is not what everything else runs on. */
interface Tools {
  readonly cli?: string;
  readonly node?: string;
  /** On top of what the engine needs to know, or instead of it. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A project of somebody who has nothing but Node.js, the Pulumi CLI and a package manager. */
export class FreshProject {
  readonly #env: NodeJS.ProcessEnv;

  private constructor(
    readonly folder: string,
    env: NodeJS.ProcessEnv,
  ) {
    this.#env = env;
  }

  /** `home` holds the engine's files; `files` are the project's own, by name. */
  static create(
    home: string,
    folder: string,
    panel: Sandbox,
    files: Readonly<Record<string, string>>,
    { cli, node = process.execPath, env = {} }: Tools = {},
  ): FreshProject {
    for (const path of [folder, join(home, "backend"), join(home, "home")]) mkdirSync(path, { recursive: true });
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    return new FreshProject(folder, {
      ...process.env,
      ...engineEnvironment(home),
      PATH: dirname(node) + delimiter + pathWithPulumi(home, cli),
      RECOVERY_ENDPOINT: panel.url,
      RECOVERY_USERNAME: panel.username,
      RECOVERY_PASSWORD: panel.password,
      ...env,
    });
  }

  /** `pulumi up` of a new stack; its outputs. */
  async up(): Promise<Record<string, unknown>> {
    await this.pulumi("stack", "init", "fresh");
    await this.pulumi("up", "--yes", "--skip-preview");
    return this.outputs();
  }

  async outputs(): Promise<Record<string, unknown>> {
    return JSON.parse(await this.pulumi("stack", "output", "--json")) as Record<string, unknown>;
  }

  /** A command of the CLI that a test means to kill. It runs until then, or until it is through. */
  start(...args: readonly string[]) {
    const child = spawn("pulumi", [...args, "--non-interactive"], {
      cwd: this.folder,
      env: this.#env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => (output += text));
    }
    const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    return { ended, output: () => output, isOver: () => child.exitCode !== null, kill: () => child.kill("SIGKILL") };
  }

  /** `up` once more and `destroy`, both from the state that the first `up` has left. */
  async upAgainAndDestroy(): Promise<void> {
    await this.pulumi("up", "--yes", "--skip-preview", "--expect-no-changes");
    await this.pulumi("destroy", "--yes", "--skip-preview");
  }

  /** The version of a package that a program of this project gets. */
  installed(name: string): string {
    return (createRequire(join(this.folder, "index.js"))(`${name}/package.json`) as { version: string }).version;
  }

  pulumi(...args: readonly string[]): Promise<string> {
    return run("pulumi", [...args, "--non-interactive"], { cwd: this.folder, env: this.#env });
  }
}
