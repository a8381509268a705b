import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { repositoryRoot } from "../../../tools/engine/cli";
import { pathWithPulumi } from "../../../tools/engine/command-line";
import { engineEnvironment } from "../../../tools/engine/environment";
import { Killable } from "./killable";
import type { Sandbox } from "./scene";
import { sparingEnvironment } from "./sparing-environment";
import { removeHalfWritten, type StoredResource } from "./stored";

type Texts = Readonly<Record<string, string>>;

/** What a project uses instead of the defaults. */
export interface Tools {
  readonly panel?: Sandbox;
  readonly cli?: string;
  readonly node?: string;
  /** Variables that add to or override the environment that the engine needs. */
  readonly env?: Texts;
}

/** A user's project in a folder of its own, and the commands that run in it. */
export class Project {
  private constructor(
    readonly folder: string,
    readonly home: string,
    readonly env: NodeJS.ProcessEnv,
  ) {}

  /** `home` contains the engine's files. `files` are the project's own, by name. */
  static create(home: string, folder: string, files: Texts, tools: Tools = {}): Project {
    const { panel, cli, node = process.execPath, env = {} } = tools;
    for (const path of [folder, join(home, "backend"), join(home, "home")]) mkdirSync(path, { recursive: true });
    const project = new Project(folder, home, {
      ...process.env,
      ...engineEnvironment(home),
      PATH: env["PATH"] ?? dirname(node) + delimiter + pathWithPulumi(home, cli),
      ...(panel && {
        RECOVERY_ENDPOINT: panel.url,
        RECOVERY_USERNAME: panel.username,
        RECOVERY_PASSWORD: panel.password,
      }),
      ...env,
    });
    for (const [name, text] of Object.entries(files)) project.write(name, text);
    return project;
  }

  /** A copy of an example, with what `npm install` would have installed. The repository's own type check covers the examples, so this only transpiles. */
  static ofExample(home: string, example: string, panel: Sandbox, more: Texts = {}): Project {
    const env = { ...sparingEnvironment, PULUMI_NODEJS_TRANSPILE_ONLY: "true", ...more };
    const project = Project.create(home, join(home, example), {}, { panel, env });
    cpSync(join(repositoryRoot, "examples", example), project.folder, { recursive: true });
    project.link();
    return project;
  }

  /** Adds what `npm install` would have installed. */
  link(): void {
    symlinkSync(join(repositoryRoot, "node_modules"), join(this.folder, "node_modules"));
  }

  read(file: string): string {
    return readFileSync(join(this.folder, file), "utf8");
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.folder, file), text);
  }

  /** Runs a script as a pipeline does: in a shell that stops at the first failed command. */
  script(script: string, env: Texts = {}): Killable {
    return this.#start("bash", ["-eo", "pipefail", "-c", script], { ...this.env, ...env });
  }

  run(script: string): Promise<string> {
    return this.script(script).succeeded();
  }

  async fails(script: string): Promise<string> {
    const { code, text } = await this.script(script).ended;
    assert.notEqual(code, 0, text);
    return text;
  }

  start(...words: readonly string[]): Killable {
    return this.#start("pulumi", [...words, "--non-interactive", "--color=never"], this.env);
  }

  pulumi(...words: readonly string[]): Promise<string> {
    return this.start(...words).succeeded();
  }

  async firstUp(): Promise<Readonly<Record<string, unknown>>> {
    await this.pulumi("stack", "init", "fresh");
    await this.pulumi("up", "--yes", "--skip-preview");
    return this.outputs();
  }

  async upAgainAndDestroy(): Promise<void> {
    await this.pulumi("up", "--yes", "--skip-preview", "--expect-no-changes");
    await this.pulumi("destroy", "--yes", "--skip-preview");
  }

  /** Removes whatever a killed run left behind, and then the run's lock. */
  async cancel(): Promise<void> {
    await removeHalfWritten({ folder: this.home });
    await this.pulumi("cancel", "--yes");
  }

  async outputs(): Promise<Readonly<Record<string, unknown>>> {
    return JSON.parse(await this.pulumi("stack", "output", "--json")) as Record<string, unknown>;
  }

  /** The stored state, without decrypted secrets. */
  state(): Promise<string> {
    return this.pulumi("stack", "export");
  }

  async resources(): Promise<readonly StoredResource[]> {
    const { deployment } = JSON.parse(await this.state()) as { deployment: { resources?: StoredResource[] } };
    return deployment.resources ?? [];
  }

  #start(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Killable {
    const child = spawn(command, args, { cwd: this.folder, env, stdio: ["ignore", "pipe", "pipe"] });
    return new Killable(child, env["PULUMI_HOME"] ?? "");
  }
}
