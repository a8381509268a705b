import { spawn } from "node:child_process";
import assert from "node:assert/strict";
import { cpSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../../tools/engine/cli";
import { pathWithPulumi } from "../../../tools/engine/command-line";
import { engineEnvironment } from "../../../tools/engine/environment";
import type { Sandbox } from "./scene";

/** A user's copy of an example, with what `npm install` would have put there, and the CLI's own commands to run in it. */
export class Checkout {
  readonly folder: string;
  readonly #env: NodeJS.ProcessEnv;

  constructor(folder: string, example: string, panel: Sandbox, env: Readonly<Record<string, string>> = {}) {
    this.folder = join(folder, example);
    cpSync(join(repositoryRoot, "examples", example), this.folder, { recursive: true });
    symlinkSync(join(repositoryRoot, "node_modules"), join(this.folder, "node_modules"));
    mkdirSync(join(folder, "backend"), { recursive: true });
    this.#env = {
      ...process.env,
      ...engineEnvironment(folder),
      PATH: pathWithPulumi(folder),
      RECOVERY_ENDPOINT: panel.url,
      RECOVERY_USERNAME: panel.username,
      RECOVERY_PASSWORD: panel.password,
      ...env,
    };
  }

  /** As a pipeline does it: a shell that stops at the first command that fails, and can be killed with all it started. */
  start(script: string, env: Readonly<Record<string, string>> = {}) {
    const child = spawn("bash", ["-eo", "pipefail", "-c", script], {
      cwd: this.folder,
      env: { ...this.#env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => (output += text));
    }
    const ended = new Promise<{ code: number | null; output: string }>((resolve) => {
      child.once("close", (code) => resolve({ code, output }));
    });
    return { ended, kill: () => process.kill(-(child.pid ?? 0), "SIGKILL") };
  }

  /** What the script printed. Throws when a command of it failed. */
  async run(script: string): Promise<string> {
    const { code, output } = await this.start(script).ended;
    assert.equal(code, 0, output);
    return output;
  }

  /** The output of the script, which must fail. */
  async fails(script: string): Promise<string> {
    const { code, output } = await this.start(script).ended;
    assert.notEqual(code, 0, output);
    return output;
  }

  read(file: string): string {
    return readFileSync(join(this.folder, file), "utf8");
  }
}
