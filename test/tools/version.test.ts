import assert from "node:assert/strict";

describe("the version of a Pulumi CLI", () => {
  const cases: readonly [version: string, oldest: string, usable: boolean][] = [
    ["v3.248.0", "3.248.0", true],
    ["v3.248.1\n", "3.248.0", true],
    ["3.300.0", "3.248.0", true],
    ["v3.247.9", "3.248.0", false],
    ["v3.99.0", "3.248.0", false],
    ["v4.0.0", "3.248.0", false],
    ["v2.300.0", "3.248.0", false],
    ["v3.255.0-alpha.1", "3.248.0", true],
    ["command not found", "3.248.0", false],
    ["", "3.248.0", false],
  ];

  for (const [version, oldest, usable] of cases) {
    it(`${JSON.stringify(version)} ${usable ? "will do" : "will not do"} where ${oldest} is the oldest`, async () => {
      const { isUsable } = await import("../../tools/cli/version.mjs");
      assert.equal(isUsable(version, oldest), usable);
    });
  }

  it("that is built is one that will do", async () => {
    const { isUsable, oldestUsable, pinnedVersion } = await import("../../tools/cli/version.mjs");
    assert.ok(isUsable(pinnedVersion(), oldestUsable()), `${pinnedVersion()} and ${oldestUsable()}`);
  });
});
