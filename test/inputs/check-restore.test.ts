import assert from "node:assert/strict";
import { checkIntent, checkRestore } from "../../provider/inputs/check-restore";

/** What the engine passes for an unknown string, boolean, number, list, asset, archive and object. */
const unknowns = [
  ...["04da6b54-80e4-46f7-96ec-b56ff0331ba9", "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7"],
  ...["3eeb2bf0-c639-47a8-9e75-3b44932eb421", "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2"],
  ...["030794c1-ac77-496b-92df-f27374a8bd58", "e48ece36-62e2-4504-bad9-02848725956a"],
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
];
const [unknown = ""] = unknowns;
const machine = { virtualMachineId: "42", recoveryPointId: "7" };
const checkVm = (news: unknown) => checkRestore("VmRestore")({}, news);
const checkFiles = (news: unknown) => checkRestore("FileRestore")({}, news);

const upwards = { ...machine, paths: ["/a/../b"] };
const own = {
  ...{ __intent: { mark: 3 }, __behind: [5], __previous: { urn: "a" } },
  ...{ __known: ["5001"], __followed: true, __provider: "text" },
};
const handed = { ...machine, ...own };

describe("the check of a restore's inputs", () => {
  const limits = { busy: 0, run: "1h30m", settle: "0", total: 5 };
  const inSeconds = { run: 5_400, settle: 0 };
  const spellings: readonly [string, unknown, Record<string, unknown>, Record<string, unknown>][] = [
    ["stringifies ids", checkVm, { virtualMachineId: 42, recoveryPointId: 0 }, { ...machine, recoveryPointId: "0" }],
    [
      "converts limits to seconds",
      checkVm,
      { ...machine, timeouts: limits },
      { ...machine, timeouts: { ...limits, ...inSeconds } },
    ],
    ["converts the id in adopt to a string", checkVm, { ...machine, adopt: 5010 }, { ...machine, adopt: "5010" }],
    ["accepts any word in adopt", checkVm, { ...machine, adopt: "/jobs/5" }, { ...machine, adopt: "/jobs/5" }],
    ["drops null", checkVm, { ...machine, triggers: null, timeouts: { run: null } }, { ...machine, timeouts: {} }],
    ["keeps paths with dots", checkFiles, upwards, upwards],
    ["keeps the internal inputs that the resource classes add", checkVm, handed, handed],
  ];
  for (const [what, check, news, inputs] of spellings) {
    it(`${what}, and changes nothing when repeated`, () => {
      for (const given of [news, inputs]) assert.deepEqual((check as typeof checkVm)(given), { inputs, failures: [] });
    });
  }

  it("reports all problems at once, each only once", () => {
    const timeouts = { run: "x", settl: 1 };
    const { failures } = checkFiles({ virtualMachineId: "4 2", paths: ["b"], timeouts, wait: 1 });
    const properties = failures.map((failure) => failure.property).sort();
    assert.equal(properties.join(), "paths,recoveryPointId,timeouts,virtualMachineId,wait");
    const { reason = "" } = failures.find((one) => one.property === "timeouts") ?? {};
    assert.match(reason, /timeouts\.run .*; timeouts has no settl, did you mean/);
  });

  it("leaves unknown values alone, at any depth, and checks all other values", () => {
    for (const placeholder of unknowns) {
      const timeouts = { run: "nonsense", settle: placeholder };
      const news = { virtualMachineId: placeholder, recoveryPointId: "7/", paths: ["b", placeholder], timeouts };
      const { inputs, failures } = checkFiles({ ...news });
      assert.deepEqual(inputs, news);
      assert.equal(failures.map((failure) => failure.property).join(), "recoveryPointId");
      assert.equal(checkFiles({ ...machine, paths: [`${placeholder}x`] }).failures[0]?.property, "paths");
    }
  });
});

describe("the check of a recovery point or rule", () => {
  const choice = { recoveryPointTakenAt: "2026-11-20T02:00:00Z", listed: 2, fitted: 1, warnings: [] };
  const rule = { virtualMachineId: "42", recoveryPoint: "newest" };
  const whole = { virtualMachineId: "42", recoveryPoint: { pick: "newest" } };
  const chosen = { id: "i", choice, madeFor: { recoveryPointId: "7" } };

  for (const [given, stored] of [
    ["newest", { pick: "newest" }],
    [{ pick: null, before: null, within: undefined }, { pick: "newest" }],
    [{ before: "2026-11-20T09:30:00.25Z" }, { pick: "newest", before: "2026-11-20T09:30:00.250Z" }],
    [
      { before: "2026-11-20T10:30:00+01:00", within: "400d", pick: "oldest" },
      { pick: "oldest", before: "2026-11-20T09:30:00Z", within: 400 * 86_400 },
    ],
  ] as const) {
    it(`normalizes the rule ${JSON.stringify(given)} for a restore and its intent, and changes nothing when repeated`, () => {
      for (const check of [checkVm, (news: unknown) => checkIntent({}, news)]) {
        const once = check({ ...rule, recoveryPoint: given });
        assert.deepEqual(once, { inputs: { ...whole, recoveryPoint: stored }, failures: [] });
        assert.deepEqual(check(once.inputs), once);
      }
    });
  }

  it("leaves unknown values alone", () => {
    for (const given of [
      { ...machine, recoveryPoint: unknown },
      { ...rule, recoveryPointId: unknown },
      { ...rule, recoveryPoint: { before: unknown } },
    ]) {
      assert.deepEqual(checkVm(given).failures, []);
    }
  });

  it("uses the point that the intent chose, even if the engine passes an older point", () => {
    const { recoveryPointTakenAt } = choice;
    const inputs = { ...whole, recoveryPointId: "7", recoveryPointTakenAt, __intent: chosen };
    assert.deepEqual(checkVm({ ...rule, __intent: chosen }), { inputs, failures: [] });
    assert.deepEqual(checkVm({ ...inputs, recoveryPointId: "6" }), { inputs, failures: [] });
  });

  it("leaves the point unknown until the intent has chosen one, and leaves it out if the intent chose none", () => {
    const open = { ...whole, __intent: { ...chosen, choice: unknown, madeFor: { recoveryPointId: unknown } } };
    assert.deepEqual(checkVm(open).inputs, { ...open, recoveryPointId: unknown, recoveryPointTakenAt: unknown });
    const none = { ...whole, __intent: { id: "i", madeFor: {} } };
    assert.deepEqual(checkVm(none), { inputs: none, failures: [] });
  });
});
