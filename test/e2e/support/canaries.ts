import assert from "node:assert/strict";
import type { Run } from "./run";
import type { Sandbox, SandboxOptions, Scene } from "./scene";
import { filesOfTheEngine, saidBy, toldByTheCli } from "./shown";
import type { TestStack } from "./stack";

/** Strings that occur nowhere else. The first must be escaped in URLs and in JSON. */
export const password = 'canary/in "the+mine';
export const username = "operator";
/** The panel repeats this string in a restore's `params`, and in the restore's log as the password for a mount. */
export const inParams = "correct-horse-battery";

const canaries: readonly string[] = [
  password,
  JSON.stringify(password).slice(1, -1),
  encodeURIComponent(password),
  encodeURIComponent(password).replaceAll("%20", "+"),
  Buffer.from(password).toString("base64").replace(/=+$/, ""),
  Buffer.from(`${username}:${password}`).toString("base64").replace(/=+$/, ""),
  inParams,
];

export function assertHidden(where: string, text: string): void {
  for (const canary of canaries) {
    const at = text.indexOf(canary);
    assert.equal(at, -1, `${where} shows ${canary}: …${text.slice(Math.max(0, at - 200), at + 100)}…`);
  }
}

export async function assertAllHidden(stack: TestStack, ...runs: readonly Run[]): Promise<void> {
  for (const run of runs) assertHidden("the run", saidBy(run));
  assertHidden("a command of the CLI", await toldByTheCli(stack.place));
  assertHidden("a file of the engine", await filesOfTheEngine(stack.place));
}

export function openPanel(scene: Pick<Scene, "panel">, options: SandboxOptions = {}): Promise<Sandbox> {
  return scene.panel({ username, password, dialect: { params: "secret" }, speed: 50, ...options });
}
