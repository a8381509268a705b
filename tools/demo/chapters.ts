import type { Stack } from "@pulumi/pulumi/automation";
import { say } from "./say";
import type { Stage } from "./stage";

/** Restores a machine, then files of it. */
export async function restoreOnce(stage: Stage): Promise<void> {
  say("pulumi up: restore machine 42 from recovery point 1007, then two paths of it");
  await up(stage.stack);
}

/** Shows that a restore is not repeated. */
export async function runAgain(stage: Stage): Promise<void> {
  const before = stage.panel.acceptedPosts();
  say("pulumi up again: nothing changed, so nothing may be restored a second time");
  await up(stage.stack);
  const more = stage.panel.acceptedPosts() - before;
  say(`the panel saw ${String(before)} POSTs in the first run and ${String(more)} in the second`);
}

/** The engine's own output, in its own colours where they can be seen. */
async function up(stack: Stack): Promise<void> {
  await stack.up({
    color: process.stdout.isTTY ? "always" : "never",
    onOutput: (text) => process.stdout.write(text),
    onError: (text) => process.stderr.write(text),
  });
}
