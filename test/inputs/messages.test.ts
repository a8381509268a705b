import assert from "node:assert/strict";
import { resolve } from "node:path";
import { inspect } from "node:util";
import { checkRestore } from "../../provider/inputs/check-restore";
import type { CheckFailure } from "../../provider/inputs/problems";
import { unknownString } from "../../provider/inputs/read-values";
import { type InputName, inputNames, type RestoreKind } from "../../provider/inputs/restore-table";
import { ConfigurationError, readSettings, settingsWarnings } from "../../provider/inputs/settings";
import { environmentSource, keyedSource } from "../../provider/inputs/settings-sources";
import { type SettingName, settingNames } from "../../provider/inputs/settings-table";
import { readCallArgs } from "../../provider/program/function-args";
import { pointsFunction } from "../../provider/program/get-recovery-points";
import { transactionsFunction } from "../../provider/program/get-transactions";
import { logsFunction } from "../../provider/program/get-vm-logs";
import { withoutSecret } from "../../provider/plugin/custom-resources";
import { pluginSources, settingsNotPassed } from "../../provider/plugin/plugin-sources";
import { assertGolden } from "../support/golden";
import { assertReadable } from "../support/readable";

/** Every message about invalid inputs and settings. The test compiles only if every input and every setting has an entry. */

type Values = readonly unknown[];
/** The lines of each message, keyed by what is wrong. */
type Texts = Readonly<Record<string, readonly string[]>>;

function texts<Value>(values: readonly Value[], read: (value: Value) => readonly string[]): Texts {
  return Object.fromEntries(values.map((value) => [inspect(value, { maxStringLength: 50 }), read(value)]));
}

/** Puts the property's name before each reason that does not already begin with that name. */
function printed(failures: readonly CheckFailure[]): readonly string[] {
  return failures.map(({ property, reason }) =>
    reason.startsWith(`${property} `) ? reason : `${property || "(no property)"}: ${reason}`,
  );
}

const machine = { virtualMachineId: 42, recoveryPointId: 1007 };

function ofRestore(kind: RestoreKind, inputs: object): readonly string[] {
  const whole = kind === "FileRestore" ? { ...machine, paths: ["/etc"] } : machine;
  return printed(checkRestore(kind)({}, { ...whole, ...inputs }).failures);
}

const ids: Values = [
  ...[undefined, "", [42], "00", 4.5, -1, 2 ** 60, { id: 42 }, "0042"],
  ...["4/2", "42\r\nHost: elsewhere", "42\n", "..", "４２", "1".repeat(129)],
];
const flags: Values = ["yes", "true"];
const paths = (count: number, pathAt: (place: number) => string): readonly string[] =>
  Array.from({ length: count }, (_, place) => pathAt(place));

const restoreInputs: Readonly<Record<InputName, Values>> = {
  virtualMachineId: ids,
  recoveryPointId: ids,
  recoveryPoint: [
    // If a point is set too, even a valid rule is wrong.
    ...["newest", "oldest", 7, "latest", ["newest"], new Date(0)],
    ...[{ befor: "2026-11-20T02:00:00Z" }, { after: "x" }, { pick: "latest" }],
    ...["2026-11-20", "2026-11-20T09:30:00", "2026-13-20T09:30:00Z", 5].map((before) => ({ before })),
    ...["a week", 0, "4000d"].map((within) => ({ within })),
  ],
  paths: [
    ...[undefined, "/etc/hosts", [], ["/a", 5], ["etc/hosts"], ["/a", "/a"], [`/${"x".repeat(40_000)}`]],
    paths(10_001, (place) => `/${String(place)}`),
    paths(100, (place) => `/${String(place)}${"x".repeat(30_000)}`),
    paths(1_000, (place) => `/${String(place)}/`.padEnd(1_200, "é")),
    // A control character, half a surrogate pair, a color tag and half a color tag.
    ...[["/a\n"], ["/\ud800"], ["/a<{%reset%}>"], ["/a", "/b<{%c"]],
  ],
  triggers: ["2026-11-drill", ["x".repeat(1_000_001)], [Array.from({ length: 100_000 }, () => true)]],
  timeouts: ["2h", { bussy: "1h" }, { run: "2 hours" }, { run: 0 }, { run: "25d" }, { run: "soon", settle: -1 }],
  wait: flags,
  adopt: ["task 12", `${"x".repeat(128)}1`, 1.5, {}],
  retryFailed: flags,
  captureLog: ["onfailure"],
  customTimeouts: ["2h", { create: "1.5h" }],
};

function settingProblems(
  values: Partial<Record<SettingName, string>>,
  environment: Record<string, string> = {},
): readonly string[] {
  const given: Partial<Record<SettingName, string>> = {
    endpoint: "https://panel.example",
    username: "ops",
    password: "s3cret",
    ...values,
  };
  const source = keyedSource("the stack's configuration", (key) => given[key.split(":")[1] as SettingName]);
  try {
    readSettings([source, environmentSource(environment)]);
    return [];
  } catch (error) {
    assert.ok(error instanceof ConfigurationError);
    return (error.parts.lines ?? []).map((line) => line.replace(resolve("gone.pem"), "/project/gone.pem"));
  }
}

const settings: Readonly<Record<SettingName, readonly string[]>> = {
  endpoint: [
    ...["", "panel.example", "https://", "ftp://panel.example", "panel.example:443"],
    ...["https://ops:s3cret@panel.example", "https://s3cret@panel.example"],
    ...["https://panel.example/?a=1", "https://panel.example/#top"],
  ],
  allowedMachines: ["", "  ", "[42", "42,,43", "41-42 43", "042", "[null]", "[12345678901234567890]"],
  username: ["", "a:b", "ops\n"],
  password: ["", "s3cret\n"],
  format: ["yaml"],
  apiVersion: ["newest"],
  caFile: ["gone.pem"],
  insecure: ["yes", "1", "TRUE!"],
  requestTimeout: ["soon", "0", "2h"],
  pageSize: ["many", "0", "10001", "1.5"],
  maxConcurrent: ["0", "-1"],
  restoreActions: ['["a", 1]', "[a"],
  completeStatuses: ["[a", "done,in-progress", "canceled"],
  failedStatuses: ["[a", "error,complete", "error,Canceled"],
  fields: [
    ...["{id: number}", '["id"]', '{"ids":"number"}', '{"machine":7}', '{"machine":"target..id"}'],
    ...['{"status":[]}', '{"id":["a","b"]}', "ids=number", "id=a,b", "status=", "id = number status"],
  ],
  pointStates: ["[a"],
};

function messageOf(run: () => unknown): readonly string[] {
  try {
    run();
    return [];
  } catch (error) {
    return (error instanceof Error ? error.message : String(error)).split("\n");
  }
}

const paging: readonly object[] = [
  ...[0, -1, 1.5, "2"].map((page) => ({ page })),
  ...[0, 10_001, 2.5].map((perPage) => ({ perPage })),
  ...[0, -5, Number.POSITIVE_INFINITY].map((limit) => ({ limit })),
  ...[
    { limit: 5, page: 1 },
    { page: 0, perPage: 0, limit: 0 },
  ],
];
const window: readonly object[] = [
  ...["2026-11-20T09:30:00", 5].map((before) => ({ before })),
  ...["a week", 0].map((within) => ({ within })),
];

const lists: Readonly<Record<string, Texts>> = {
  ...Object.fromEntries(
    inputNames.map((name) => [
      name,
      texts(restoreInputs[name], (value) =>
        ofRestore(name === "paths" ? "FileRestore" : "VmRestore", { [name]: value }),
      ),
    ]),
  ),
  "an input that does not exist": texts(
    [
      ...[{ timeout: "1h" }, { colour: "red" }, { paths: ["/"] }, { status: "complete" }],
      { recoveryPointTakenAt: "2026-11-20T02:00:00Z" },
    ],
    (inputs) => ofRestore("VmRestore", inputs),
  ),
  "a previous restore that is not waited for": {
    "": ofRestore("VmRestore", { __previous: { urn: "urn:pulumi:s::p::t::web", wait: false } }),
  },
  "neither a point nor a rule": { "": ofRestore("VmRestore", { recoveryPointId: undefined }) },
  "no input at all": { "": printed(checkRestore("VmRestore")({}, null).failures) },
  ...Object.fromEntries(
    settingNames.map((name) => [
      `recovery:${name}`,
      texts(settings[name], (value) => settingProblems({ [name]: value })),
    ]),
  ),
  "no setting at all": { "": settingProblems({ endpoint: "", username: "", password: "" }) },
  "invalid settings in two places, and a missing setting": {
    "": settingProblems(
      { endpoint: "panel.example", username: "", password: "" },
      {
        RECOVERY_USERNAME: "ops",
        RECOVERY_INSECURE: "yes",
      },
    ),
  },
  "a word in both status lists": {
    "": settingProblems({ completeStatuses: "shut off", failedStatuses: "Shut_OFF" }),
  },
  "several settings in one error": texts(
    [["recovery:username is not set"], ["recovery:username is not set", "recovery:password is not set"]],
    (problems) => new ConfigurationError(problems).message.split("\n"),
  ),
  "a provider setting in another language": {
    "not passed to the plugin": messageOf(() => settingsNotPassed[0]?.read("endpoint")),
    "not known yet": messageOf(() => pluginSources({ endpoint: unknownString }, {})[0]?.read("endpoint")),
  },
  "a warning about settings": texts(
    [
      { endpoint: "http://panel.example", insecure: false },
      { endpoint: "http://127.0.0.1.example", insecure: false },
      { endpoint: "https://panel.example", insecure: true },
    ],
    settingsWarnings,
  ),
  "an argument to getTransactions": texts(
    [...paging, { detailed: "no" }],
    (args) => readCallArgs(transactionsFunction, args).problems,
  ),
  "an argument to getVmLogs": {
    ...texts(ids, (virtualMachineId) => readCallArgs(logsFunction, { virtualMachineId }).problems),
    ...texts(paging, (args) => readCallArgs(logsFunction, { virtualMachineId: 42, ...args }).problems),
  },
  "an argument to getRecoveryPoints": {
    ...texts(ids, (virtualMachineId) => readCallArgs(pointsFunction, { virtualMachineId }).problems),
    ...texts(window, (args) => readCallArgs(pointsFunction, { virtualMachineId: 42, ...args }).problems),
  },
  "a secret in another language": {
    "": printed([withoutSecret({ property: "adopt", reason: "adopt is s3cret" }, new Set(["adopt"]))]),
  },
};

describe("a message about inputs and settings", () => {
  for (const [list, cases] of Object.entries(lists))
    it(`is short, shows no secret and names the problem: ${list}`, () => {
      for (const [name, lines] of Object.entries(cases)) {
        assert.ok(lines.length > 0, name);
        for (const line of lines) {
          assertReadable(line);
          assert.doesNotMatch(line, /s3cret|NaN|\[object|undefined/, name);
          if (list in restoreInputs || list.startsWith("recovery:")) assert.ok(line.includes(list), line);
        }
      }
      assertGolden("inputs.txt", list, Object.values(cases).flat().join("\n"));
    });
});
