import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { inDirectory } from "../sandbox/support/temporary-directory";

describe("the files that a run of the tests takes", () => {
  it("are all of a part once, those first that took longest, and of those never timed the large ones", async () => {
    const { testFiles } = await import("../../tools/test/order.mjs");
    const [unit, endToEnd] = [testFiles("unit", {}), testFiles("e2e", {})];
    assert.equal(new Set([...unit, ...endToEnd]).size, unit.length + endToEnd.length);
    assert.ok(endToEnd.length > 20 && endToEnd.every((path) => path.startsWith("test/e2e/")));
    assert.ok(!unit.some((path) => path.startsWith("test/e2e/")));
    const [small, large, late] = ["test/tools/needs.test.ts", "test/panel/walk.test.ts", "test/panel/ids.test.ts"];
    const places = (times: Readonly<Record<string, number>>): readonly string[] =>
      testFiles("unit", times).filter((path) => [small, large, late].includes(path));
    assert.deepEqual(places({}), [large, small, late]);
    assert.deepEqual(places({ [small]: 60_000, [late]: 1 }), [small, large, late]);
  });

  it("are timed by the last run of the same kind, and a file that cannot be read tells nothing", () =>
    inDirectory(async (folder) => {
      const { keepTimes, keptTimes } = await import("../../tools/test/order.mjs");
      const env = { XDG_CACHE_HOME: folder };
      assert.deepEqual(keptTimes(false, env), {});
      keepTimes(false, { a: 1, b: 2 }, env);
      keepTimes(false, { b: 3 }, env);
      assert.deepEqual(keptTimes(false, env), { a: 1, b: 3 });
      assert.deepEqual(keptTimes(true, env), {});
      writeFileSync(join(folder, "pulumi-recovery", "test-times-quick.json"), "{");
      assert.deepEqual(keptTimes(false, env), {});
    }));
});
