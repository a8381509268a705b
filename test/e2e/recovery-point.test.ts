import assert from "node:assert/strict";
import type { StackConfig } from "../../tools/engine/workspace";
import type { Chosen } from "./programs/chosen";
import { posts } from "./support/posts";
import { needsProcesses } from "./support/processes";
import { fixture } from "./support/program";
import { type Sandbox, useScene } from "./support/scene";
import { waitUntil } from "./support/wait-until";
import { long } from "../support/thorough";

const declare = (chosen: Chosen): StackConfig => ({ "e2e:chosen": JSON.stringify(chosen) });
const pointsPosted = (panel: Sandbox): unknown[] => panel.restores().map(({ recoveryPointId }) => recoveryPointId);

const machines = [
  {
    id: 42,
    recoveryPoints: [
      { id: 1007, ageSeconds: 7_200 },
      { id: 1008, ageSeconds: 3_600 },
    ],
  },
];
const newest = { recoveryPoint: "newest", triggers: ["first"] } as const;

describe("a recovery point chosen by a rule, on the real engine", () => {
  const scene = useScene();

  it("is chosen once: a newer backup changes nothing, new triggers choose anew", async () => {
    const panel = await scene.panel({ speed: 50, scenario: { machines } });
    const stack = await scene.stack(fixture("chosen"), { config: declare({ web: newest }) });

    const first = await stack.up();
    assert.equal(first.outputs["point"]?.value, "1008");
    assert.match(String(first.outputs["taken"]?.value), /^\d{4}-.*Z$/);
    assert.deepEqual(pointsPosted(panel), ["1008"]);

    panel.addRecoveryPoint(42, { id: 1009 });
    await stack.preview({ expectNoChanges: true });
    await stack.up({ expectNoChanges: true });

    await stack.configure(declare({ web: { ...newest, triggers: ["second"] } }));
    const again = await stack.up();
    assert.equal(again.outputs["point"]?.value, "1009");
    assert.deepEqual(pointsPosted(panel).slice(1), ["1009"]);
    assert.equal(panel.acceptedPosts(), 2);
  });

  it("is refused in the preview beside an id, and without either", async () => {
    const panel = await scene.panel({ speed: 50, scenario: { machines } });
    const stack = await scene.stack(fixture("chosen"), {
      config: declare({ web: { recoveryPoint: "newest", recoveryPointId: 1007 } }),
    });
    assert.match((await stack.previewFails()).stdout, /recoveryPoint and recoveryPointId are both given/);
    await stack.configure(declare({ web: {} }));
    assert.match(
      (await stack.previewFails()).stdout,
      /recoveryPointId is missing: give it, or a rule in recoveryPoint/,
    );
    await stack.configure(declare({ web: { recoveryPoint: { before: "2020-01-01T00:00:00Z" } } }));
    assert.match(
      (await stack.upFails()).stdout,
      /was not sent: no recovery point of machine .*: none of the 2 .* was taken then\. [^]*the nearest: 1007/,
    );
    assert.equal(panel.acceptedPosts(), 0);
  });

  describe("killed between the choice and the POST", () => {
    needsProcesses();

    long.it("is what the next run posts, though a newer backup was made meanwhile", async () => {
      const delay = { after: 1, times: 8, seconds: 1.5 };
      const transactions = [{ machineId: 42, action: "take_backup", status: "complete", ageSeconds: 3_600 }] as const;
      const panel = await scene.panel({ speed: 20, scenario: { machines, transactions }, faults: { get: { delay } } });
      const stack = await scene.stack(fixture("chosen"), {
        config: { "recovery:requestTimeout": "4s", ...declare({ web: { ...newest, timeouts: { listed: "2s" } } }) },
      });
      const run = await stack.start("up");
      // The intent's mark takes two reads, because a short page 1 may not be the whole list; the restore begins when the intent is saved.
      const listReads = () => panel.requests().filter(({ path }) => path.startsWith("/transactions"));
      await waitUntil(() => listReads().length > 2, 60_000, "the read before the POST");
      run.killCli();
      await run.ended;
      await stack.cancel();
      assert.equal(posts(panel).length, 0);
      const chosen = (await stack.resource("web-vm-intent")).outputs;
      assert.deepEqual([chosen?.["recoveryPointId"], chosen?.["recoveryPoint"]], ["1008", { pick: "newest" }]);

      panel.addRecoveryPoint(42, { id: 1009 });
      const next = await stack.up();
      assert.equal(next.outputs["point"]?.value, "1008");
      assert.deepEqual(pointsPosted(panel), ["1008"]);
    });
  });
});
