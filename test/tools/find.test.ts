import assert from "node:assert/strict";
import type { Found, Way } from "../../tools/cli/find.mjs" with { "resolution-mode": "import" };

describe("looking for the Pulumi CLI", () => {
  const asked: string[] = [];
  const way = (name: string, outcome: Found): Way => ({
    name,
    look: () => {
      asked.push(name);
      return Promise.resolve(outcome);
    },
  });

  beforeEach(() => {
    asked.length = 0;
  });

  it("takes the first way that leads to one and tries no other", async () => {
    const { firstOf } = await import("../../tools/cli/find.mjs");
    const ways = [
      way("path", { why: "none" }),
      way("kept", { path: "/kept/pulumi" }),
      way("build", { path: "/built" }),
    ];
    assert.deepEqual(await firstOf(ways), { path: "/kept/pulumi", way: "kept", tried: ["path: none"] });
    assert.deepEqual(asked, ["path", "kept"]);
  });

  it("says of every way why it led nowhere, and what to install", async () => {
    const { firstOf, missingMessage: missing } = await import("../../tools/cli/find.mjs");
    const outcome = await firstOf([way("path", { why: "none" }), way("build", { why: "Go is not installed" })]);
    assert.ok("tried" in outcome);
    const message = missing(outcome.tried);
    assert.match(message, /path: none/);
    assert.match(message, /build: Go is not installed/);
    assert.match(message, /Install one of these two/);
  });
});
