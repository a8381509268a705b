import assert from "node:assert/strict";

describe("whether the dependencies are installed", () => {
  const wanted = {
    packages: {
      "": { version: "1.0.0" },
      "node_modules/a": { version: "2.0.0", integrity: "sha512-a" },
      "node_modules/only-elsewhere": { version: "1.0.0", integrity: "sha512-b", optional: true },
    },
  };
  const a = { version: "2.0.0", integrity: "sha512-a" };

  const cases: readonly [what: string, installed: { packages?: Record<string, typeof a> }, expected: boolean][] = [
    ["when npm wrote down just these", { packages: { "node_modules/a": a } }, true],
    ["with more than these", { packages: { "node_modules/a": a, "node_modules/z": a } }, true],
    ["not when npm wrote nothing down", {}, false],
    ["not with another version", { packages: { "node_modules/a": { ...a, version: "2.0.1" } } }, false],
    ["not with other contents", { packages: { "node_modules/a": { ...a, integrity: "sha512-z" } } }, false],
    ["not when one is missing", { packages: {} }, false],
  ];
  for (const [what, installed, expected] of cases) {
    it(what, async () => {
      const { isInstalled } = await import("../../tools/setup/dependencies.mjs");
      assert.equal(isInstalled(wanted, installed), expected);
    });
  }
});
