import { execFileSync } from "node:child_process";
import { delimiter, dirname, join } from "node:path";
import { PulumiCommand } from "@pulumi/pulumi/automation";

/** The folder of `package.json`. */
export const repositoryRoot = join(__dirname, "..", "..");

let found: string | undefined;

/**
 * The path of the Pulumi CLI that the setup found or built. The scripts pass the path in the environment. Without it, this runs the setup, which returns at
 * once if there is nothing to do.
 */
export function cliPath(): string {
  found ??= process.env.PULUMI_RECOVERY_CLI ?? askSetUp();
  return found;
}

function askSetUp(): string {
  const setUp = join(repositoryRoot, "tools", "setup.mjs");
  const stdio = ["ignore", "pipe", "inherit"] as const;
  return execFileSync(process.execPath, [setUp, "--print-cli"], { encoding: "utf8", stdio: [...stdio] }).trim();
}

let command: Promise<PulumiCommand> | undefined;

/** The CLI for the Automation API. It is found through PATH, so its folder need not be named `bin`. */
export function pulumiCommand(): Promise<PulumiCommand> {
  command ??= findCommand();
  return command;
}

async function findCommand(): Promise<PulumiCommand> {
  process.env.PATH = dirname(cliPath()) + delimiter + (process.env.PATH ?? "");
  return PulumiCommand.get({ skipVersionCheck: true });
}
