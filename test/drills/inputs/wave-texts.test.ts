import assert from "node:assert/strict";
import { wavePartsOf } from "../../../drills/inputs/wave-texts";
import { omit } from "../../../provider/plain/plain";

const wave = (restores: Readonly<Record<string, unknown>>, masked?: Readonly<Record<string, unknown>>) =>
  wavePartsOf({ name: "data", path: "waves[0].restores", restores }, masked);
const ids = { virtualMachineId: 42, recoveryPointId: "7" };

describe("a wave's text inputs", () => {
  it("are identical for all spellings of the same restore", () => {
    const rule = { before: "2026-11-20T10:30:00+01:00", within: "7d" };
    const one = { virtualMachineId: 42, recoveryPoint: rule, paths: ["/b", "/a"], triggers: [] };
    const other = {
      virtualMachineId: "42",
      recoveryPoint: { before: "2026-11-20T09:30:00Z", within: 604_800, pick: "newest" },
      paths: ["/a", "/b"],
    };
    assert.deepEqual(wave({ db: one }).parts.forms, wave({ db: other }).parts.forms);
    assert.deepEqual(wave({ db: one }).parts.forms["db"], {
      machine: "42",
      point: { pick: "newest", before: "2026-11-20T09:30:00Z", within: 604_800 },
      paths: ["/a", "/b"],
    });
  });

  it("use a check's name, or its kind and host if it has none, and make each name unique", () => {
    const checks = [
      { http: "https://shop.example.com/a?key=1" },
      { http: "https://shop.example.com/b", name: "shop" },
      { http: "https://shop.example.com/c", within: "1m" },
      { tcp: "10.0.0.43:5432" },
      { command: ["psql"] },
      { command: ["psql"] },
    ];
    const { parts } = wave({ db: { ...ids, checks } });
    const host = "shop.example.com";
    const names = `http ${host},shop,http ${host} (2),tcp 10.0.0.43,command,command (2)`;
    const shown = parts.shown.restores["db"]!.checks;
    assert.equal(new Set(shown.map(({ asks }) => asks)).size, 6, "checks that send the same request are kept apart");
    for (const checks of [shown, parts.options["db"]!.checks!])
      assert.equal(checks.map(({ name }) => name).join(), names);
    assert.deepEqual(omit(shown[2]!, "asks"), { name: `http ${host} (2)`, kind: "http", host, withinSeconds: 60 });
  });

  it("show nothing that the program marks as secret, such as triggers or a check's host", () => {
    const secret = { ...ids, triggers: ["canary"], checks: [{ tcp: "canary:1" }, { http: "https://canary/" }] };
    const masked = { ...ids, triggers: ["[secret]"], checks: [{ tcp: "[secret]" }, { http: "[secret]" }] };
    const { parts } = wave({ db: secret }, { db: masked });
    assert.doesNotMatch(JSON.stringify([parts.forms, parts.shown]), /canary/);
    assert.equal(parts.shown.restores["db"]?.checks.map(({ name }) => name).join(), "tcp,http");
    const again = wave({ db: { ...secret, triggers: ["canary 2"] } }, { db: masked });
    assert.notDeepEqual(again.parts.forms, parts.forms, "changing a secret trigger restores again");
  });

  it("are empty if a value that was unknown at first turns out to be invalid, and the problem quotes the value", () => {
    const { parts, problems } = wave({ db: { ...ids, virtualMachineId: "a b" } });
    assert.match(problems[0]!.reason, /^waves\[0\]\.restores\.db\.virtualMachineId is "a b"/);
    assert.deepEqual(parts.forms, {});
  });
});
