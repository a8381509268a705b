import assert from "node:assert/strict";
import { run, type FreshProject } from "./fresh-project";
import type { Sandbox } from "./scene";

const quiet = ["--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline"];

/** `npm install`, in the project's folder or, for a workspace, in its parent folder. */
export async function npm({ folder }: Pick<FreshProject, "folder">): Promise<void> {
  await run("npm", ["install", ...quiet], { cwd: folder });
}

/** A real `up`, then another and a `destroy` from what it stored: each restore is posted once, by this project's own copy. */
export async function restoresOnce(project: FreshProject, panel: Sandbox): Promise<void> {
  const outputs = await project.up();
  assert.deepEqual(outputs["statuses"], ["complete", "complete"]);
  assert.equal(outputs["newest"], panel.restores().at(-1)?.transactionId);
  assert.deepEqual(
    panel.restores().map(({ kind, status }) => [kind, status]),
    [
      ["machine", "complete"],
      ["files", "complete"],
    ],
  );
  await project.upAgainAndDestroy();
  assert.equal(panel.acceptedPosts(), 2);
}
