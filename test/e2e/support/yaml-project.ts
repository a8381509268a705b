import { copyFileSync, existsSync, linkSync, mkdirSync, readdirSync, realpathSync, symlinkSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { cliPath, repositoryRoot } from "../../../tools/engine/cli";
import { placeLanguageHost } from "../../../tools/engine/command-line";
import { keyService } from "./key-service";
import { Project } from "./project";
import type { Sandbox } from "./scene";
import { sparingEnvironment } from "./sparing-environment";

interface ProjectOptions {
  /** The folder of an earlier project. Its stack `test` is used instead of a new stack. */
  readonly existing?: string;
  /** How the engine starts the plugin. @default "its executable" */
  readonly startedBy?: "its executable" | "PulumiPlugin.yaml";
}

/** A YAML project with the plugin from this working copy. The CLI has no Node.js language host beside it, so the engine starts the plugin's executable. */
export async function yamlProject(
  parent: string,
  program: string,
  settings: Readonly<Record<string, string>>,
  { existing, startedBy = "its executable" }: ProjectOptions = {},
): Promise<Project> {
  const bin = join(parent, "yaml-bin");
  mkdirSync(bin, { recursive: true });
  place(cliPath(), join(bin, "pulumi"));
  const { find } = await import("../../../tools/cli/find.mjs");
  const host = await find("yaml-host");
  if ("why" in host) throw new Error(host.why);
  place(host.path, join(bin, "pulumi-language-yaml"));
  // If a TypeScript program created the stack, the engine also needs the provider for dynamic resources.
  const dynamic = "pulumi-resource-pulumi-nodejs";
  place(join(dirname(realpathSync(cliPath())), dynamic), join(bin, dynamic));
  const keys = await keyService();
  const env = {
    ...sparingEnvironment,
    PATH: [bin, dirname(process.execPath), process.env.PATH ?? ""].join(delimiter),
  };
  const project = Project.create(parent, join(parent, "yaml"), { "Pulumi.yaml": program }, { env });
  mkdirSync(join(project.folder, "node_modules"), { recursive: true });
  const installed = join(project.folder, "node_modules", "pulumi-recovery");
  if (startedBy === "its executable") symlinkSync(repositoryRoot, installed);
  else withoutExecutable(installed, bin);
  if (existing === undefined) await project.pulumi("stack", "init", "test", "--secrets-provider", keys);
  else {
    copyFileSync(join(parent, existing, "Pulumi.test.yaml"), join(project.folder, "Pulumi.test.yaml"));
    await project.pulumi("stack", "select", "test");
  }
  const entries = Object.entries(settings).flatMap(([key, value]) => [
    /password$/i.test(key) ? "--secret" : "--plaintext",
    `${key}=${value}`,
  ]);
  if (entries.length > 0) await project.pulumi("config", "set-all", ...entries);
  return project;
}

/** The installed package without a usable executable, so that the engine reads PulumiPlugin.yaml and uses the language host. */
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

/** The engine first looks next to its own binary, and would follow a symbolic link back to the original folder. */
function place(from: string, to: string): void {
  if (existsSync(to)) return;
  const real = realpathSync(from);
  try {
    linkSync(real, to);
  } catch {
    copyFileSync(real, to);
  }
}
