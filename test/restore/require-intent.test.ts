import assert from "node:assert/strict";
import type { Intent, RestoreTarget } from "../../provider/inputs/intent";
import { requireIntent } from "../../provider/restore/post-restore";
import { intentOf, markAt, panelAddress, requestOf, target } from "./support/rows";

const files: RestoreTarget = { ...target, kind: "FileRestore", paths: ["/a", "/b"], triggers: [1, { on: "x" }] };

describe("whether a restore may be carried out", () => {
  const table: readonly [
    name: string,
    wanted: RestoreTarget,
    intent: Intent | undefined,
    refusal: RegExp | undefined,
  ][] = [
    ["its own intent", target, intentOf(), undefined],
    [
      "its own intent, with the paths in another order",
      files,
      intentOf({ madeFor: { ...files, paths: ["/b", "/a"] } }),
      undefined,
    ],
    ["no intent", target, undefined, /was not sent: its RestoreIntent is missing.*--target/],
    [
      "an intent for another machine",
      target,
      intentOf({ madeFor: { ...target, virtualMachineId: "43" } }),
      /another restore \(virtualMachineId differ\)/,
    ],
    [
      "an intent for another point and other triggers",
      target,
      intentOf({ madeFor: { ...target, recoveryPointId: "1", triggers: ["x"] } }),
      /\(recoveryPointId, triggers differ\).*ignoreChanges/,
    ],
    [
      "an intent for the whole machine",
      files,
      intentOf({ madeFor: { ...files, kind: "VmRestore" } }),
      /\(kind differ\)/,
    ],
    [
      "triggers in another order",
      files,
      intentOf({ madeFor: { ...files, triggers: [{ on: "x" }, 1] } }),
      /\(triggers differ\)/,
    ],
    ["fewer paths", files, intentOf({ madeFor: { ...files, paths: ["/a"] } }), /\(paths differ\)/],
    [
      "an intent of another panel",
      target,
      intentOf({ mark: markAt("1", { panel: "https://old" }) }),
      /panel https:\/\/old, and the configured panel is https:\/\/panel\.test/,
    ],
  ];
  for (const [name, wanted, intent, refusal] of table) {
    it(`${name}: ${refusal ? "no" : "yes"}`, () => {
      const permission = requireIntent({ ...requestOf({ target: wanted }), ...(intent && { intent }) }, panelAddress);
      if (refusal === undefined) assert.ok("request" in permission && permission.request.intent === intent);
      else assert.ok("refusal" in permission && refusal.test(permission.refusal), JSON.stringify(permission));
      if ("refusal" in permission)
        assert.match(permission.refusal, /^(file )?restore "web" \(machine 42, recovery point 1007\) was not sent/);
    });
  }
});
