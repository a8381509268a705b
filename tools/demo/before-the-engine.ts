import { spawn } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { Sandbox } from "../../sandbox";
import { repositoryRoot } from "../engine/cli";
import { command, say } from "./say";

/** Runs `check`, which needs no engine, against the panel. */
export async function checkPanel(panel: Sandbox): Promise<void> {
  say("Before a first restore a panel is looked at. This only reads:");
  command("$ npx pulumi-recovery check --machine 42");
  const script = join(repositoryRoot, "dist", "cli", "main.js");
  const { url: RECOVERY_ENDPOINT, username: RECOVERY_USERNAME, password: RECOVERY_PASSWORD } = panel;
  const check = spawn(process.execPath, [script, "check", "--machine", "42"], {
    // The environment holds its settings, so it needs no Pulumi CLI.
    env: { ...process.env, PATH: "", RECOVERY_ENDPOINT, RECOVERY_USERNAME, RECOVERY_PASSWORD },
    stdio: ["ignore", "inherit", "ignore"],
  });
  await new Promise((resolve) => check.once("close", resolve));
}

/** Gets the CLI with set-up, which reports what it does. The panel's page is served in the meantime. */
export async function getCli({ controlUrl = "" }: Sandbox): Promise<void> {
  if (process.env.PULUMI_RECOVERY_CLI !== undefined) return;
  say(`From here on the Pulumi CLI is needed. The panel's page, to be looked at while it is got: ${controlUrl}`);
  const setUp = spawn(process.execPath, [join(repositoryRoot, "tools", "setup.mjs"), "--print-cli"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const path = (await text(setUp.stdout)).trim();
  if (path === "") throw new Error("the demo cannot go on without a Pulumi CLI");
  process.env.PULUMI_RECOVERY_CLI = path;
}
