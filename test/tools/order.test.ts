import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../tools/engine/cli";

describe("the files that a run of the tests takes", () => {
  it("are all of a part once, without the long ones unless they are asked for", async () => {
    const { testFiles } = await import("../../tools/test/order.mjs");
    const [unit, endToEnd] = [testFiles("unit", { long: true }), testFiles("e2e", { long: true })];
    const all = [...unit, ...endToEnd];
    assert.equal(new Set(all).size, all.length);
    assert.ok(all.every((path) => existsSync(join(repositoryRoot, path))));
    assert.ok(unit.includes("test/tools/order.test.ts"));
    assert.ok(endToEnd.length > 20 && endToEnd.every((path) => path.startsWith("test/e2e/")));
    assert.ok(!unit.some((path) => path.startsWith("test/e2e/")));
    assert.deepEqual(
      testFiles("unit", { long: false }),
      unit.filter((path) => !path.endsWith(".long.test.ts")),
    );
  });

  it("begin with those that take longest, and name none that is not there", async () => {
    const { inOrder, slowest } = await import("../../tools/test/order.mjs");
    assert.deepEqual(inOrder(["test/a.test.ts", "test/z.test.ts", ...slowest, "test/b.test.ts"]), [
      ...slowest,
      "test/a.test.ts",
      "test/b.test.ts",
      "test/z.test.ts",
    ]);
    for (const path of slowest) assert.ok(existsSync(join(repositoryRoot, path)), path);
  });
});
