import assert from "node:assert/strict";
import { checkRestore } from "../../provider/inputs/check-restore";
import type { CheckFailure } from "../../provider/inputs/problems";
import { unknownString } from "../../provider/inputs/read-values";
import { type InputName, inputNames, type RestoreKind } from "../../provider/inputs/restore-table";
import { ConfigurationError, readSettings, settingsWarnings } from "../../provider/inputs/settings";
import { environmentSource, keyedSource } from "../../provider/inputs/settings-sources";
import { type SettingName, settingNames } from "../../provider/inputs/settings-table";
import { pointsFunction } from "../../provider/program/get-recovery-points";
import { transactionsFunction } from "../../provider/program/get-transactions";
import { logsFunction } from "../../provider/program/get-vm-logs";
import { withoutSecret } from "../../provider/plugin/custom-resources";
import { pluginSources, settingsNotPassed } from "../../provider/plugin/plugin-sources";
import { assertReadable } from "../support/readable";

/** Every message about inputs and settings, keyed by its case. The test compiles only if every input and every setting has an entry. */

type Texts = Readonly<Record<string, readonly string[]>>;

function texts<Value>(cases: Readonly<Record<string, Value>>, read: (value: Value) => readonly string[]): Texts {
  return Object.fromEntries(Object.entries(cases).map(([name, value]) => [name, read(value)]));
}

/** Puts the property before a reason that does not begin with it. */
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

type Cases = Readonly<Record<string, unknown>>;

const ids: Cases = {
  missing: undefined,
  "not an id": "4/2",
  empty: "",
  "a list": [42],
  "only zeros": "00",
  "a fraction": 4.5,
  negative: -1,
  "too large a number": 2 ** 60,
  "an object": { id: 42 },
  "leading zeros": "0042",
};

const flags: Cases = { "a text": "yes", "in quotes": "true" };

const restoreInputs: Readonly<Record<InputName, Cases>> = {
  virtualMachineId: ids,
  recoveryPointId: ids,
  recoveryPoint: {
    "beside a point": "newest",
    "a pick alone": "oldest",
    "not a rule": 7,
    "another word": "latest",
    "a list": ["newest"],
    "an object of another kind": new Date(0),
    "an unknown part": { befor: "2026-11-20T02:00:00Z" },
    "an unknown part, like none": { after: "x" },
    "not a pick": { pick: "latest" },
    "a day without a time": { before: "2026-11-20" },
    "a time without a zone": { before: "2026-11-20T09:30:00" },
    "a month that does not exist": { before: "2026-13-20T09:30:00Z" },
    "a number for a time": { before: 5 },
    "not a span": { within: "a week" },
    "no time at all": { within: 0 },
    "too long a span": { within: "4000d" },
  },
  paths: {
    missing: undefined,
    "not a list": "/etc/hosts",
    empty: [],
    "too many": Array.from({ length: 10_001 }, (_, index) => `/${String(index)}`),
    "too much": Array.from({ length: 100 }, (_, index) => `/${String(index)}${"x".repeat(30_000)}`),
    "too much, in bytes": Array.from({ length: 1_000 }, (_, index) => `/${String(index)}/`.padEnd(1_200, "é")),
    "not a string": ["/a", 5],
    relative: ["etc/hosts"],
    twice: ["/a", "/a"],
    "too long": [`/${"x".repeat(40_000)}`],
    "a control character": ["/a\n"],
    "half a character": ["/\ud800"],
    "a colour": ["/a<{%reset%}>"],
    "half a colour": ["/a", "/b<{%c"],
  },
  triggers: {
    "not a list": "2026-11-drill",
    "too much": ["x".repeat(1_000_001)],
    "too many": [Array.from({ length: 100_000 }, () => true)],
  },
  timeouts: {
    "not an object": "2h",
    "an unknown limit": { bussy: "1h" },
    "not a duration": { run: "2 hours" },
    "too short": { run: 0 },
    "too long": { run: "25d" },
    "several at once": { run: "soon", settle: -1 },
  },
  wait: flags,
  adopt: {
    "a space": "task 12",
    "a path": "/tasks/12",
    "too long": `${"x".repeat(128)}1`,
    "a fraction": 1.5,
    "an object": {},
  },
  retryFailed: flags,
  captureLog: { "another word": "onfailure" },
  customTimeouts: { "not an object": "2h", "not a duration": { create: "soon" } },
};

function settingProblems(
  values: Partial<Record<SettingName, string>>,
  problem?: string,
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
    readSettings([source, environmentSource(environment)], () => problem);
    return [];
  } catch (error) {
    assert.ok(error instanceof ConfigurationError);
    return [...error.problems];
  }
}

const settings: Readonly<Record<SettingName, Readonly<Record<string, string>>>> = {
  endpoint: {
    missing: "",
    "not an address": "panel.example",
    "no host": "https://",
    "another scheme": "ftp://panel.example",
    "a name for a scheme": "panel.example:443",
    "with a password": "https://ops:s3cret@panel.example",
    "with a query": "https://panel.example/?a=1",
    "with a fragment": "https://panel.example/#top",
  },
  allowedMachines: {
    "an empty text": "",
    blanks: "  ",
    "not a list": "[42",
    "not an id": "42,,43",
    "a range": "41-42 43",
    "leading zeros": "042",
    "not a text": "[null]",
    "too large": "[12345678901234567890]",
  },
  username: { missing: "", "a colon": "a:b", "a line break": "ops\n" },
  password: { missing: "", "a line break": "s3cret\n" },
  format: { "another word": "yaml" },
  apiVersion: { "not a version": "newest" },
  caFile: { "no such file": "gone.pem" },
  insecure: { "another word": "yes", "a number": "1", "more than a word": "TRUE!" },
  requestTimeout: { "not a duration": "soon", "too short": "0", "too long": "2h" },
  pageSize: { "not a number": "many", zero: "0", "too large": "10001", "a fraction": "1.5" },
  maxConcurrent: { zero: "0", negative: "-1" },
  restoreActions: { "not a list": '["a", 1]', "half a list": "[a" },
  completeStatuses: { "not a list": "[a", "a fixed word": "done,in-progress", "another fixed word": "canceled" },
  failedStatuses: { "not a list": "[a", "a fixed word": "error,complete", "another fixed word": "error,Canceled" },
  fields: {
    "not JSON": "{id: number}",
    "not an object": '["id"]',
    "another key": '{"ids":"number"}',
    "not a path": '{"machine":7}',
    "a path with nothing between two dots": '{"machine":"target..id"}',
    "an empty list": '{"status":[]}',
    "several ids": '{"id":["a","b"]}',
  },
  pointStates: { "not a list": "[a" },
};

function messageOf(run: () => unknown): readonly string[] {
  try {
    run();
    return [];
  } catch (error) {
    return (error instanceof Error ? error.message : String(error)).split("\n");
  }
}

const paging: Cases = {
  "page 0": { page: 0 },
  "a page below 0": { page: -1 },
  "half a page": { page: 1.5 },
  "a page as a text": { page: "2" },
  "no rows on a page": { perPage: 0 },
  "too many rows on a page": { perPage: 10_001 },
  "half a row on a page": { perPage: 2.5 },
  "no rows": { limit: 0 },
  "fewer rows than none": { limit: -5 },
  "rows without an end": { limit: Number.POSITIVE_INFINITY },
  "a page beside a limit": { limit: 5, page: 1 },
  "all of it": { page: 0, perPage: 0, limit: 0 },
};

const window: Cases = {
  "a time without a zone": { before: "2026-11-20T09:30:00" },
  "no time": { before: 5 },
  "not a span": { within: "a week" },
  "no time at all": { within: 0 },
};

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
    {
      "like another one": { timeout: "1h" },
      "like none": { colour: "red" },
      "files of a whole machine": { paths: ["/"] },
      "an output": { status: "complete" },
      "the time that a rule's point was taken": { recoveryPointTakenAt: "2026-11-20T02:00:00Z" },
    },
    (inputs) => ofRestore("VmRestore", inputs),
  ),
  "a previous restore that is not waited for": {
    "": ofRestore("VmRestore", { __previous: { urn: "urn:pulumi:s::p::t::web", wait: false } }),
  },
  "neither point nor rule": { "": ofRestore("VmRestore", { recoveryPointId: undefined }) },
  "no input at all": { "": printed(checkRestore("VmRestore")({}, null).failures) },
  ...Object.fromEntries(
    settingNames.map((name) => [
      `recovery:${name}`,
      texts(settings[name], (value) =>
        settingProblems(
          { [name]: value },
          name === "caFile" ? "names /project/gone.pem, which cannot be read" : undefined,
        ),
      ),
    ]),
  ),
  "no setting at all": { "": settingProblems({ endpoint: "", username: "", password: "" }) },
  "invalid settings in two places, and a missing setting": {
    "": settingProblems({ endpoint: "panel.example", username: "", password: "" }, undefined, {
      RECOVERY_USERNAME: "ops",
      RECOVERY_INSECURE: "yes",
    }),
  },
  "a word in both status lists": {
    "": settingProblems({ completeStatuses: "shut off", failedStatuses: "Shut_OFF" }),
  },
  "several settings in one error": {
    "one of them": new ConfigurationError(["recovery:username is not set"]).message.split("\n"),
    "two of them": new ConfigurationError([
      "recovery:username is not set",
      "recovery:password is not set",
    ]).message.split("\n"),
    "not passed to the plugin": messageOf(() => settingsNotPassed[0]?.read("endpoint")),
    "not known yet": messageOf(() => pluginSources({ endpoint: unknownString }, {})[0]?.read("endpoint")),
  },
  "a warning about settings": {
    "plain http": settingsWarnings({ endpoint: "http://panel.example", insecure: false }),
    "plain http, to a name that begins like this machine's": settingsWarnings({
      endpoint: "http://127.0.0.1.example",
      insecure: false,
    }),
    "not verified": settingsWarnings({ endpoint: "https://panel.example", insecure: true }),
    "not verified, beside a file": settingsWarnings({
      endpoint: "https://panel.example",
      insecure: true,
      caFile: "/ca.pem",
    }),
  },
  "an argument to getTransactions": texts({ ...paging, "not a flag": { detailed: "no" } }, (args) =>
    transactionsFunction.problems(args as never),
  ),
  "an argument to getVmLogs": {
    ...texts(ids, (virtualMachineId) => logsFunction.problems({ virtualMachineId } as never)),
    ...texts(paging, (args) => logsFunction.problems({ virtualMachineId: 42, ...(args as object) })),
  },
  "an argument to getRecoveryPoints": {
    ...texts(ids, (virtualMachineId) => pointsFunction.problems({ virtualMachineId } as never)),
    ...texts(window, (args) => pointsFunction.problems({ virtualMachineId: 42, ...(args as object) })),
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
    });
});
