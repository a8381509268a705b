import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { styleText } from "node:util";
import { startSandbox, type Sandbox } from "../../sandbox";
import { repositoryRoot } from "../engine/cli";
import { pathWithPulumi } from "../engine/command-line";
import { engineEnvironment, forgetOuterSettings } from "../engine/environment";

const up = ["up", "--yes", "--skip-preview"] as const;
const colour = process.stdout.isTTY;

/** Prints one of the demo's own lines, marked to distinguish it from the engine's output. */
function say(text: string): void {
  console.log(colour ? styleText("cyan", `▸ ${text}`) : `▸ ${text}`);
}

/** Prints a command that the reader could type. */
function command(text: string): void {
  console.log(`    ${colour ? styleText("bold", text) : text}`);
}

/** A simulated panel, and a Pulumi project with two restores that is connected to it, in a folder that is removed at the end. */
class Demo {
  readonly folder = mkdtempSync(join(tmpdir(), "recovery-demo-"));
  readonly project = join(this.folder, "project");
  readonly env: Readonly<Record<string, string>>;
  interrupted = false;
  #running: ChildProcess | undefined;

  constructor(readonly panel: Sandbox) {
    cpSync(join(__dirname, "program"), this.project, { recursive: true });
    symlinkSync(join(repositoryRoot, "node_modules"), join(this.project, "node_modules"));
    mkdirSync(join(this.folder, "backend"));
    this.env = {
      ...engineEnvironment(this.folder),
      PATH: pathWithPulumi(this.folder),
      PULUMI_SUPPRESS_NEO_LINK: "true",
      PULUMI_NODEJS_TRANSPILE_ONLY: "true",
      RECOVERY_ENDPOINT: panel.url,
      RECOVERY_USERNAME: panel.username,
      RECOVERY_PASSWORD: panel.password,
      RECOVERY_REQUEST_TIMEOUT: "2s",
    };
    process.on("SIGINT", () => {
      // The engine receives the signal too: the first signal stops it after its current steps, and a second signal stops it at once.
      if (!this.interrupted) say("stopping once the engine has ended; press Ctrl-C again to end it now");
      this.interrupted = true;
    });
  }

  /** Runs a CLI command in this terminal, as a user would. */
  async pulumi(...args: readonly string[]): Promise<void> {
    command(`$ pulumi ${args.join(" ")}`);
    this.#running = spawn("pulumi", args, {
      cwd: this.project,
      env: { ...process.env, ...this.env },
      stdio: "inherit",
    });
    const code = await ended(this.#running);
    // A killed CLI leaves the terminal without echo and without a cursor.
    if (code !== null || !colour) return;
    process.stdout.write("\x1b[?25h\n");
    spawnSync("stty", ["sane"], { stdio: "inherit" });
  }

  kill(): void {
    this.#running?.kill("SIGKILL");
  }
}

function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
}

async function checkPanel({ env, pulumi }: Bound): Promise<void> {
  say("Before the first restore, check the panel. This command only reads:");
  command("$ npx pulumi-recovery check --machine 42");
  const script = join(repositoryRoot, "dist", "cli", "main.js");
  // The settings are in the environment, so the command needs no Pulumi CLI.
  const args = [script, "check", "--machine", "42"];
  await ended(spawn(process.execPath, args, { env: { ...env, PATH: "" }, stdio: ["ignore", "inherit", "ignore"] }));
  await pulumi("stack", "init", "demo");
}

async function restore({ panel, pulumi }: Bound): Promise<void> {
  say("1. Two machines are restored from their backups. Each machine's row shows its progress.");
  panel.failNext(42, { seconds: 5 });
  panel.failNext(43, { seconds: 4 });
  await pulumi(...up);
}

async function killAndResume({ demo, panel, pulumi }: Bound): Promise<void> {
  say("2. A second drill. Its run is killed midway, as if the pipeline's machine had died.");
  const before = panel.acceptedPosts();
  const restores = () => panel.restores().slice(before);
  for (const machine of [42, 43]) panel.failNext(machine, { seconds: 7 });
  await pulumi("config", "set", "run", "second");
  const run = pulumi(...up);
  while (restores().filter(({ status }) => status === "running").length < 2 && !demo.interrupted) await pause(100);
  await pause(1_500); // by then, the rows show the restores
  demo.kill();
  await run;
  const states = restores().map(({ transactionId, status }) => `${transactionId} ${status}`);
  say(`killed with kill -9. The panel continues: ${states.join(", ")}.`);
  await pulumi("cancel", "--yes");
  await pulumi(...up);
  await pulumi("refresh", "--yes", "--non-interactive", "--clear-pending-creates", "--suppress-outputs");
  say(`both were adopted: ${String(panel.acceptedPosts() - before)} POSTs for two restores, so none was repeated.`);
}

async function failAndTryAgain({ panel, pulumi }: Bound): Promise<void> {
  say("3. A third drill, in which one of the restores fails on the panel.");
  panel.failNext(42, { seconds: 0.3 });
  panel.failNext(43, { outcome: "failed", seconds: 0.3 });
  await pulumi("config", "set", "run", "third");
  await pulumi(...up);
  const before = panel.acceptedPosts();
  say("the next run restores what failed, and nothing else:");
  panel.failNext(43, { seconds: 0.3 });
  await pulumi(...up);
  say(`${String(panel.acceptedPosts() - before)} more POST.`);
}

async function showOutputs({ panel, pulumi }: Bound): Promise<void> {
  say("4. What the stack stores: how each machine's restore went, and how long it took by the panel's clock.");
  await pulumi("stack", "output", "machines", "--json");
  say(`three drills of two machines, one failure: the panel saw ${String(panel.acceptedPosts())} POSTs.`);
}

/** Keeps the panel and the stack until Ctrl-C, and shows how to look around. */
async function waitForLooking({ demo, panel, env }: Bound): Promise<void> {
  say("the panel and the stack remain until you press Ctrl-C. In another shell:");
  for (const [name, value] of Object.entries(env)) {
    // Shows only the folder that the demo added to PATH.
    const shown = name === "PATH" ? `${value.split(delimiter)[0] ?? ""}${delimiter}$PATH` : value;
    if (/^RECOVERY|HOME|BACKEND|PASSPHRASE|UPDATE|PATH$/.test(name)) command(`export ${name}=${shown}`);
  }
  command(`cd ${demo.project}`);
  say("to see what the stack stores:");
  for (const line of ["pulumi stack", "pulumi stack output --show-secrets", "pulumi stack export"]) command(line);
  say(`to see the panel's list, which is also on its page ${panel.controlUrl ?? ""}:`);
  command(`curl -u ${panel.username}:${panel.password} '${panel.url}/transactions.json?detailed'`);
  while (!demo.interrupted) await pause(200);
}

type Bound = Pick<Demo, "panel" | "env" | "pulumi"> & { readonly demo: Demo };

async function main(args: readonly string[]): Promise<void> {
  const unknown = args.filter((arg) => arg !== "--keep");
  if (unknown.length > 0) throw new Error(`unknown argument: ${unknown.join(" ")}; the only argument is --keep`);
  forgetOuterSettings();
  const panel = await startSandbox({ control: true });
  const demo = new Demo(panel);
  say("Restores that succeed, are killed or fail, in a minute or two on the real Pulumi engine.");
  say(`a simulated panel listens on ${panel.url}; its page is ${panel.controlUrl ?? ""}`);
  const kept = args.includes("--keep") ? [waitForLooking] : [];
  try {
    for (const chapter of [checkPanel, restore, killAndResume, failAndTryAgain, showOutputs, ...kept])
      if (!demo.interrupted) await chapter({ demo, panel, env: demo.env, pulumi: (...of) => demo.pulumi(...of) });
  } finally {
    await panel.stop();
    rmSync(demo.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
