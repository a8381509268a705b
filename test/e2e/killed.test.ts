import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isAlive, needsProcesses } from "./support/processes";
import { restores } from "./support/restores";
import { useScene } from "./support/scene";
import { waitUntil } from "./support/wait-until";

describe("a run killed in the middle", () => {
  const scene = useScene();

  needsProcesses();

  it("has its restore adopted by the next run, without a POST, if the restore was still unlisted", async () => {
    const panel = await scene.panel({ speed: 1, dialect: { listingDelaySeconds: 6 } });
    const web = { name: "web", args: { timeouts: { listed: "15s" } } };
    const stack = await restores(scene, [web], { config: { "recovery:requestTimeout": "4s" } });

    const run = await stack.start("up");
    await run.output(/sent, not listed yet/);
    const orphans = run.killCli();
    await run.ended;
    await stack.cancel();
    const next = await stack.up();

    assert.deepEqual(next.outputs["statuses"]?.value, ["complete"]);
    assert.deepEqual(next.outputs["adopted"]?.value, [true]);
    assert.match(next.stdout, /adopted transaction \d+/);
    assert.equal(panel.acceptedPosts(), 1);
    // The trace shows both runs: what the first one sent, and how the second one recognized that restore.
    const trace = readFileSync(join(scene.folder, "trace.jsonl"), "utf8");
    const decisions = [...trace.matchAll(/"action":"(?!read)([^"]+)"/g)].map(([, action]) => action);
    assert.deepEqual(decisions, ["get ready", "post", "adopt: found", "end"]);
    const taken = next.outputs["transactions"]?.value as readonly string[];
    assert.match(trace, new RegExp(`"rows":\\["${taken.join()}"\\],"verdict":"mine",[^\\n]*"action":"adopt: found"`));
    await waitUntil(() => !orphans.some(isAlive), 30_000, "the provider process of the killed run to be gone");
  });
});
