import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { join, resolve } from "node:path";

const folder = resolve(__dirname, "../../sandbox");

describe("the sandbox by itself", () => {
  it("needs nothing but Node and the clock", () => {
    const imported = readdirSync(folder).flatMap((file) =>
      [
        ...readFileSync(join(folder, file), "utf8").matchAll(
          /^(?:import|export) .*? ?from "([^"]+)";$|^\} from "([^"]+)";$/gm,
        ),
      ].map((found) => found[1] ?? found[2] ?? ""),
    );
    const foreign = imported.filter((name) => !name.startsWith("./") && name !== "../provider/time/clock");
    assert.ok(foreign.length > 0, "the scan finds imports");
    assert.deepEqual(
      foreign.filter((name) => !name.startsWith("node:") || !builtinModules.includes(name.slice("node:".length))),
      [],
    );
  });
});
