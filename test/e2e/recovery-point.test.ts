import assert from "node:assert/strict";
import type { StackConfig } from "../../tools/engine/workspace";
import type { Chosen } from "./programs/chosen";
import { fixture } from "./support/program";
import { type Sandbox, useScene } from "./support/scene";

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
});
