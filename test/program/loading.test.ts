import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";

const root = join(__dirname, "..", "..");

describe("loading the package in a program", () => {
  it("loads what answers a function, what makes a plan and what carries out a restore only when they are needed", () => {
    // A process of its own: the test runner has loaded everything already.
    const program = `
      require("ts-node/register/transpile-only");
      require("@pulumi/pulumi");
      const before = new Set(Object.keys(require.cache));
      const recovery = require(${JSON.stringify(join(root, "provider"))});
      const loaded = Object.keys(require.cache).filter((file) => !before.has(file));
      console.log(JSON.stringify({ names: Object.keys(recovery), loaded }));`;
    const output = execFileSync(process.execPath, ["-e", program], { cwd: root, encoding: "utf8" });
    const { names, loaded } = JSON.parse(output) as { names: string[]; loaded: string[] };
    assert.ok(names.includes("VmRestore") && names.includes("FileRestore"));
    const heavy = loaded.filter((file) =>
      /node_modules|provider\/(panel\/(client|.*transport|.*codec)|feed|restore|plan\/read|functions\/answer|resources\/construct-plan)/.test(
        file.slice(root.length),
      ),
    );
    assert.deepEqual(heavy, []);
  });
});
