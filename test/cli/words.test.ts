import assert from "node:assert/strict";
import { tableLines } from "../../cli/parts/words";

it("a table on a terminal is exactly as wide as the terminal, and its names keep their beginning and end", () => {
  const rows = [{ sign: "ok", cells: ["front-web-server-number-17", "x".repeat(60)] }];
  for (const columns of [42, 48, 49]) {
    const [, line = ""] = tableLines(["name", "what"], rows, { columns }, [[0, 10]]);
    assert.equal(line.length, columns);
    assert.match(line, /^ ok {2}fron\S*…\S*17 {2}x+…$/);
  }
});
