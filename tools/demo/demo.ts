import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSandbox, type Sandbox } from "../../sandbox";
import { repositoryRoot } from "../engine/cli";
import { pathWithPulumi } from "../engine/command-line";
import { engineEnvironment } from "../engine/environment";
import { command, say } from "./say";

/** A panel, and a Pulumi project of two restores that is connected to it, in a folder that is removed at the end. */
export interface Demo {
  readonly panel: Sandbox;
  readonly project: string;
  readonly env: Readonly<Record<string, string>>;
  /** Runs a command of the CLI in this terminal, as a person would. Returns true if it succeeds. */
  readonly pulumi: (...args: readonly string[]) => Promise<boolean>;
  /** Kills the running command, which then counts as failed. */
  readonly kill: () => void;
  /** Somebody pressed Ctrl-C. */
  readonly interrupted: () => boolean;
  readonly clear: () => Promise<void>;
}

export async function startDemo(): Promise<Demo> {
  const folder = await mkdtemp(join(tmpdir(), "recovery-demo-"));
  const panel = await startSandbox({ control: true });
  say("Restores that go well, are killed and fail: a minute or two on the real Pulumi engine.");
  say(`a simulated panel listens on ${panel.url}; its page is ${panel.controlUrl ?? ""}`);

  let interrupts = 0;
  process.on("SIGINT", () => {
    // The engine gets the signal too: the first stops it after its current steps, the second at once.
    interrupts++;
    if (interrupts === 1) say("stopping when the engine has ended; Ctrl-C again ends it now");
  });

  const project = join(folder, "project");
  cpSync(join(__dirname, "program"), project, { recursive: true });
  symlinkSync(join(repositoryRoot, "node_modules"), join(project, "node_modules"));
  mkdirSync(join(folder, "backend"));
  const env = {
    ...engineEnvironment(folder),
    PATH: pathWithPulumi(folder),
    PULUMI_SUPPRESS_NEO_LINK: "true",
    PULUMI_NODEJS_TRANSPILE_ONLY: "true",
    RECOVERY_ENDPOINT: panel.url,
    RECOVERY_USERNAME: panel.username,
    RECOVERY_PASSWORD: panel.password,
    RECOVERY_REQUEST_TIMEOUT: "2s",
  };

  let running: ChildProcess | undefined;
  return {
    panel,
    project,
    env,
    pulumi: async (...args) => {
      command(`$ pulumi ${args.join(" ")}`);
      const child = spawn("pulumi", args, { cwd: project, env: { ...process.env, ...env }, stdio: "inherit" });
      running = child;
      const code = await new Promise<number | null>((resolve, reject) => {
        child.once("error", reject);
        child.once("close", resolve);
      });
      running = undefined;
      if (code === null) restoreTerminal();
      return code === 0;
    },
    kill: () => running?.kill("SIGKILL"),
    interrupted: () => interrupts > 0,
    clear: async () => {
      await panel.stop();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** A killed CLI leaves the terminal without echo and without a cursor. */
function restoreTerminal(): void {
  if (!process.stdout.isTTY) return;
  process.stdout.write("\x1b[?25h\n");
  spawnSync("stty", ["sane"], { stdio: "inherit" });
}
