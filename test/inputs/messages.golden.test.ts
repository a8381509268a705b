import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createOperations } from "../../provider/engine";
import { createProviderProcess, type ProviderProcess } from "../../provider/engine/process";
import { readWave } from "../../provider/engine/read-wave";
import { checkRestore } from "../../provider/inputs/check-restore";
import { type CheckFailure, Problems } from "../../provider/inputs/problems";
import { readPlan } from "../../provider/inputs/read-plan";
import { unknownString } from "../../provider/inputs/read-values";
import { resourceTypes } from "../../provider/inputs/resource-names";
import { type InputName, inputNames, type RestoreKind } from "../../provider/inputs/restore-table";
import { ConfigurationError, readSettings, settingsWarnings } from "../../provider/inputs/settings";
import { environmentSource, keyedSource } from "../../provider/inputs/settings-sources";
import { type SettingName, settingNames } from "../../provider/inputs/settings-table";
import type { Properties } from "../../provider/plain/plain";
import { pointsFunction } from "../../provider/program/get-recovery-points";
import { transactionsFunction } from "../../provider/program/get-transactions";
import { logsFunction } from "../../provider/program/get-vm-logs";
import { withoutSecret } from "../../provider/plugin/custom-resources";
import { pluginSources, settingsNotPassed } from "../../provider/plugin/plugin-sources";

/**
 * Every text about inputs, settings, plans and checks, by the case that has it: `messages.golden.txt` is read as a whole. Every input and every
 * setting has an entry, or the test does not compile. `UPDATE_GOLDEN=yes` writes the file anew.
 */
const golden = join(__dirname, "messages.golden.txt");

type Texts = Readonly<Record<string, readonly string[]>>;

function texts<Value>(cases: Readonly<Record<string, Value>>, read: (value: Value) => readonly string[]): Texts {
  return Object.fromEntries(Object.entries(cases).map(([name, value]) => [name, read(value)]));
}

/** A reason begins with its property, or the property stands before it. */
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
  "no id": "4/2",
  empty: "",
  "a list": [42],
  "zeros alone": "00",
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
    "no rule": 7,
    "another word": "latest",
    "a list": ["newest"],
    "an object of another kind": new Date(0),
    "an unknown part": { befor: "2026-11-20T02:00:00Z" },
    "an unknown part, like none": { after: "x" },
    "no pick": { pick: "latest" },
    "a day without a time": { before: "2026-11-20" },
    "a time without a zone": { before: "2026-11-20T09:30:00" },
    "a month that there is not": { before: "2026-13-20T09:30:00Z" },
    "a number for a time": { before: 5 },
    "no span": { within: "a week" },
    "no time at all": { within: 0 },
    "too long a span": { within: "4000d" },
  },
  paths: {
    missing: undefined,
    "no list": "/etc/hosts",
    empty: [],
    "too many": Array.from({ length: 10_001 }, (_, index) => `/${String(index)}`),
    "too much": Array.from({ length: 100 }, (_, index) => `/${String(index)}${"x".repeat(30_000)}`),
    "too much, in bytes": Array.from({ length: 1_000 }, (_, index) => `/${String(index)}/`.padEnd(1_200, "é")),
    "no text": ["/a", 5],
    relative: ["etc/hosts"],
    twice: ["/a", "/a"],
    "too long": [`/${"x".repeat(40_000)}`],
    "a control character": ["/a\n"],
    "half a character": ["/\ud800"],
    "a colour": ["/a<{%reset%}>"],
    "half a colour": ["/a", "/b<{%c"],
  },
  triggers: {
    "no list": "2026-11-drill",
    "too much": ["x".repeat(1_000_001)],
    "too many": [Array.from({ length: 100_000 }, () => true)],
  },
  timeouts: {
    "no object": "2h",
    "an unknown limit": { bussy: "1h" },
    "no duration": { run: "2 hours" },
    "too short": { run: 0 },
    "too long": { run: "25d" },
    "several at once": { run: "soon", queue: -1 },
  },
  wait: flags,
  adopt: { "a word": "always", "another case": "Auto", "leading zeros": "0042", "an object": {} },
  retryFailed: flags,
  captureLog: { "another word": "onfailure" },
  customTimeouts: { "no object": "2h", "no duration": { create: "soon" } },
};

function settingProblems(values: Partial<Record<SettingName, string>>, problem?: string): readonly string[] {
  const given: Partial<Record<SettingName, string>> = {
    endpoint: "https://panel.example",
    username: "ops",
    password: "s3cret",
    ...values,
  };
  const source = keyedSource("the stack's configuration", (key) => given[key.split(":")[1] as SettingName]);
  try {
    readSettings([source, environmentSource({})], () => problem);
    return [];
  } catch (error) {
    assert.ok(error instanceof ConfigurationError);
    return [...error.problems];
  }
}

const settings: Readonly<Record<SettingName, Readonly<Record<string, string>>>> = {
  endpoint: {
    missing: "",
    "no address": "panel.example",
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
    "no list": "[42",
    "no id": "42,,43",
    "a range": "41-42 43",
    "leading zeros": "042",
    "not a text": "[null]",
    "too large": "[12345678901234567890]",
  },
  username: { missing: "", "a colon": "a:b", "a line break": "ops\n" },
  password: { missing: "", "a line break": "s3cret\n" },
  format: { "another word": "yaml" },
  apiVersion: { "no version": "newest" },
  caFile: { "no such file": "gone.pem" },
  insecure: { "another word": "yes", "a number": "1", "more than a word": "TRUE!" },
  requestTimeout: { "no duration": "soon", "too short": "0", "too long": "2h" },
  pageSize: { "no number": "many", zero: "0", "too large": "10001", "a fraction": "1.5" },
  maxConcurrent: { zero: "0", negative: "-1" },
  restoreActions: { "no list": '["a", 1]', "half a list": "[a" },
  completeStatuses: { "no list": "[a", "a fixed word": "done,Running", "another fixed word": "canceled" },
  failedStatuses: { "no list": "[a", "a fixed word": "error,complete", "another fixed word": "error,Canceled" },
  adoptWindow: { negative: "-1s" },
  pointStates: { "no list": "[a" },
};

function messageOf(run: () => unknown): readonly string[] {
  try {
    run();
    return [];
  } catch (error) {
    return (error instanceof Error ? error.message : String(error)).split("\n");
  }
}

const restore = { ...machine, checks: [{ tcp: "10.0.0.43:5432" }] };
const plan = { run: "2026-11-drill", waves: [{ name: "data", restores: { db: restore } }] };

const unknown = (value: unknown): boolean => value === unknownString;

function ofPlan(args: unknown): readonly string[] {
  const problems = new Problems();
  readPlan(args, { isUnknown: unknown, problems });
  return printed(problems.all);
}

const withWave = (wave: unknown): object => ({ ...plan, waves: [wave] });
const withRestores = (restores: unknown): object => withWave({ name: "data", restores });
const withRestore = (more: object): object => withRestores({ db: { ...restore, ...more } });

const plans: Cases = {
  missing: undefined,
  "no object": [],
  "an object of another kind": new Map(),
  "an unknown property": { ...plan, wave: [] },
  "an unknown property, like none": { ...plan, colour: "red" },
  "no run": { ...plan, run: undefined },
  "an empty run": { ...plan, run: " " },
  "too long a run": { ...plan, run: "x".repeat(201) },
  "a control character": { ...plan, run: "a\nb" },
  "another kind": { ...plan, kind: "test" },
  "another word": { ...plan, onFailure: "go on" },
  "no time": { ...plan, incidentAt: "yesterday" },
  "an unknown note": { ...plan, notes: { author: "ops" } },
  "a note that is no text": { ...plan, notes: { owner: 7 } },
  "a goal that is no duration": { ...plan, goals: { recoveryTime: "soon" } },
  "a goal of the whole plan only": { ...plan, wholeGoals: { dataAge: "1h" } },
  // Its properties cannot be read, so a goal would be ignored.
  "goals as a map": { ...plan, goals: new Map([["recoveryTime", "1h"]]) },
  "goals of a restore as a date": withRestore({ goals: new Date() }),
  "a goal of a restore": withRestore({ goals: { recoveryTime: "soon" } }),
  "goals that are not known": { ...plan, goals: unknownString },
  "a goal that is not known": { ...plan, goals: { dataAge: unknownString } },
  "no waves": { ...plan, waves: undefined },
  "empty waves": { ...plan, waves: [] },
  "waves that are not known": { ...plan, waves: unknownString },
  "a wave that is not known": withWave(unknownString),
  "a wave without a name": withWave({ restores: { db: restore } }),
  "a wave whose name is no name": withWave({ name: "-data", restores: { db: restore } }),
  "a wave whose name cannot be written out": withWave({ name: { toString: 0 }, restores: {} }),
  "a restore whose name is no name": withRestores({ "a::b": restore }),
  "names of every object": withRestores(
    Object.fromEntries(["constructor", "toString", "valueOf", "hasOwnProperty"].map((name) => [name, restore])),
  ),
  "a prototype": withRestores(JSON.parse('{"__proto__": {}}')),
  "a name that is taken": {
    ...plan,
    waves: [
      { name: "data", restores: { db: restore } },
      { name: "Data", restores: { DB: restore } },
    ],
  },
  "resources between waves, in another language": withWave({
    name: "data",
    restores: { db: restore },
    dependsOn: "dns",
  }),
  "restores as a list": withRestores([restore]),
  "restores as a map": withRestores(new Map([["db", restore]])),
  "a restore that is not known": withRestores({ db: unknownString }),
  "a restore that waits": withRestore({ wait: false }),
  "a restore without a point": withRestore({ recoveryPointId: undefined }),
  "a point beside a rule": withRestore({ recoveryPoint: "newest" }),
  "a time beside a rule": withRestore({
    recoveryPointId: undefined,
    recoveryPoint: "newest",
    recoveryPointTakenAt: "2026-11-20T02:00:00Z",
  }),
  "a time without a zone": withRestore({ recoveryPointTakenAt: "2026-11-20 02:00" }),
  "a day that no month has": withRestore({ recoveryPointTakenAt: "2026-02-31T02:00:00Z" }),
  "an unknown input": withRestore({ trigger: [] }),
  "an id of a restore": withRestore({ virtualMachineId: "a/b" }),
  "an input of a restore": withRestore({ timeouts: { run: "soon" } }),
  "paths of a restore": withRestore({ paths: ["etc"] }),
  "checks as an object": withRestore({ checks: { tcp: "a:1" } }),
  "too many checks": withRestore({ checks: Array.from({ length: 21 }, () => ({ tcp: "a:1" })) }),
  "checks that are not known": withRestore({ checks: unknownString }),
  "a check that is not known": withRestore({ checks: [unknownString] }),
};

const checks: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  check: {
    "no kind": { every: "5s" },
    "an empty name": { tcp: "web:443", name: "" },
    "too long a name": { tcp: "web:443", name: "x".repeat(101) },
    "two kinds": { http: "https://web", tcp: "web:443" },
    "an option of another kind": { tcp: "web:443", status: 200 },
    "an unknown property": { htpp: "https://web" },
    "no duration": { tcp: "web:443", every: "often" },
    "no pause between two tries": { tcp: "web:443", every: 0 },
    "no time at all": { tcp: "web:443", within: 0 },
    "a negative pause": { tcp: "web:443", after: -1 },
  },
  "http check": {
    "no address": { http: "web" },
    "another scheme": { http: "ftp://web" },
    "an address with a password": { http: "https://ops:s3cret@web" },
    "half a character in the address": { http: "https://web/\ud800" },
    "no status": { http: "https://web", status: "ok" },
    "a number that is no status": { http: "https://web", status: 42 },
    "no statuses": { http: "https://web", status: [] },
    "no text": { http: "https://web", contains: 7 },
    "too long a text": { http: "https://web", contains: "x".repeat(10_001) },
    "half a character": { http: "https://web", contains: "half \ud83d" },
    "headers that are no object": { http: "https://web", headers: "a: b" },
    "headers as a map": { http: "https://web", headers: new Map([["a", "b"]]) },
    "no name of a header": { http: "https://web", headers: { "a b": "c" } },
    "a header that is no text": { http: "https://web", headers: { a: 7 } },
    "a header's character": { http: "https://web", headers: { a: "Bearer s3cret\u0007" } },
    "a header more in one": { http: "https://web", headers: { a: "s3cret\r\nc: d" } },
    "a file without a folder": { http: "https://web", caFile: "ca.pem" },
    "no file": { http: "https://web", caFile: "" },
  },
  "tcp check": {
    "no port": { tcp: "web" },
    "a port that is none": { tcp: "web:70000" },
    "port 0": { tcp: "web:0" },
  },
  "command check": {
    "no list": { command: "psql -w s3cret" },
    empty: { command: [] },
    "no text": { command: ["ssh", 7] },
    "an empty command": { command: [" "] },
    "a null character": { command: ["a\0b"] },
    "half a character": { command: ["half \ud83d"] },
    "no name of a variable": { command: ["true"], env: { "a=b": "c" } },
    "a variable that is no text": { command: ["true"], env: { A: 7 } },
    "a variable with a null character": { command: ["true"], env: { A: "a\0b" } },
    "a variable with half a character": { command: ["true"], env: { A: "half \ud83d" } },
  },
};

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
  "no span": { within: "a week" },
  "no time at all": { within: 0 },
};

const providerProcess: ProviderProcess = createProviderProcess({
  types: resourceTypes,
  engineAddress: undefined,
  sources: [environmentSource({ RECOVERY_USERNAME: "ops", RECOVERY_PASSWORD: "s3cret" })],
});
const { VmRestore, RestoreIntent, PlanRun, PlanWave } = createOperations({
  ...providerProcess,
  exitWithEngine: () => undefined,
});

const secret = "[secret]";
const asGiven = (recoveryPointTakenAt: string): object => ({
  waves: [{ restores: { db: { recoveryPointTakenAt } } }],
});

const lateRuns: Readonly<Record<string, object>> = {
  "no text": { run: "" },
  "no time": { run: "a", incidentAt: "now", asGiven: asGiven("yesterday") },
  "no text in a note": { run: "a", notes: { owner: "" } },
  secrets: { run: secret, incidentAt: secret, asGiven: asGiven(secret), notes: { owner: secret } },
};

const lateChecks: Readonly<Record<string, object>> = {
  "an address that is shown": { kind: "http", target: "ftp://web", given: { http: "ftp://web" } },
  "a value that may be a secret": {
    kind: "http",
    target: "https://web",
    given: { http: "https://web", status: "ok", contains: { s3cret: "" }, caFile: "s3cret.pem" },
  },
  "a check that is not shown": { kind: "http", target: secret, given: { http: "ftp://s3cret", every: "s3cret" } },
};

const target = { virtualMachineId: "42", recoveryPointId: "7" };
const plannedRestore = {
  kind: "VmRestore",
  inputs: { ...target, triggers: ["second"] },
  record: {},
};
const waveOf = (restore: object): Properties => ({
  run: "second",
  name: "data",
  planned: { db: restore },
  definition: { db: { ...target, checks: [] } },
  revisions: { db: { at: "run-1/1", checks: [] } },
});
const whyLeftOut = (restore: object, others: object = {}): readonly string[] => [
  readWave({ ...waveOf(restore), ...others }).leftOut ?? "(nothing)",
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
  "an input that there is not": texts(
    {
      "like another one": { timeout: "1h" },
      "like none": { colour: "red" },
      "files of a whole machine": { paths: ["/"] },
      "an output": { status: "complete" },
      "the time that a rule's point was taken": { recoveryPointTakenAt: "2026-11-20T02:00:00Z" },
    },
    (inputs) => ofRestore("VmRestore", inputs),
  ),
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
  "a word in both lists of statuses": { "": settingProblems({ completeStatuses: "done", failedStatuses: "done" }) },
  "settings as one error": {
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
  "an argument of getTransactions": texts({ ...paging, "no flag": { detailed: "no" } }, (args) =>
    transactionsFunction.problems(args as never),
  ),
  "an argument of getVmLogs": {
    ...texts(ids, (virtualMachineId) => logsFunction.problems({ virtualMachineId } as never)),
    ...texts(paging, (args) => logsFunction.problems({ virtualMachineId: 42, ...(args as object) })),
  },
  "an argument of getRecoveryPoints": {
    ...texts(ids, (virtualMachineId) => pointsFunction.problems({ virtualMachineId } as never)),
    ...texts(window, (args) => pointsFunction.problems({ virtualMachineId: 42, ...(args as object) })),
  },
  "a plan": texts(plans, ofPlan),
  ...Object.fromEntries(
    Object.entries(checks).map(([kind, cases]) => [
      kind,
      texts(cases, (check) => ofPlan(withRestore({ checks: [check] }))),
    ]),
  ),
  "a run whose values came late": texts(lateRuns, (inputs) => printed(PlanRun.check({}, inputs).failures)),
  "a check whose values came late": texts(lateChecks, (check) =>
    printed(PlanWave.check({}, { index: 1, definition: { db: { checks: [check] } } }).failures),
  ),
  "a restore of a wave": {
    "left out": messageOf(() => readWave({ run: "second", planned: { db: {} } })),
    "of another run": whyLeftOut({ ...plannedRestore, inputs: { ...target, triggers: ["first"] } }),
    "other than in the run's definition": whyLeftOut(plannedRestore, {
      definition: { db: { ...target, paths: ["/etc"] } },
    }),
    "of another point than in it": whyLeftOut({
      ...plannedRestore,
      inputs: { ...plannedRestore.inputs, recoveryPointId: "8" },
    }),
    "that the run's definition does not have": whyLeftOut(plannedRestore, { definition: {} }),
    "at no revision": whyLeftOut(plannedRestore, { revisions: {} }),
    "of a wave with other restores than in the run's definition": whyLeftOut(plannedRestore, { isRunLeftOut: true }),
    "with a state that was edited": messageOf(() =>
      readWave(waveOf({ ...plannedRestore, inputs: { virtualMachineId: "4/2" } })),
    ),
  },
  "a secret in another language": {
    "": printed([withoutSecret({ property: "adopt", reason: "adopt is s3cret" }, new Set(["adopt"]))]),
  },
};

async function rejectionOf(run: () => Promise<unknown>): Promise<readonly string[]> {
  const error: unknown = await run().catch((thrown: unknown) => thrown);
  return messageOf(() => {
    throw error;
  });
}

/** The errors of calls that need settings or a whole wave: each says what was not sent. */
async function errorsOfCalls(): Promise<Readonly<Record<string, Texts>>> {
  const unfinished = { ...target, status: "running", transactionId: "5012", transactionIds: ["5012"] };
  return {
    "a missing setting": {
      "for an intent": await rejectionOf(() => RestoreIntent.create(target)),
      "for a refresh": await rejectionOf(() => VmRestore.read("5012", unfinished)),
      "for a plan": await rejectionOf(() => PlanRun.create({ run: "second" })),
      "for a wave": await rejectionOf(() => PlanWave.create(waveOf(plannedRestore))),
    },
    "a wave without one of its restores": {
      "": await rejectionOf(() => PlanWave.create({ run: "second", planned: { db: {} } })),
    },
  };
}

async function everyText(): Promise<string> {
  return Object.entries({ ...lists, ...(await errorsOfCalls()) })
    .flatMap(([list, cases]) =>
      Object.entries(cases).map(([name, lines]) => {
        const title = name === "" ? list : `${list}: ${name}`;
        return `## ${title}\n${lines.length === 0 ? "(nothing)" : lines.join("\n")}\n`;
      }),
    )
    .join("\n");
}

describe("the texts about inputs, settings, plans and checks", () => {
  let written = "";

  before(async () => {
    written = await everyText();
    if (process.env["UPDATE_GOLDEN"] === "yes") writeFileSync(golden, written);
  });

  it("are those that were read, one for each case", () => {
    assert.equal(written, readFileSync(golden, "utf8"));
  });

  it("show no secret, and leave nothing open", () => {
    assert.doesNotMatch(written, /s3cret|NaN|\[object|\(nothing\)/);
  });
});
