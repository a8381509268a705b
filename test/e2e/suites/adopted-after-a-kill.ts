import assert from "node:assert/strict";
import type { PanelOptions } from "../../../sandbox";
import { restores } from "../support/restores";
import type { Scene } from "../support/scene";
import { waitUntil } from "../support/wait-until";

const config = { "recovery:requestTimeout": "2s" };
const spec = { name: "web", args: { timeouts: { listed: "3s", run: "60s" } } };
const backup = { machineId: 42, action: "take_backup", status: "complete" } as const;

/** Panels on which it is not plain whose rows they are, or where the new ones stand. */
const dialects = {
  "an identifier that is the recovery point's own": { machineTie: "target" },
  "a list sorted by change, under older work that has ended since": { sortedBy: "updated", pageCap: 10 },
} as const satisfies Readonly<Record<string, PanelOptions["dialect"]>>;

export function adoptedAfterAKill(scene: Pick<Scene, "panel" | "stack">, what: keyof typeof dialects): void {
  it(`${what}: the restore is adopted and nothing is posted`, async () => {
    const panel = await scene.panel({ speed: 1, slots: 50, dialect: dialects[what] });
    const older = Array.from({ length: 12 }, () =>
      panel.addTransaction({ machineId: 43, action: "take_backup", seconds: 3_600, locks: false }),
    );
    panel.failNext(42, { seconds: 4 });
    const stack = await restores(scene, [spec], { config });

    const run = await stack.start("up");
    await waitUntil(() => panel.acceptedPosts() === 1, 60_000, "the restore to be posted");
    run.killCli();
    await run.ended;
    await stack.cancel();
    await waitUntil(() => panel.restores()[0]?.status === "complete", 30_000, "the restore to end");
    panel.addTransaction(backup);
    for (const id of older) panel.endTransaction(id, "complete");
    const next = await stack.up();

    assert.deepEqual(next.outputs["statuses"]?.value, ["complete"]);
    assert.deepEqual(next.outputs["adopted"]?.value, [true]);
    assert.equal(panel.acceptedPosts(), 1);
  });
}
