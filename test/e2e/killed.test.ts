import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { isAlive, needsProcesses, signal } from "./support/processes";
import { declare, restores } from "./support/restores";
import { useScene } from "./support/scene";
import { waitUntil } from "./support/wait-until";

const config = { "recovery:requestTimeout": "4s" };
const timeouts = { listed: "1s" };

describe("a run killed in the middle", () => {
  const scene = useScene();

  needsProcesses();

  it("has its restore adopted by the next run, without a POST, if the restore was still unlisted", async () => {
    const panel = await scene.panel({ speed: 1, dialect: { listingDelaySeconds: 6 } });
    const stack = await restores(scene, [{ name: "web", args: { timeouts: { listed: "15s" } } }], { config });

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

  it("is reported by destroy, because its restore may be running without a record", async () => {
    await scene.panel({ speed: 1, dialect: { listingDelaySeconds: 6 } });
    const stack = await restores(scene, [{ name: "web", args: { timeouts: { listed: "15s" } } }], { config });
    const run = await stack.start("up");
    await run.output(/sent, not listed yet/);
    run.killCli();
    await run.ended;
    await stack.cancel();
    assert.match(
      (await stack.destroy()).stdout,
      /warning: an earlier `pulumi up` asked for a restore of machine 42 from recovery point \d+ and left no record/,
    );
  });
});

describe("a run that is waiting for a machine", () => {
  const scene = useScene();

  needsProcesses();

  it("posts nothing if it was suspended for longer than timeouts.busy", async () => {
    const panel = await scene.panel({ speed: 1 });
    const backup = panel.addTransaction({ machineId: 42, action: "take_backup", seconds: 3_600 });
    panel.failNext(42, { seconds: 3 });
    const stack = await restores(scene, [{ name: "web", args: { timeouts: { ...timeouts, busy: "4s" } } }], { config });
    const run = await stack.start("up");
    await run.output(/waiting for transaction \[\d+\] \(take_backup/);
    const pids = run.processes().map(({ pid }) => pid);
    // All processes of the run are suspended, and the machine becomes free in the meantime.
    for (const pid of pids) signal(pid, "SIGSTOP");
    panel.endTransaction(backup, "complete");
    await pause(6_000);
    for (const pid of pids) signal(pid, "SIGCONT");
    assert.match((await run.ended).error ?? "", /restore "web".*was not sent/);
    assert.equal(panel.acceptedPosts(), 0);
    await stack.configure(declare([{ name: "web", args: { timeouts } }]));
    assert.deepEqual((await stack.up()).outputs["statuses"]?.value, ["complete"]);
    assert.equal(panel.acceptedPosts(), 1);
  });
});
