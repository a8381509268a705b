import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PostedRestoreRecord, Scenario } from "../../../sandbox";
import { builtCommand } from "../../support/built";
import { waitUntil } from "../support/wait-until";

const account = { username: "operator", password: "sandbox" };

/** The sandbox as its own command runs it: it can be killed, and returns on the same ports with the content of its state file. */
export class PanelProcess {
  readonly username = account.username;
  readonly password = account.password;
  #child: ChildProcess | undefined;
  #url = "";
  #control = "";
  #starts = 0;

  private constructor(
    private readonly folder: string,
    private readonly seed: number,
  ) {}

  static async start(folder: string, scenario: Scenario, seed: number): Promise<PanelProcess> {
    const panel = new PanelProcess(folder, seed);
    writeFileSync(join(folder, "scenario.json"), JSON.stringify(scenario));
    await panel.#start();
    return panel;
  }

  get url(): string {
    return this.#url;
  }

  /** A power cut: everything outside the state file is lost. */
  async restart(awayMs: number): Promise<void> {
    await this.stop();
    await new Promise((resolve) => setTimeout(resolve, awayMs));
    await this.#start();
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (child?.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once("close", resolve));
    child.kill("SIGKILL");
    await gone;
  }

  /** The panel's own record of restores, whoever requested them. */
  async restores(): Promise<readonly PostedRestoreRecord[]> {
    return (await (await fetch(`${this.#control}/restores`)).json()) as PostedRestoreRecord[];
  }

  async failNext(machineId: string): Promise<void> {
    const body = JSON.stringify({ machineId, outcome: "failed" });
    const headers = { "content-type": "application/json" };
    const { ok } = await fetch(`${this.#control}/next-restore`, { method: "POST", headers, body });
    if (!ok) throw new Error(`the panel would not let the next restore of ${machineId} fail`);
  }

  async #start(): Promise<void> {
    const port = (url: string): string => (url === "" ? "0" : new URL(url).port);
    const args = [
      ...[builtCommand, "sandbox"],
      ...["--port", port(this.#url), "--control-port", port(this.#control)],
      ...["--scenario", join(this.folder, "scenario.json"), "--state", join(this.folder, "panel.json")],
      // Otherwise every life of the panel would cause the same faults in the same order.
      ...["--seed", String(this.seed * 1000 + this.#starts++)],
    ];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
    this.#child = child;
    let output = "";
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      if (output.length < 2_000) output += text;
    });
    const urls = () => /Panel\s+(\S+)\s+Page and control\s+(\S+)/.exec(output);
    await waitUntil(() => urls() !== null || child.exitCode !== null, 60_000, "the panel to listen");
    const [, url, control] = urls() ?? [];
    if (url === undefined || control === undefined) throw new Error(`the panel did not start: ${said}`);
    this.#url = url;
    this.#control = control;
  }
}
