import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../tools/engine/cli";
import { inDirectory } from "../sandbox/support/temporary-directory";

describe("the files that a run of the tests takes", () => {
  it("are all of a part once, without the long ones unless they are asked for", async () => {
    const { testFiles } = await import("../../tools/test/order.mjs");
    const of = (part: "unit" | "e2e", long: boolean): readonly string[] => testFiles(part, { long, times: {} });
    const [unit, endToEnd] = [of("unit", true), of("e2e", true)];
    const all = [...unit, ...endToEnd];
    assert.equal(new Set(all).size, all.length);
    assert.ok(all.every((path) => existsSync(join(repositoryRoot, path))));
    assert.ok(unit.includes("test/tools/order.test.ts"));
    assert.ok(endToEnd.length > 20 && endToEnd.every((path) => path.startsWith("test/e2e/")));
    assert.ok(!unit.some((path) => path.startsWith("test/e2e/")));
    assert.deepEqual(
      of("unit", false),
      unit.filter((path) => !path.endsWith(".long.test.ts")),
    );
  });

  it("begin with those that took longest, and of those never timed with the long and the large ones", async () => {
    const { testFiles } = await import("../../tools/test/order.mjs");
    const [small, large, late] = ["test/tools/needs.test.ts", "test/panel/walk.test.ts", "test/panel/ids.test.ts"];
    const places = (times: Readonly<Record<string, number>>, paths: readonly string[]): readonly string[] =>
      testFiles("unit", { long: true, times }).filter((path) => paths.includes(path));
    assert.deepEqual(places({}, [small, large]), [large, small]);
    assert.deepEqual(places({ [small]: 60_000, [late]: 1 }, [small, large, late]), [small, large, late]);
    assert.match(testFiles("unit", { long: true, times: { [small]: 1e9 } })[0] ?? "", /\.long\.test\.ts$/);
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
