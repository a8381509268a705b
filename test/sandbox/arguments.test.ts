import assert from "node:assert/strict";
import { readArguments } from "../../sandbox/arguments";

it("the sandbox's command line is parsed into options", () => {
  assert.deepEqual(readArguments([]), { port: 8787, control: { port: 8788 } });
  assert.deepEqual(readArguments(["--port=9000", "--control-port=9100"]), { port: 9000, control: { port: 9100 } });
  const given = "--port 0 --host ::1 --user u --password p --dialect modern --speed 2.5 --slots 3 --seed 9 --state f";
  assert.deepEqual(readArguments(given.split(" ")), {
    ...{ port: 0, control: { port: 0 }, host: "::1", username: "u", password: "p" },
    ...{ dialect: "modern", speed: 2.5, slots: 3, seed: 9, stateFile: "f" },
  });
});
