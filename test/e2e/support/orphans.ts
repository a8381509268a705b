import assert from "node:assert/strict";
import type { OwnProcess } from "./own-process";
import { isAlive } from "./processes";
import type { Sandbox } from "./scene";
import { posts } from "./posts";
import { waitUntil } from "./wait-until";

export const config = { "recovery:requestTimeout": "30s" };
export const specs = [{ name: "web" }];

/** What was left running ends by itself, and has posted nothing by then. */
export async function endsWithoutPosting(panel: Sandbox, run: OwnProcess, orphans: readonly number[]): Promise<void> {
  await run.ended;
  assert.ok(orphans.length > 0);
  await waitUntil(() => !orphans.some(isAlive), 30_000, "the orphan to be gone");
  assert.deepEqual(posts(panel), []);
}
