import assert from "node:assert/strict";
import { programOf, useStacks, vm } from "./support/one-restore";
import { long } from "../support/thorough";

describe("the option customTimeouts on the real engine", () => {
  const { scene, stackOf } = useStacks();

  long.it(
    "limits a create and the wait of an update, posts nothing twice, and is ignored when timeouts.total is given",
    async () => {
      const panel = await scene.panel({ speed: 1 });
      panel.failNext(42, { seconds: 20 });
      const limited = (limits: { create?: string; update?: string; delete?: string }, total?: string) => () =>
        vm("web", total === undefined ? {} : { timeouts: { total } }, { customTimeouts: limits });
      const stack = await stackOf(limited({ create: "3s", update: "1s", delete: "1s" }));
      assert.match((await stack.upFails()).stdout, /within timeouts\.total \(3s\)/);
      assert.match((await stack.upFails()).stdout, /within timeouts\.total \(1s\)/);
      stack.use(programOf(limited({ create: "1s", update: "1s" }, "2m")));
      assert.equal((await stack.up()).outputs["status"]?.value, "complete");
      await stack.up({ expectNoChanges: true });
      assert.equal(panel.acceptedPosts(), 1);
    },
  );
});
