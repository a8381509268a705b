import assert from "node:assert/strict";

describe("a command that did not get through to where it fetches from", () => {
  const rows: [string, boolean][] = [
    ['Get "https://modules.example/x/@v/list": dial tcp: lookup modules.example: no such host', true],
    ["dial tcp 10.0.0.1:443: connect: connection refused", true],
    ["NewConnectionError: Failed to establish a new connection: [Errno -3] Temporary failure in name resolution", true],
    ["ERROR: No matching distribution found for pulumi==0.0.1", false],
    ["go: module github.com/a/b: reading https://modules.example: 404 Not Found", false],
    ["./program.go:12:2: undefined: recovery.NewRestore", false],
  ];
  for (const [text, expected] of rows) {
    it(`${expected ? "is told by" : "is not told by"}: ${text.slice(0, 60)}`, async () => {
      const { isUnreachable } = await import("../../tools/languages/unreachable.mjs");
      assert.equal(isUnreachable(text), expected);
    });
  }
});
