import assert from "node:assert/strict";
import { readStack } from "../../../cli/parts/stack-state";
import { restoresOfState } from "../../../drills/judge/state";
import type { PlanText } from "../../../drills/judge/stored";
import { reports } from "../../../report";
import { PlanLab, planOf, restore } from "../engine/support/plan-lab";
import { pluginTypes, type ResourceName, resourceTypes } from "../../../provider/inputs/resource-names";

const types = { dynamic: resourceTypes, plugin: pluginTypes };

interface Resource {
  readonly urn: string;
  readonly id: string;
  readonly outputs: Record<string, unknown>;
}

/** A stack with a plan of two complete waves, and whatever else a case adds. */
class Stack {
  pending_operations: object[] = [];
  resources: Resource[];

  constructor(private readonly of: keyof typeof types = "dynamic") {
    const restores = { web: { machine: "2", point: "10", paths: ["/www"] }, db: { machine: "1", point: "10" } };
    const waves = [
      { name: "data", restores: { db: { ...restores.db, checks: [] } } },
      { name: "front", restores: { web: { ...restores.web, checks: [] } } },
    ];
    const plan: PlanText = { run: "Q1", kind: "drill", onFailure: "stop", onMissedGoal: "fail", waves };
    const more = { startedAt: "2026-11-21T09:59:00Z", up: "p", changes: [], earlierRuns: [] };
    const marks = { m: { panel: "https://panel.example", ended: ["4"], newestId: "4", process: "p" } };
    const ofWave = (wave: string, name: keyof typeof restores, id: string) => {
      const entries = { [name]: { id: name, mark: "m", ...restores[name] } };
      const at = (time: string, did: object) => ({ at: `2026-11-21T10:${time}Z`, entry: name, ...did });
      const posted = { did: "posted", up: "p", answer: "accepted", ...restores[name] };
      const events = [at("00:00", posted), at("00:01", { did: "listed", ids: [id] }), at("01:00", complete)];
      return [
        this.own("WaveIntent", `shop-wave-${wave}-intent`, { run: "Q1", restores: JSON.stringify({ entries, marks }) }),
        this.own("Wave", `shop-wave-${wave}`, { run: "Q1", record: recordOf({ [name]: events }) }),
      ];
    };
    const run = this.own("PlanRun", "shop-run", { run: "Q1", plan: JSON.stringify(plan), ...more });
    this.resources = [run, ...ofWave("data", "db", "5"), ...ofWave("front", "web", "6")];
  }

  own(type: ResourceName, name: string, outputs: Record<string, unknown>) {
    const own = types[this.of][type];
    const urn = `urn:pulumi:test::shop::recovery:index:RecoveryPlan$${own}::${name}`;
    return { urn, type: own, id: name, outputs };
  }

  /** Finds a resource by the end of its name. */
  part(name: string): Resource {
    return this.resources.find(({ id }) => id === `shop-${name}`) ?? assert.fail(name);
  }

  isPending(type: string, resource: object): this {
    this.pending_operations.push({ resource, type });
    return this;
  }

  get judged() {
    return restoresOfState(this);
  }

  get states() {
    return this.judged.restores.map(({ state }) => state);
  }

  get verdict() {
    return this.judged.plans[0]?.verdict;
  }

  get reasons(): string {
    return this.verdict?.reasons.join("\n") ?? "";
  }
}

const complete = { did: "ended", status: "complete" };
const busy = { at: "2026-11-21T10:05:00Z", did: "stopped", sent: "no", why: "busy" };
const recordOf = (restores: object): string => JSON.stringify({ restores, proofs: {} });
const statesOf = (deployment: object) => restoresOfState(deployment).restores.map(({ state }) => state);

/** A plan of the same stack that restores the whole machine 2. */
function siteOf({ id, run = "Q1", waveRun = run, record }: Record<"id", string> & Partial<Record<string, string>>) {
  const edits = { "::shop-": "::site-", Q1: run, [String.raw`\"6\"`]: String.raw`\"${id}\"` };
  const whole = JSON.stringify(new Stack().resources).replaceAll(/,\\"paths\\":\[[^\]]*\]/g, "");
  const edited = Object.entries(edits).reduce((text, [from, to]) => text.replaceAll(from, to), whole);
  return (JSON.parse(edited) as Resource[]).map((one) =>
    one.id === "shop-wave-front"
      ? { ...one, outputs: { ...one.outputs, run: waveRun, ...(record !== undefined && { record }) } }
      : one,
  );
}

/** A restore of the whole machine outside the plan. */
const beside = (machine: unknown, id: string, outputs: object = {}, name = "files") => ({
  urn: `urn:pulumi:test::shop::${resourceTypes.VmRestore}::${name}`,
  type: resourceTypes.VmRestore,
  id,
  outputs: {
    virtualMachineId: machine,
    recoveryPointId: "9",
    __intent: { id: "i-1" },
    status: "complete",
    transactionIds: [id],
    ...outputs,
  },
});
const intentOf = (id: string, outputs: Record<string, unknown>) => ({
  urn: `urn:pulumi:test::shop::${resourceTypes.Intent}::files-vm-intent`,
  type: resourceTypes.Intent,
  id,
  outputs,
});

describe("the restores of a state", () => {
  for (const of of ["dynamic", "plugin"] as const)
    it(`are those of the plan, and their plan passes: ${of}`, () => {
      const stack = new Stack(of);
      const found = stack.judged.restores.map((one) =>
        [one.name, one.plan, one.wave, one.kind, one.machine, one.panel].join(" "),
      );
      const [db, web] = ["db shop data VmRestore 1", "web shop front FileRestore 2"];
      assert.deepEqual(found, [`${db} https://panel.example`, `${web} https://panel.example`]);
      assert.deepEqual(stack.states, ["complete", "complete"]);
      assert.equal(stack.verdict?.verdict, "passed", stack.reasons);
    });

  it("are overwritten by a later restore of the whole machine outside the plan, even by a restore that is being replaced", () => {
    for (const more of [{}, { delete: true }]) {
      const stack = new Stack();
      stack.resources.push({ ...beside("2", "7"), ...more });
      assert.deepEqual(stack.states, ["complete", "overwritten", ...("delete" in more ? [] : ["complete"])]);
      assert.match(stack.reasons, /web was overwritten by files \(transaction 7\)/);
    }
    const files = new Stack();
    const [{ urn, ...more }, type] = [beside("2", "7", { paths: ["/a"] }), resourceTypes.FileRestore];
    files.resources.push({ ...more, urn: urn.replace(resourceTypes.VmRestore, type), type } as Resource);
    assert.equal(files.verdict?.verdict, "passed");
    const stack = new Stack();
    stack.resources.push(beside("2", "3"));
    assert.equal(stack.verdict?.verdict, "passed");
  });

  it("may have been overwritten by a restore that may have been sent: outside the plan, or of another plan", () => {
    const restoring = { __kind: "VmRestore", virtualMachineId: "2", recoveryPointId: "9" };
    const cases: readonly (readonly [Record<string, unknown>, string, boolean])[] = [
      [restoring, "i-2", true],
      [restoring, "i-1", false],
      [{ ...restoring, virtualMachineId: "3" }, "i-2", false],
      [{ ...restoring, __kind: "FileRestore", paths: ["/a"] }, "i-2", false],
      [{ ...restoring, mark: { panel: "https://other.example", ended: ["4"], newestId: "4" } }, "i-2", false],
    ];
    for (const [outputs, id, isOver] of cases) {
      const stack = new Stack();
      const { urn } = beside("2", "7");
      const of = outputs === cases[3]?.[0] ? urn.replace(resourceTypes.VmRestore, resourceTypes.FileRestore) : urn;
      const name = of === urn ? "files-vm-intent" : "files-files-intent";
      stack.resources.push({ ...intentOf("i-2", outputs), urn: intentOf("", {}).urn.replace("files-vm-intent", name) });
      stack.isPending("creating", { urn: of, inputs: { __intent: { id } } });
      assert.equal(stack.states[1], isOver ? "overwritten" : "complete");
      assert.equal(stack.verdict?.verdict, isOver ? "incomplete" : "passed", stack.reasons);
      assert.equal(
        stack.reasons,
        isOver ? "web may have been overwritten by files (no transaction known): new triggers restore it again" : "",
      );
    }
    const stack = new Stack();
    stack.resources.push(...siteOf({ id: "7" }));
    assert.match(stack.reasons, /^web was overwritten by web \(transaction 7\): new triggers restore it again$/);
    // The engine drops a pending update at its next operation; the missing record remains.
    const may = /^web may have been overwritten by web \(no transaction known\): new triggers restore it again$/;
    const killed = new Stack();
    killed.resources.push(...siteOf({ id: "7", record: recordOf({}) }));
    assert.match(killed.reasons, may);
    const again = new Stack();
    const site = siteOf({ id: "7", record: recordOf({ web: [{ ...busy, entry: "web" }] }) });
    again.resources.push(...site);
    assert.equal(again.verdict?.verdict, "passed", again.reasons);
    again.isPending("updating", site.find(({ urn }) => urn.endsWith("site-wave-front")) ?? {});
    assert.match(again.reasons, may);
  });

  it("stay overwritten while the plan that overwrote them begins its next run", () => {
    const stack = new Stack();
    stack.resources.push(...siteOf({ id: "7", run: "Q2", waveRun: "Q1" }));
    assert.match(stack.reasons, /^web was overwritten by web \(transaction 7\): new triggers restore it again$/);
    assert.deepEqual(stack.states, ["complete", "overwritten", "complete", "sent"]);
  });

  it("stay overwritten through all later runs of the plan that overwrote them", async () => {
    const lab = new PlanLab();
    const run = (name: string, machine: string) =>
      lab.up(planOf({ data: { db: restore(machine, "10") } }, { run: name }));
    lab.beside.push(beside("1", "5000"), beside("2", "5000", {}, "other"));
    await run("Q1", "1");
    const found = () => statesOf(lab.deployment).slice(1);
    assert.deepEqual(found(), ["overwritten", "complete"]);
    for (const name of ["Q2", "Q3"]) {
      assert.equal(await run(name, "3").then((errors) => errors?.length), 0);
      assert.deepEqual(found(), ["overwritten", "complete"], name);
      assert.equal(lab.verdict?.verdict, "passed", lab.reasons);
    }
  });

  it("count only for their current intent outside plans, and have failed if a part has failed", () => {
    const intent = (id: string) => intentOf(id, { mark: { panel: "https://panel.example", ended: ["4"] } });
    assert.deepEqual(statesOf({ resources: [beside("9", "7"), intent("i-2")] }), ["not sent"]);
    const failed = beside("9", "7", { status: "failed", failedPart: "8" });
    assert.deepEqual(statesOf({ resources: [failed, intent("i-1")] }), ["failed"]);
  });

  it("may have been sent when they have no record, or when they were only stopped and their wave is pending", () => {
    const cases: readonly (readonly [string, string, string])[] = [
      ["wave-data", "updating", "sent"],
      ["wave-data-intent", "updating", "not sent"],
      ["wave-front", "updating", "not sent"],
      ["wave-data", "creating", "not sent"],
    ];
    for (const [name, type, ofStopped] of cases)
      for (const [events, state] of [
        [[{ ...busy, entry: "db" }], ofStopped],
        [[{ ...busy, entry: "another" }], "sent"],
        [[], "sent"],
      ] as const) {
        const stack = new Stack();
        stack.part("wave-data").outputs["record"] = recordOf({ db: events });
        stack.isPending(type, stack.part(name));
        assert.deepEqual(stack.states, [state, "complete"], `${name} ${type}`);
        const isTold = /db may have been sent: an `up` is under way, or has left no record of it/.test(stack.reasons);
        assert.equal(isTold, state === "sent");
      }
  });

  it("stay complete while their wave is updated", () => {
    const stack = new Stack();
    assert.deepEqual(stack.isPending("updating", stack.part("wave-data")).states, ["complete", "complete"]);
  });

  it("may have been sent where an `up` stopped before it knew what an earlier run had sent", () => {
    for (const [sent, state] of Object.entries({ unknown: "sent", no: "not sent" })) {
      const stack = new Stack();
      stack.part("wave-data").outputs["record"] = recordOf({ db: [{ ...busy, entry: "db", sent }] });
      assert.equal(stack.states[0], state);
      assert.equal(stack.reasons.includes("db has no record of its end: busy"), state === "sent", stack.reasons);
    }
  });

  it("may have been sent, without a plan, while the engine is creating a restore with the current intent", () => {
    const intent = intentOf("i-2", { __kind: "VmRestore", virtualMachineId: "9", recoveryPointId: "9" });
    const { urn } = beside("9", "7");
    for (const resources of [[intent], [beside("9", "7"), intent]])
      for (const [id, state] of Object.entries({ "i-2": "sent", "i-1": "not sent" })) {
        const begun = { type: "creating", resource: { urn, inputs: { __intent: { id } } } };
        assert.deepEqual(statesOf({ resources, pending_operations: [begun] }), [state]);
      }
  });

  it("count as restores of different machines when the machines' ids are secrets", () => {
    const secret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };
    const { restores } = restoresOfState({ resources: [beside(secret, "7", {}, "a"), beside(secret, "8", {}, "b")] });
    const found = restores.map(({ name, machine, state }) => `${name} ${String(machine)} ${state}`);
    assert.deepEqual(found, ["a undefined complete", "b undefined complete"]);
  });

  it("count the same restores as pending in the judge, the commands and the report", () => {
    const wave = new Stack().part("wave-data");
    const vm = beside("9", "7");
    const again = { ...vm, inputs: { __intent: { id: "i-2" } } };
    const cases: readonly (readonly [string, Resource, object, boolean])[] = [
      ["creating", wave, wave, false],
      ["creating", { ...wave, pendingReplacement: true } as Resource, wave, true],
      ["updating", wave, wave, true],
      ["creating", vm, vm, false],
      ["creating", vm, again, true],
    ];
    for (const [type, stored, resource, isPending] of cases) {
      const { urn } = stored;
      const stack = new Stack().isPending(type, resource);
      stack.resources = [...stack.resources, vm].map((one) => (one.urn === urn ? stored : one));
      const exported = { version: 3, deployment: stack };
      const { restores, isUnderWay } = readStack(exported);
      const said = {
        judge: stack.verdict?.verdict === "incomplete",
        command: restores.find((one) => one.urn === urn)?.isPending,
        stack: isUnderWay,
        report: reports(exported).every(({ source }) => source.pending.length > 0),
      };
      const expected = { judge: isPending && urn !== vm.urn, command: isPending, stack: isPending, report: isPending };
      assert.deepEqual(said, expected, `${type} ${urn}`);
    }
  });

  it("are kept apart where two plans below different parents have one name", () => {
    const stack = new Stack();
    const other = JSON.stringify(stack.resources)
      .replaceAll("recovery:index", "my:Site$recovery:index")
      .replaceAll(String.raw`\"10\"`, String.raw`\"20\"`)
      .replaceAll(String.raw`\"5\"`, String.raw`\"8\"`);
    stack.resources.push(...(JSON.parse(other) as Resource[]));
    const [, second] = stack.judged.plans;
    assert.match(stack.reasons, /db was overwritten by db \(transaction 8\)/);
    assert.equal(second?.verdict?.verdict, "passed", second?.verdict?.reasons.join());
    const { restores } = readStack({ version: 3, deployment: stack });
    assert.equal(restores.length, 4);
    assert.ok(restores.every(({ urn, mark, resource }) => mark?.newestId === "4" && resource?.urn === urn));
  });

  it("are not judged by a plan with an unreadable part: the plan is incomplete, and the commands say so", () => {
    const check = { name: "smtp", kind: "smtp", asks: "s" };
    const edits: readonly ((plan: PlanText, db: object) => void)[] = [
      (_plan, db) => Object.assign(db, { checks: [check] }),
      (_plan, db) => Object.assign(db, { checks: [{ ...check, kind: "tcp", name: 7 }] }),
      (_plan, db) => Object.assign(db, { goals: { dataAgeSeconds: "1h" } }),
      (_plan, db) => Object.assign(db, { mustAnswer: true }),
      ({ waves }) => Object.assign(waves[0]?.restores ?? {}, { mail: { point: "10", checks: [] } }),
      ({ waves }) => void (waves as object[]).push({ restores: {} }),
      (plan) => Object.assign(plan, { wholeGoals: 3_600 }),
    ];
    for (const [index, edit] of [() => undefined, ...edits].entries()) {
      const stack = new Stack();
      const { outputs } = stack.part("run");
      const plan = JSON.parse(String(outputs["plan"])) as PlanText;
      edit(plan, plan.waves[0]?.restores["db"] ?? {});
      outputs["plan"] = JSON.stringify(plan);
      const exported = { version: 3, deployment: stack };
      const [made] = reports(exported);
      assert.equal(made?.verdict.result, index === 0 ? "passed" : "incomplete", edit.toString());
      assert.equal(readStack(exported).unreadable.length, index === 0 ? 0 : 1);
      if (index > 0) assert.match(made?.verdict.reasons.join() ?? "", /cannot be read/);
    }
  });

  it("are judged whatever a program writes in a plan", async () => {
    const lab = new PlanLab({ tells: "point and paths" });
    const rest = { captureLog: "always", retryFailed: false, timeouts: { run: "2h", settle: 15 }, triggers: [1, null] };
    const checks = [{ tcp: "db:1", every: "1s", within: 2, after: 1, name: "port" }, { http: "https://db.example" }];
    const db = restore("1", "10", { ...rest, goals: {}, checks, recoveryPointTakenAt: "2026-11-20T02:00:00Z" });
    const ofPlan = { kind: "recovery", goals: { dataAge: "24h" }, wholeGoals: {}, notes: {}, onMissedGoal: "warn" };
    const front = { name: "front", goals: { recoveryTime: "1h" }, restores: {} };
    const waves = [{ name: "data", restores: { db, dump: restore("1", "11", { paths: ["/b", "/a"] }) } }, front];
    for (const more of [{}, { notes: { owner: "Anna" } }, { incidentAt: "2026-11-21T09:30:00+01:00" }]) {
      assert.deepEqual(await lab.up({ run: JSON.stringify(more), waves, ...ofPlan, ...more }), []);
      assert.match(lab.verdict?.verdict ?? "", /^passed/);
    }
  });

  it("are read from any state, however it was edited", () => {
    const wrong: readonly (readonly [string, Record<string, unknown>])[] = [
      ["run", { run: 7 }],
      ["run", { run: "Q1", plan: "{" }],
      ["run", { run: "Q1", plan: '{"run":"Q1","waves":[null,{"name":"data","restores":{"db":7}}]}' }],
      ["wave-data", { run: "Q1", record: "[]" }],
      ["wave-data-intent", { run: "Q1", restores: '{"entries":{"db":{"id":1}}}' }],
    ];
    for (const [name, outputs] of wrong) {
      const stack = new Stack();
      stack.resources = stack.resources.map((one) => (one === stack.part(name) ? { ...one, outputs } : one));
      const verdicts = stack.judged.plans.map(({ verdict }) => verdict?.verdict);
      assert.ok(!verdicts.includes("passed"), JSON.stringify(outputs));
    }
    for (const nothing of [undefined, null, {}, { resources: 7 }, { resources: [null, {}] }])
      assert.deepEqual(restoresOfState(nothing), { restores: [], plans: [] });
  });
});
