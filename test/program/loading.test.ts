import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { built } from "../support/built";

it("the package in a program loads the code for functions, plans and restores only when it is needed", () => {
  // Runs in a separate process, because the test runner has already loaded everything.
  const program = `
    require("@pulumi/pulumi");
    const before = new Set(Object.keys(require.cache));
    const recovery = require("./provider");
    const loaded = Object.keys(require.cache).filter((file) => !before.has(file));
    console.log(JSON.stringify({ names: Object.keys(recovery), loaded }));`;
  const output = execFileSync(process.execPath, ["-e", program], { cwd: built, encoding: "utf8" });
  const { names, loaded } = JSON.parse(output) as { names: string[]; loaded: string[] };
  assert.ok(names.includes("VmRestore") && names.includes("FileRestore"));
  const heavy = loaded.filter((file) =>
    /node_modules|provider\/(panel\/(client|.*transport)|feed|restore\/|engine|program\/run-call)|drills\/(checks|engine|inputs|program\/construct-plan)/.test(
      file.slice(built.length),
    ),
  );
  assert.deepEqual(heavy, []);
});
