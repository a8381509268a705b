import assert from "node:assert/strict";
import { VmRestore } from "pulumi-recovery";
import { inline } from "./support/inline";
import { useScene } from "./support/scene";

const points = [{ id: 1007, ageSeconds: 7_200 }, { id: 1008, ageSeconds: 3_600 }]; // prettier-ignore
const timeouts = { settle: 0 };

describe("a recovery point chosen by a rule, on the real engine", () => {
  const scene = useScene();

  it("is chosen once, and again when the triggers change", async () => {
    const panel = await scene.panel({ speed: 50, scenario: { machines: [{ id: 42, recoveryPoints: points }] } });
    const program = (...triggers: string[]) =>
      inline(() => {
        const args = { virtualMachineId: 42, recoveryPoint: "newest", triggers, timeouts } as const;
        const { recoveryPointId: point, recoveryPointTakenAt: taken } = new VmRestore("web", args);
        return { point, taken };
      });
    const stack = await scene.stack(program("first"));
    const first = await stack.up();
    assert.match(String(first.outputs["taken"]?.value), /^\d{4}-.*Z$/);

    panel.addRecoveryPoint(42, { id: 1009 });
    await stack.preview({ expectNoChanges: true });
    await stack.up({ expectNoChanges: true });

    stack.use(program("second"));
    const again = await stack.up();
    assert.deepEqual([first.outputs["point"]?.value, again.outputs["point"]?.value], ["1008", "1009"]);
    assert.deepEqual(panel.restores().map(({ recoveryPointId }) => recoveryPointId), ["1008", "1009"]); // prettier-ignore
    assert.equal(panel.acceptedPosts(), 2);
  });
});
