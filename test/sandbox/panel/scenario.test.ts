import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readArguments } from "../../../sandbox/arguments";
import { inDirectory } from "../support/temporary-directory";

describe("the sandbox's command line", () => {
  it("is read into options", () => {
    assert.deepEqual(readArguments([]), { port: 8787, control: { port: 8788 } });
    assert.deepEqual(
      readArguments(
        "--port 0 --host ::1 --user u --password p --dialect modern --speed 2.5 --slots 3 --seed 9 --state f".split(
          " ",
        ),
      ),
      {
        port: 0,
        control: { port: 0 },
        host: "::1",
        username: "u",
        password: "p",
        dialect: "modern",
        speed: 2.5,
        slots: 3,
        seed: 9,
        stateFile: "f",
      },
    );
    assert.deepEqual(readArguments(["--port=9000", "--control-port=9100"]), { port: 9000, control: { port: 9100 } });
  });

  it("sets switches on top of its own dialect, or of the scenario's dialect", () =>
    inDirectory((directory) => {
      const file = join(directory, "scenario.json");
      writeFileSync(file, '{"dialect":{"preset":"awkward","pageCap":7}}');
      const switches = "--switch pointCap=100 --switch pageCap=null --switch pointOrder=oldest".split(" ");
      const set = { pointCap: 100, pageCap: null, pointOrder: "oldest" };
      assert.deepEqual(readArguments(switches).dialect, { preset: "plain", ...set });
      assert.deepEqual(readArguments(["--dialect", "modern", ...switches]).dialect, { preset: "modern", ...set });
      const { dialect } = readArguments(["--scenario", file, ...switches]);
      assert.deepEqual(dialect, { preset: "awkward", ...set });
      return Promise.resolve();
    }));
});
