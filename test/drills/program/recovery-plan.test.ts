import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { Form, PlanText } from "../../../drills/judge/stored";
import {
  plannedRestores,
  type RecoveryCheckArgs,
  RecoveryPlan,
  type RecoveryPlanArgs,
  type RecoveryWaveArgs,
} from "../../../provider";
import { isObject } from "../../../provider/plain/plain";
import { Thing } from "../../program/support/program";
import { type ProgramRun, runProgram } from "../../program/support/program-run";

const ids = { virtualMachineId: 42, recoveryPointId: 7 };
/** Options that neither change a restore nor send it again. */
const options = { adopt: "5", timeouts: { run: "1h" }, captureLog: "never", retryFailed: false } as const;
const db = { virtualMachineId: 43, recoveryPointId: 8, checks: [{ tcp: "db:5432" }], goals: { dataAge: "1h" } };
const data = {
  name: "data",
  goals: { recoveryTime: 1 },
  restores: { db: { ...db, ...options, recoveryPointTakenAt: "2026-11-20T02:00:00Z" } },
};
const content = { ...ids, paths: ["/srv", "/etc"] };
const front = { name: "front", restores: { web: { ...ids, triggers: ["again"] }, content } };
const plan: RecoveryPlanArgs = { run: "first", goals: { recoveryTime: "1h" }, waves: [data, front] };

const constructed = (args: RecoveryPlanArgs, mode?: "preview" | "up", stored?: Stored) =>
  runProgram(() => new RecoveryPlan("shop", args), mode, stored);
type Stored = Parameters<typeof runProgram>[2];

const isSecret = (value: unknown): value is { readonly value: unknown } =>
  isObject(value) && "4dabf18193072939515e22adb298388d" in value;
const opened = (value: unknown): unknown => (isSecret(value) ? value.value : assert.fail("it is not a secret"));
const textIn = (run: ProgramRun<unknown>, type: string, name: string, input: string): unknown => {
  const value = run.find(type, name).inputs[input];
  return JSON.parse(String(isSecret(value) ? value.value : value));
};
const declaredIn = (run: ProgramRun<unknown>, wave: string) =>
  textIn(run, "WaveIntent", `shop-wave-${wave}-intent`, "declared") as Record<string, Form>;

describe("a plan in a program", () => {
  it("registers a run, an intent and a wave for each declared wave, and a verdict, and makes each depend on the previous one", async () => {
    const run = await constructed(plan);
    const parts = run.registrations.slice(2);
    const names = "run wave-data-intent wave-data wave-front-intent wave-front verdict";
    assert.equal(parts.map(({ name }) => name.replace("shop-", "")).join(" "), names);
    for (const [index, { name, dependencies }] of parts.slice(1).entries())
      assert.ok(dependencies.includes(parts[index]!.name), name);
    for (const { type, name, urn, inputs, request } of parts) {
      const handler = type.split(":").at(-1)!;
      const line = `exports.handler = () => require("pulumi-recovery/dynamic").${handler[0]!.toLowerCase()}${handler.slice(1)};`;
      assert.equal(inputs["__provider"], line, name);
      assert.equal(inputs["__row"], urn, name);
      assert.equal(request.getDeletebeforereplace(), true, name);
      // During a replacement, the deletion must reach the provider, which keeps the record. `retainOnDelete` on the plan would prevent that.
      assert.deepEqual([request.hasRetainondelete(), request.getRetainondelete()], [true, false], name);
    }
  });

  it("normalizes each restore, keeps the program's order, and omits the options that never cause another restore", async () => {
    const run = await constructed(plan);
    assert.deepEqual(declaredIn(run, "data"), { db: { machine: "43", point: "8" } });
    assert.deepEqual(Object.entries(declaredIn(run, "front")), [
      ["web", { machine: "42", point: "7", triggers: ["again"] }],
      ["content", { machine: "42", point: "7", paths: ["/etc", "/srv"] }],
    ]);
    const of = { run: "first", virtualMachineId: "42", recoveryPointId: "7" };
    assert.deepEqual(plannedRestores(run.find("WaveIntent", "shop-wave-front-intent").inputs), [
      { name: "web", ...of, triggers: ["again"] },
      { name: "content", ...of, paths: ["/etc", "/srv"], triggers: [] },
    ]);
    assert.deepEqual(plannedRestores(run.find("Wave", "shop-wave-front").inputs), []);
  });

  it("replaces a resource in triggers with its URN, and passes a check's text on unchanged", async () => {
    const colour = "<{%fg 1%}>";
    const run = await runProgram(() => {
      const db = { ...ids, triggers: [new Thing("thing"), colour], checks: [{ command: ["echo", colour] }] };
      new RecoveryPlan("shop", { run: "first", waves: [{ name: "data", restores: { db } }] });
    }, "up");
    assert.deepEqual(declaredIn(run, "data")["db"]?.triggers, [run.find("Thing", "thing").urn, "<{ %fg 1%}>"]);
    const options = run.find("Wave", "shop-wave-data").inputs["__options"];
    assert.doesNotMatch(String(opened(options)), /<\{%/, "the engine takes it for a colour");
    assert.ok(JSON.stringify(textIn(run, "Wave", "shop-wave-data", "__options")).includes(colour));
  });

  it("reads a wave's run and restores from its intent, and the verdict's plan and waves from the state", async () => {
    const stored: Readonly<Record<string, object>> = {
      "shop-run": { plan: "declared before" },
      "shop-wave-data-intent": { run: "before", restores: "asked before" },
    };
    const run = await constructed(plan, "up", (_type, name) => ({ ...stored[name] }));
    const wave = run.find("Wave", "shop-wave-data").inputs;
    assert.deepEqual([wave["run"], wave["__restores"]], ["before", "asked before"]);
    const verdict = run.find("Verdict", "shop-verdict").inputs;
    assert.equal(verdict["__plan"], "declared before");
    const [judged] = verdict["__waves"] as readonly Record<string, unknown>[];
    assert.deepEqual([judged!["name"], judged!["intentRun"], judged!["restores"]], ["data", "before", "asked before"]);
  });

  it("does not take a check for another check because it is written differently", async () => {
    const asks = async (check: object): Promise<unknown> => {
      const db = { ...ids, checks: [{ http: "https://shop.example.com", ...check } as RecoveryCheckArgs] };
      const run = await constructed({ run: "first", waves: [{ name: "data", restores: { db } }] });
      return (textIn(run, "PlanRun", "shop-run", "plan") as PlanText).waves[0]!.restores["db"]!.checks[0]!.asks;
    };
    assert.equal(await asks({ status: [200], headers: {} }), await asks({ status: 200 }));
    assert.notEqual(await asks({ status: 200 }), await asks({ status: 204 }));
  });

  it("keeps secret what checks send and what triggers are, but shows each check's own name or its kind and host", async () => {
    const checks = [
      { http: pulumi.secret("https://canary.example.com/canary") },
      { http: "https://shop.example.com:8443/canary?canary", headers: { authorization: pulumi.output("canary") } },
      { command: ["ssh", "db", "--password", "canary"], env: { TOKEN: "canary" }, name: "orders" },
      ...[{ tcp: "db:1" }, { tcp: "db:1" }, { tcp: "[2001:db8::43]:5432" }],
    ];
    const constructedWith = (trigger: string) =>
      constructed({
        run: pulumi.output("first"),
        notes: { owner: pulumi.secret("canary") },
        waves: [{ name: "data", restores: { db: { ...ids, triggers: [pulumi.secret(trigger)], checks } } }],
      });
    const run = await constructedWith("canary");
    const shown = textIn(run, "PlanRun", "shop-run", "plan") as PlanText;
    const shownChecks = shown.waves[0]!.restores["db"]!.checks;
    const names = shownChecks.map(({ name }) => name);
    assert.deepEqual(names, ["http", "http shop.example.com", "orders", "tcp db", "tcp db (2)", "tcp 2001:db8::43"]);
    assert.equal(new Set(shownChecks.map(({ asks }) => asks)).size, 6, "equal checks are kept apart");
    assert.ok(shownChecks.every(({ asks }) => asks.length === 8));
    assert.deepEqual(shown.notes, { owner: "[secret]" });
    const changed = declaredIn(await constructedWith("canary 2"), "data");
    assert.notDeepEqual(changed, declaredIn(run, "data"), "changing a secret trigger restores again");
    const open = (_key: string, value: unknown): unknown => (isSecret(value) ? "" : value);
    for (const { name, inputs } of run.registrations) assert.doesNotMatch(JSON.stringify(inputs, open), /canary/, name);
    type Sent = { readonly db: { readonly checks: readonly { readonly name: string; readonly probe: unknown }[] } };
    const { db } = textIn(run, "Wave", "shop-wave-data", "__options") as Sent;
    assert.equal(db.checks.map(({ name }) => name).join(), names.join());
    const http = "https://canary.example.com/canary";
    assert.deepEqual(db.checks[0]?.probe, { kind: "http", http });
  });

  it("shows a placeholder in a preview for each value from a new resource, and shows all other values", async () => {
    const run = await runProgram(() => {
      const later = new Thing("machine");
      const [port, words] = [pulumi.interpolate`${later.id}:22`, later.id.apply((id) => [id])];
      const env = later.id.apply((id) => ({ ID: id }));
      const http = { http: later.id, headers: env, status: later.id.apply(Number) };
      const checks = [{ tcp: port }, http, { command: words, env }];
      const web = { virtualMachineId: later.id, recoveryPointId: 7, checks };
      const api = { virtualMachineId: later.id, recoveryPointId: later.id, triggers: [later.id] };
      const files = { ...ids, paths: later.id.apply((id) => [`/${id}`]), triggers: later.id.apply((id) => [id]) };
      const restores = { web, api, files, content };
      return new RecoveryPlan("shop", { ...plan, waves: [data, { name: "front", restores }] });
    }, "preview");
    const word = "(known only later)";
    assert.deepEqual(declaredIn(run, "data"), { db: { machine: "43", point: "8" } });
    const { machine, point } = { machine: "42", point: "7" };
    assert.deepEqual(declaredIn(run, "front"), {
      web: { machine: word, point },
      api: { machine: word, point: word, triggers: [word] },
      files: { machine, point, paths: [word], triggers: [word] },
      content: { machine, point, paths: ["/etc", "/srv"] },
    });
    const { waves } = textIn(run, "PlanRun", "shop-run", "plan") as PlanText;
    assert.equal(waves[1]?.restores["web"]?.machine, word);
    assert.equal(waves[1].restores["web"].checks.map(({ name }) => name).join(), "tcp,http,command");
    assert.doesNotMatch(JSON.stringify(run.find("Wave", "shop-wave-front").inputs), /known only later/);
  });

  it("is created entirely after the resources that it depends on", async () => {
    const run = await runProgram(() => {
      const before = new RecoveryPlan("before", { run: "a", waves: [data] });
      return new RecoveryPlan("shop", plan, { dependsOn: before });
    });
    assert.ok(run.find("PlanRun", "shop-run").dependencies.includes("before-verdict"));
  });
});

describe("a plan with mistakes", () => {
  const odd = "db<{%x%}>";
  const waves = (...given: RecoveryPlanArgs["waves"]) => ({ ...plan, waves: given });
  const wave = (restores: object) => ({ name: "data", restores }) as RecoveryWaveArgs;
  const [later, halt] = [{ name: "later", restores: { again: ids } }, "halt" as "stop"];
  const several =
    /^RecoveryPlan "shop" cannot be .*, and none .* was sent:\n {2}onFailure is "halt".*\n {2}waves needs a list/;
  const mistakes: readonly [string, RecoveryPlanArgs, RegExp, name?: string][] = [
    ["several arguments", { ...waves(), onFailure: halt }, several],
    ["the order of its waves", waves(front, later), /\[1\]\.restores\.again .* overwrites what content restored: in a/],
    ["the order of a wave's restores", waves(wave({ content, web: ids })), /\.web .* overwrites what content restored/],
    ["its name", plan, /db<\{ %x%\}>/, odd],
    ["a restore's name", waves(wave({ [odd]: ids })), /db<\{ %x%\}>/],
  ];
  for (const [what, args, message, name = "shop"] of mistakes)
    it(`is rejected without a stack trace, and registers nothing, if the mistake is in ${what}`, async () => {
      const isTold = (error: unknown): boolean =>
        error instanceof pulumi.RunError && message.test(error.message) && error.stack === "";
      const { registrations } = await runProgram(() => assert.throws(() => new RecoveryPlan(name, args), isTold));
      assert.ok(!registrations.some((one) => one.name.startsWith("shop")));
    });
});
