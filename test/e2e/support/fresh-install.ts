import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../../tools/engine/cli";
import { expect } from "./ended";
import { compilers, manifest, type Files } from "./fresh-programs";
import { Project, type Tools } from "./project";
import type { Sandbox } from "./scene";

const quiet = ["--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline"];

/** What `npm publish` would upload, as a file in `folder`. */
export async function packed(folder: string): Promise<string> {
  // The set-up builds the package's contents before the tests start.
  await expect("npm", ["pack", "--ignore-scripts", "--pack-destination", folder], { cwd: repositoryRoot });
  const [name] = readdirSync(folder).filter((file) => file.endsWith(".tgz"));
  if (name === undefined) throw new Error("npm pack packed nothing");
  return join(folder, name);
}

/** A project that depends on the packed package. Nothing is installed yet. */
export async function freshProject(home: string, files: Files, options: Fresh = {}): Promise<Project> {
  const { folder = join(home, "fresh"), sdk = "3.248.0", type = "commonjs", ...tools } = options;
  const recovery = `file:${await packed(home)}`;
  const installs = { "pulumi-recovery": recovery, "@pulumi/pulumi": sdk, ...compilers };
  return Project.create(home, folder, { ...files, ...manifest(installs, { type }) }, tools);
}

interface Fresh extends Tools {
  readonly folder?: string;
  readonly sdk?: string;
  readonly type?: "commonjs" | "module";
}

/** Runs `npm install` in the project's folder or, for a workspace, in its parent folder. */
export async function npm({ folder }: Pick<Project, "folder">): Promise<void> {
  await expect("npm", ["install", ...quiet], { cwd: folder });
}

/** Runs `up`, and then another `up` and `destroy` from the stored state. The project's own copy of the package must post each restore once. */
export async function restoresOnce(project: Project, panel: Sandbox): Promise<void> {
  const outputs = await project.firstUp();
  assert.deepEqual(outputs["statuses"], ["complete", "complete"]);
  assert.equal(outputs["newest"], panel.restores().at(-1)?.transactionId);
  const ended = panel.restores().map(({ kind, status }) => `${kind} ${status}`);
  assert.deepEqual(ended, ["machine complete", "files complete"]);
  await project.upAgainAndDestroy();
  assert.equal(panel.acceptedPosts(), 2);
}
