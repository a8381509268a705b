import assert from "node:assert/strict";
import * as fc from "fast-check";
import { checkIntent, checkRestore } from "../../provider/inputs/check-restore";

const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const machine = { virtualMachineId: "42", recoveryPointId: "7" };
const checkVm = (news: unknown) => checkRestore("VmRestore")({}, news);
const checkFiles = (news: unknown) => checkRestore("FileRestore")({}, news);

describe("check of a restore", () => {
  const spellings: readonly [string, unknown, Record<string, unknown>, Record<string, unknown>][] = [
    [
      "ids to strings",
      checkVm,
      { virtualMachineId: 42, recoveryPointId: 0 },
      { virtualMachineId: "42", recoveryPointId: "0" },
    ],
    [
      "nothing about ids that are strings",
      checkVm,
      { ...machine, virtualMachineId: "a-B_9" },
      { ...machine, virtualMachineId: "a-B_9" },
    ],
    [
      "limits to seconds",
      checkVm,
      { ...machine, timeouts: { busy: 0, run: "1h30m", queue: "90", total: 5 } },
      { ...machine, timeouts: { busy: 0, run: 5400, queue: 90, total: 5 } },
    ],
    ["an id to adopt to a string", checkVm, { ...machine, adopt: 5010 }, { ...machine, adopt: "5010" }],
    [
      "nothing about words and flags",
      checkVm,
      { ...machine, adopt: "never", wait: false, retryFailed: true, captureLog: "always" },
      { ...machine, adopt: "never", wait: false, retryFailed: true, captureLog: "always" },
    ],
    ["null to absent", checkVm, { ...machine, triggers: null, timeouts: { run: null } }, { ...machine, timeouts: {} }],
    [
      "nothing about triggers",
      checkVm,
      { ...machine, triggers: [1, "a", { b: [null] }] },
      { ...machine, triggers: [1, "a", { b: [null] }] },
    ],
    [
      "nothing about paths, their order included",
      checkFiles,
      { ...machine, paths: ["/b c", "/ä", "/"] },
      { ...machine, paths: ["/b c", "/ä", "/"] },
    ],
    [
      "nothing about a path the panel may judge",
      checkFiles,
      { ...machine, paths: ["/a/../b"] },
      { ...machine, paths: ["/a/../b"] },
    ],
    [
      "nothing about the intent and the provider's text",
      checkVm,
      { ...machine, intent: { id: "x", mark: 3 }, __provider: "text" },
      { ...machine, intent: { id: "x", mark: 3 }, __provider: "text" },
    ],
  ];
  for (const [what, check, news, inputs] of spellings) {
    it(`changes ${what}`, () => {
      assert.deepEqual((check as typeof checkVm)(news), { inputs, failures: [] });
    });
  }

  const mistakes: readonly [string, unknown, string, RegExp][] = [
    ["no machine", { recoveryPointId: 7 }, "virtualMachineId", /virtualMachineId is missing/],
    [
      "an id with a slash",
      { ...machine, recoveryPointId: "7/../8" },
      "recoveryPointId",
      /letters, digits, "-" and "_" only/,
    ],
    ...(["virtualMachineId", "recoveryPointId", "adopt"] as const).map((name): [string, unknown, string, RegExp] => [
      `zeros in front of ${name}`,
      { ...machine, [name]: "042" },
      name,
      new RegExp(`^${name} is "042", which the panel takes for 42: write it without leading zeros$`),
    ]),
    ["nothing but zeros", { ...machine, recoveryPointId: "00" }, "recoveryPointId", /takes for 0:/],
    ["an empty id", { ...machine, virtualMachineId: "" }, "virtualMachineId", /is "", which is not an id/],
    [
      "an id too large for a number",
      { ...machine, virtualMachineId: 2 ** 53 },
      "virtualMachineId",
      /write it as a string/,
    ],
    ["a broken id", { ...machine, virtualMachineId: 4.5 }, "virtualMachineId", /is 4.5, which is not an id/],
    ["a negative id", { ...machine, virtualMachineId: -1 }, "virtualMachineId", /is -1, which is not an id/],
    ["an id that is a list", { ...machine, virtualMachineId: [42] }, "virtualMachineId", /is a list/],
    ["triggers that are no list", { ...machine, triggers: "drill" }, "triggers", /give a list/],
    [
      "a duration that is none",
      { ...machine, timeouts: { run: "2 hours" } },
      "timeouts",
      /timeouts\.run is "2 hours", which is not a duration/,
    ],
    [
      "a limit of 0 that is not for busy",
      { ...machine, timeouts: { run: 0 } },
      "timeouts",
      /timeouts\.run is 0, but must be at least 1s/,
    ],
    ["a limit no timer can hold", { ...machine, timeouts: { total: "25d" } }, "timeouts", /at most 24d/],
    [
      "an operation's limit that is none",
      { ...machine, customTimeouts: { create: "soon" } },
      "customTimeouts",
      /customTimeouts\.create is "soon", which is not a duration/,
    ],
    [
      "a misspelt limit",
      { ...machine, timeouts: { queu: 5 } },
      "timeouts",
      /timeouts has no queu, did you mean "queue"\?/,
    ],
    ["a flag in quotes", { ...machine, wait: "true" }, "wait", /without quotes/],
    ["a misspelt word for adopt", { ...machine, adopt: "Auto" }, "adopt", /give "auto", "never" or the id/],
    [
      "a misspelt word for captureLog",
      { ...machine, captureLog: "onfailure" },
      "captureLog",
      /give "onFailure", "always" or "never"/,
    ],
    ["a misspelt input", { ...machine, trigger: [1] }, "trigger", /no input of this name, did you mean "triggers"\?/],
    ["an input out of the blue", { ...machine, colour: "red" }, "colour", /no input of this name$/],
    ["paths for a whole machine", { ...machine, paths: ["/a"] }, "paths", /use a FileRestore/],
    ["an output as input", { ...machine, status: "complete" }, "status", /no input of this name/],
    ["nothing at all", null, "virtualMachineId", /is missing/],
  ];
  for (const [what, news, property, reason] of mistakes) {
    it(`refuses ${what}`, () => {
      const failure = checkVm(news).failures.find((found) => found.property === property);
      assert.match(failure?.reason ?? "no failure", reason);
    });
  }

  const badPaths: readonly [string, unknown, RegExp][] = [
    ["none", undefined, /paths is missing/],
    ["an empty list", [], /at least one/],
    ["a single string", "/etc/hosts", /give a list of paths/],
    ["one without its slash", ["/a", "b"], /paths\[1\] does not start with "\/": "b"/],
    ["one twice", ["/a", "/b", "/a"], /paths\[2\] is given twice: "\/a"/],
    ["one with a line break", ["/a\nb"], /paths\[0\] holds a character that cannot be sent/],
    ["one with half a character", ["/\ud800"], /cannot be sent/],
    [
      "one that would end the engine",
      ["/a", "/b<{%c"],
      /^paths\[1\] contains text that Pulumi reads as a colour.*: name its folder/,
    ],
    ["one that is a number", ["/a", 5], /paths\[1\] is not a string: 5/],
    ["one longer than any file system's", [`/${"a".repeat(40_000)}`], /longer than 32767 characters/],
    ["more than fit a request", Array.from({ length: 10_001 }, (_, at) => `/${String(at)}`), /at most 10000/],
  ];
  for (const [what, paths, reason] of badPaths) {
    it(`refuses ${what} as paths`, () => {
      const { failures } = checkFiles({ ...machine, paths });
      assert.equal(failures.length, 1);
      assert.equal(failures[0]?.property, "paths");
      assert.match(failures[0].reason, reason);
    });
  }

  it("tells everything that is wrong at once, each once", () => {
    const { failures } = checkFiles({
      virtualMachineId: "4 2",
      paths: ["b"],
      timeouts: { run: "x", queu: 1 },
      wait: 1,
    });
    assert.deepEqual(failures.map((failure) => failure.property).sort(), [
      "paths",
      "recoveryPointId",
      "timeouts",
      "virtualMachineId",
      "wait",
    ]);
    assert.match(
      failures.find((one) => one.property === "timeouts")?.reason ?? "",
      /timeouts\.run .*; timeouts has no queu/,
    );
  });

  it("leaves alone what is not known yet, at any depth, and checks the rest", () => {
    const timeouts = { run: "nonsense", queue: "3eeb2bf0-c639-47a8-9e75-3b44932eb421" };
    const { inputs, failures } = checkFiles({
      virtualMachineId: unknown,
      recoveryPointId: "7/",
      paths: ["b", unknown],
      timeouts,
    });
    assert.deepEqual(inputs, { virtualMachineId: unknown, recoveryPointId: "7/", paths: ["b", unknown], timeouts });
    assert.deepEqual(
      failures.map((failure) => failure.property),
      ["recoveryPointId"],
    );
  });

  it("survives any value anywhere, and answers without a single undefined", () => {
    const names = [
      "virtualMachineId",
      "recoveryPointId",
      "paths",
      "triggers",
      "timeouts",
      "wait",
      "adopt",
      "intent",
      "x",
      "__proto__",
    ];
    const anything = fc.oneof(fc.anything(), fc.dictionary(fc.constantFrom("run", "busy", "y"), fc.anything()));
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.dictionary(fc.constantFrom(...names), anything)), (news) => {
        for (const { inputs, failures } of [checkVm(news), checkFiles(news), checkIntent({}, news)]) {
          assert.equal(holdsUndefined(inputs), false);
          const properties = failures.map((failure) => failure.property);
          assert.equal(new Set(properties).size, properties.length);
          assert.ok(failures.every((failure) => failure.reason !== ""));
        }
      }),
    );
  });

  it("changes nothing the second time", () => {
    const limits = fc.record(
      { run: fc.constantFrom<unknown>("90s", 90, "2h", "1.5s"), busy: fc.nat(3600) },
      { requiredKeys: [] },
    );
    const valid = fc.record(
      {
        virtualMachineId: fc.oneof(fc.nat(), fc.stringMatching(/^[a-zA-Z1-9_-][\w-]{0,8}$/)),
        recoveryPointId: fc.nat(),
        paths: fc.uniqueArray(fc.stringMatching(/^\/[a-z/.]{0,9}$/), { minLength: 1 }),
        timeouts: limits,
        adopt: fc.constantFrom<unknown>("auto", "never", 12, "a1"),
      },
      { requiredKeys: ["virtualMachineId", "recoveryPointId", "paths"] },
    );
    fc.assert(
      fc.property(valid, (news) => {
        const once = checkFiles(news);
        assert.deepEqual(once.failures, []);
        assert.deepEqual(checkFiles(once.inputs), once);
      }),
    );
  });
});

describe("check of what is restored from", () => {
  const choice = { recoveryPointTakenAt: "2026-11-20T02:00:00Z", listed: 2, fitted: 1, warnings: [] };
  const rule = { virtualMachineId: "42", recoveryPoint: "newest" };
  const whole = { virtualMachineId: "42", recoveryPoint: { pick: "newest" } };
  const chosen = { id: "i", choice, madeFor: { recoveryPointId: "7" } };

  for (const [given, stored] of [
    ["newest", { pick: "newest" }],
    [{}, { pick: "newest" }],
    [
      { before: "2026-11-20T10:30:00+01:00", within: "7d", pick: "oldest" },
      { pick: "oldest", before: "2026-11-20T09:30:00Z", within: 604_800 },
    ],
  ] as const) {
    it(`writes the rule ${JSON.stringify(given)} in its one form, in the intent too, and not anew the second time`, () => {
      for (const check of [checkVm, (news: unknown) => checkIntent({}, news)]) {
        const once = check({ ...rule, recoveryPoint: given });
        assert.deepEqual(once, { inputs: { ...whole, recoveryPoint: stored }, failures: [] });
        assert.deepEqual(check(once.inputs), once);
      }
    });
  }

  for (const [what, given, reasons] of [
    ["neither", { virtualMachineId: 42 }, [/^recoveryPointId is missing: give it, or a rule in recoveryPoint$/]],
    ["both", { ...machine, ...rule }, [/^recoveryPoint and recoveryPointId are both given: give one of the two$/]],
    [
      "a rule without a zone",
      { ...rule, recoveryPoint: { before: "2026-11-20T09:30:00" } },
      [/^recoveryPoint\.before .*zone/],
    ],
    ["a word", { ...rule, recoveryPoint: "latest" }, [/^recoveryPoint is "latest": give "newest"/]],
    ["a part that there is not", { ...rule, recoveryPoint: { withn: "7d" } }, [/^recoveryPoint has no withn.*within/]],
    ["a time of its own", { ...rule, recoveryPointTakenAt: "2026-11-20T02:00:00Z" }, [/no input of this name/]],
  ] as const) {
    it(`refuses ${what}, by name`, () => {
      const { failures } = checkVm(given);
      assert.equal(failures.length, reasons.length);
      for (const [index, reason] of reasons.entries()) assert.match(failures[index]?.reason ?? "", reason);
    });
  }

  it("leaves alone what is not known yet", () => {
    for (const given of [
      { ...machine, recoveryPoint: unknown },
      { ...rule, recoveryPointId: unknown },
      { ...rule, recoveryPoint: { before: unknown } },
    ]) {
      assert.deepEqual(checkVm(given).failures, []);
    }
  });

  it("takes the point from the intent's choice, also where the engine has put an older one back", () => {
    const inputs = {
      ...whole,
      recoveryPointId: "7",
      recoveryPointTakenAt: choice.recoveryPointTakenAt,
      intent: chosen,
    };
    assert.deepEqual(checkVm({ ...rule, intent: chosen }), { inputs, failures: [] });
    assert.deepEqual(checkVm({ ...inputs, recoveryPointId: "6" }), { inputs, failures: [] });
  });

  it("does not know the point while the choice is not made, and has none where none was", () => {
    const open = { ...whole, intent: { ...chosen, choice: unknown, madeFor: { recoveryPointId: unknown } } };
    assert.deepEqual(checkVm(open).inputs, { ...open, recoveryPointId: unknown, recoveryPointTakenAt: unknown });
    const none = { ...whole, intent: { id: "i", madeFor: {} } };
    assert.deepEqual(checkVm(none), { inputs: none, failures: [] });
  });
});

describe("check of an intent", () => {
  it("writes what it knows the way the restore's check does", () => {
    const news = {
      kind: "FileRestore",
      virtualMachineId: 42,
      recoveryPointId: 7,
      paths: ["/a"],
      triggers: [1],
      timeouts: { run: "2h" },
    };
    const { kind, ...restoreInputs } = news;
    assert.deepEqual(checkIntent({}, news), {
      inputs: { kind, ...checkFiles(restoreInputs).inputs },
      failures: [],
    });
  });

  it("accepts everything, so that an error names the restore", () => {
    const news = { kind: 5, virtualMachineId: "4 2", paths: "b", adopt: [], other: true };
    assert.deepEqual(checkIntent({}, news), { inputs: news, failures: [] });
  });
});

function holdsUndefined(value: unknown): boolean {
  if (value === undefined) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(holdsUndefined);
}
