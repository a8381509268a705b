import { execFileSync } from "node:child_process";
import { delimiter, dirname, join } from "node:path";
import { PulumiCommand } from "@pulumi/pulumi/automation";

/** The folder of `package.json`. */
export const repositoryRoot = join(__dirname, "..", "..");

const found = new Map<string, string>();

/**
 * Path of the Pulumi CLI, as set-up finds or makes it. The scripts hand it over in the environment; what is run
 * by hand asks set-up, which answers at once when nothing is to be done.
 */
export function cliPath(): string {
  return pathOf("PULUMI_RECOVERY_CLI", "--print-cli");
}

/** The same of Pulumi's YAML host, `pulumi-language-yaml`, for tests that run programs in YAML. Nothing else waits for it to be made. */
export function yamlHostPath(): string {
  return pathOf("PULUMI_RECOVERY_YAML_HOST", "--print-yaml-host");
}

function pathOf(variable: string, flag: string): string {
  const path = found.get(variable) ?? process.env[variable] ?? askSetUp(flag);
  found.set(variable, path);
  return path;
}

function askSetUp(flag: string): string {
  return execFileSync(process.execPath, [join(repositoryRoot, "tools", "setup.mjs"), flag], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  }).trim();
}

let command: Promise<PulumiCommand> | undefined;

/** The CLI for the Automation API. Found through PATH, so that it need not lie in a folder named `bin`. */
export function pulumiCommand(): Promise<PulumiCommand> {
  command ??= findCommand();
  return command;
}

async function findCommand(): Promise<PulumiCommand> {
  process.env.PATH = dirname(cliPath()) + delimiter + (process.env.PATH ?? "");
  return PulumiCommand.get({ skipVersionCheck: true });
}
