import assert from "node:assert/strict";
import { readStack } from "../../../cli/parts/stack-state";
import { restoresOfState } from "../../../drills/judge/state";
import { reports } from "../../../report";
import { plan } from "../../support/stored/plans";
import {
  complete,
  intentResource,
  pendingOn,
  type Played,
  restore as stored,
  restoreResource,
} from "../../support/stored/restores";
import { type Exported, exportedStack, type PendingOperation, type StackResource } from "../../support/stored/stack";
import { PlanLab, planOf, restore } from "../engine/support/plan-lab";

const db = { machine: "43", ...complete("5014") };
const web = { paths: ["/www"], ...complete("5015") };
/** A plan with two complete waves: a machine, then another machine's files. */
const shop = plan({ data: { db }, front: { web } });
/** Another plan in the stack, which restores the whole machine that the files belong to. */
const site = (one: Parameters<typeof plan>[0][string][string]) => plan({ front: { web: one } }, { plan: "site" });
/** A restore outside any plan, which restores the whole machine that the files belong to. */
const beside = (more: Partial<Played> = {}) => stored({ name: "files", ...complete("5020"), ...more });
const updating = (name: string, of = "shop"): PendingOperation => {
  return { ...pendingOn(`${of}-${name}`, "Wave", of), operation: "updating" };
};
const secret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };
const again = ": set new triggers to restore it again";

function judged({ deployment }: Exported) {
  const { restores, plans } = restoresOfState(deployment);
  const { verdict, reasons = [] } = plans[0]?.verdict ?? {};
  return { restores, plans, verdict, reasons: reasons.join("\n"), states: restores.map(({ state }) => state) };
}
const found = (resources: readonly StackResource[], ...pending: readonly PendingOperation[]) =>
  judged(exportedStack(resources, pending));
const edited = (state: Exported, edit: (text: string) => string) => JSON.parse(edit(JSON.stringify(state))) as Exported;

describe("the restores in a state", () => {
  for (const types of ["pulumi-nodejs:recovery:", "recovery:index:"])
    it(`are found, and the plan passes, if the types begin with "${types}"`, () => {
      const state = edited(exportedStack(shop), (text) => text.replaceAll("pulumi-nodejs:recovery:", types));
      const { restores, states, verdict, reasons } = judged(state);
      const said = restores.map((one) => [one.name, one.plan, one.wave, one.kind, one.machine, one.panel].join(" "));
      const panel = "https://panel.example.com";
      assert.deepEqual(said, [`db shop data VmRestore 43 ${panel}`, `web shop front FileRestore 42 ${panel}`]);
      assert.deepEqual([states, verdict], [["complete", "complete"], "passed"], reasons);
    });

  it("are overwritten by a restore outside the plan, even if that restore is being replaced", () => {
    const { states, reasons } = found([...shop, ...beside().map((one) => ({ ...one, delete: true }))]);
    assert.deepEqual(states, ["complete", "overwritten"]);
    assert.equal(reasons, `web was overwritten by files (transaction 5020)${again}`);
  });

  it("are overwritten in the order in which they were created, even if the panel shows no order and one was updated since", () => {
    const [sent, later] = ["2026-11-20T10:00:00Z", "2026-11-20T11:00:00Z"];
    const of = (name: string, created: string, paths?: readonly string[]) => {
      const played = { name, machine: "42", transaction: `tx-${name}`, ...(paths && { paths }) };
      return [intentResource(played), { ...restoreResource(played), created, modified: "2026-11-20T12:00:00Z" }];
    };
    const states = (first: string, second: string) =>
      found([...of("web", first), ...of("files", second, ["/a"])]).states;
    assert.deepEqual([states(sent, later)[1], states(later, sent)[1]], ["complete", "overwritten"]);
  });

  it("may have been overwritten if a restore outside the plan, or in another plan, may have been sent", () => {
    const cases: readonly (readonly [Partial<Played>, boolean, string?])[] = [
      [{}, true],
      [{}, false, "intent-of-last-month"],
      [{ machine: "44" }, false],
      [{ paths: ["/a"] }, false],
      [{ panel: "https://other.example" }, false],
    ];
    for (const [given, isOver, carries] of cases) {
      const [intent] = stored({ name: "files", ...given });
      const begun = pendingOn("files", given.paths === undefined ? "VmRestore" : "FileRestore");
      const inputs = { __intent: { id: carries ?? intent?.id } };
      const { states, verdict, reasons } = found([...shop, intent!], { ...begun, inputs });
      assert.deepEqual([states[1], verdict], isOver ? ["overwritten", "incomplete"] : ["complete", "passed"]);
      assert.equal(reasons, isOver ? `web may have been overwritten by files (no transaction known)${again}` : "");
    }
    const by = (what: string) => new RegExp(`^web ${what} overwritten by web .*${again}$`);
    assert.match(found([...shop, ...site(complete("5020"))]).reasons, by("was"));
    // The engine drops a pending update in its next operation, but the record is still missing.
    assert.match(found([...shop, ...site({})]).reasons, by("may have been"));
    assert.equal(found([...shop, ...beside({ paths: ["/a"] })]).verdict, "passed");
    const stopped = [...shop, ...site({ stop: { sent: "no", why: "busy" } })];
    assert.equal(found(stopped).verdict, "passed");
    assert.match(found(stopped, updating("wave-front", "site")).reasons, by("may have been"));
  });

  it("stay overwritten in all later runs of the plan that overwrote them", async () => {
    const lab = new PlanLab();
    const run = (name: string, machine: string, ...exclude: readonly string[]) =>
      lab.up(planOf({ data: { db: restore(machine, "10") } }, { run: name }), { exclude });
    for (const machine of ["1", "2"])
      lab.addBeside({ name: `beside ${machine}`, machine, point: "9", ...complete(`499${machine}`) });
    await run("Q1", "1");
    const states = () => restoresOfState(lab.deployment).restores.flatMap((one) => (one.plan ? [] : one.state));
    assert.deepEqual(states(), ["overwritten", "complete"]);
    for (const name of ["Q2", "Q3"]) {
      await run(name, "3", "wave-data", "verdict");
      assert.deepEqual(states(), ["overwritten", "complete"], "the wave has not begun");
      assert.deepEqual(await run(name, "3"), []);
      assert.deepEqual([states(), lab.verdict?.verdict], [["overwritten", "complete"], "passed with warnings"]);
    }
  });

  it("are not complete if restores of two machines have the same transaction, such as after adopt", () => {
    const both = ["1", "2"].flatMap((machine) => beside({ name: `of ${machine}`, machine, ...complete("5020") }));
    assert.deepEqual(found(both).states, ["overwritten", "overwritten"]);
  });

  it("are treated as restores of different machines when their machine ids are secret", () => {
    const outputs = { virtualMachineId: secret };
    const { restores } = found([...beside({ outputs }), ...beside({ name: "b", ...complete("5021"), outputs })]);
    for (const { machine, state } of restores) assert.deepEqual([machine, state], [undefined, "complete"]);
    assert.equal(restores.length, 2);
  });

  it("are not overwritten by a restore of files whose paths are secret", () => {
    const files = beside({ paths: ["/etc"], ...complete("5021"), outputs: { paths: secret } });
    const { states } = found([...beside({ name: "web", ...complete("5014") }), ...files]);
    assert.deepEqual(states, ["complete", "complete"]);
  });

  it("count as pending during the same operations in the verdict, the commands and the report", () => {
    const wave = pendingOn("shop-wave-data", "Wave", "shop");
    const made = (id: string) => ({ ...pendingOn("files"), inputs: { __intent: { id } } });
    const cases: readonly (readonly [PendingOperation, isPending: boolean, more?: object])[] = [
      [wave, false],
      [wave, true, { pendingReplacement: true }],
      [updating("wave-data"), true],
      [pendingOn("files"), false],
      [made("intent-of-last-month"), false],
      [made("intent-files-VmRestore"), true],
      // The next `up` has replaced the intent that the killed `up` used.
      [made("intent-of-an-hour-ago"), false],
    ];
    const stack = [...shop, ...beside({ machine: "49", carries: "intent-of-last-month" })];
    for (const [operation, isPending, more] of cases) {
      const isIt = ({ urn }: { readonly urn: string }) => urn.endsWith(`:${operation.type}::${operation.name}`);
      const { deployment } = exportedStack(stack, [operation]);
      const resources = deployment.resources.map((one) => (isIt(one) ? { ...one, ...more } : one));
      const exported = { version: 3, deployment: { ...deployment, resources } };
      const { restores, isUnderWay } = readStack(exported);
      const said = {
        judge: judged(exported).verdict === "incomplete",
        command: restores.find(isIt)?.isPending,
        stack: isUnderWay,
        report: reports(exported).every(({ source }) => source.pending.length > 0),
      };
      const ofPlan = isPending && operation.type === "Wave";
      const expected = { judge: ofPlan, command: isPending, stack: isPending, report: isPending };
      assert.deepEqual(said, expected, JSON.stringify([operation, more]));
    }
  });

  it("are kept apart when two plans under different parents have the same name", () => {
    const whole = exportedStack(plan({ data: { db } }));
    const other = exportedStack(plan({ data: { db: { ...db, point: "20", ...complete("5018") } } }));
    const below = edited(other, (text) => text.replaceAll("recovery:index", "my:Site$recovery:index"));
    const deployment = { resources: [...whole.deployment.resources, ...below.deployment.resources] };
    const { plans, reasons } = judged({ deployment });
    assert.equal(reasons, `db was overwritten by db (transaction 5018)${again}`);
    assert.equal(plans[1]?.verdict?.verdict, "passed", plans[1]?.verdict?.reasons.join());
    const { restores } = readStack({ version: 3, deployment });
    assert.equal(restores.length, 2);
    assert.ok(restores.every(({ urn, mark, resource }) => mark?.newestId === "5000" && resource?.urn === urn));
  });

  /** A state in which the outputs of one part of the plan have been changed. */
  const withPart = (type: string, change: (outputs: Record<string, unknown>) => object): Exported => {
    const changed = (one: StackResource) => ({ ...one, outputs: { ...one.outputs, ...change({ ...one.outputs }) } });
    return exportedStack(shop.map((one) => (one.type === type ? changed(one) : one)));
  };

  it("make the plan incomplete if part of it is unreadable, and the commands report that part", () => {
    for (const [was, is] of [
      ["", ""],
      ['"checks":[]', '"checks":[{"name":"smtp","kind":"smtp","asks":"s"}]'],
      ['"checks":[]', '"checks":[{"name":7,"kind":"tcp","asks":"s"}]'],
      ['"checks":[]', '"checks":[],"goals":{"dataAgeSeconds":"1h"}'],
      ['"checks":[]', '"checks":[],"mustAnswer":true'],
      ['"restores":{', '"restores":{"mail":{"point":"10","checks":[]},'],
      ['"waves":[', '"waves":[{"restores":{}},'],
      ['"waves":[', '"wholeGoals":3600,"waves":['],
    ] as const) {
      const exported = withPart("PlanRun", ({ plan }) => ({ plan: String(plan).replace(was, is) }));
      const { result, reasons } = reports(exported)[0]?.verdict ?? assert.fail();
      assert.equal(result, is === "" ? "passed" : "incomplete", is);
      assert.match(reasons.join(), is === "" ? /^$/ : /cannot be read/);
      assert.equal(readStack(exported).unreadable.length, is === "" ? 0 : 1);
    }
  });

  it("are read from any state, however it has been edited", () => {
    const wrong: readonly (readonly [string, object])[] = [
      ["PlanRun", { run: 7 }],
      ["PlanRun", { plan: "{" }],
      ["PlanRun", { plan: '{"run":"2026-Q4","waves":[null,{"name":"data","restores":{"db":7}}]}' }],
      ["Wave", { record: "[]" }],
      ["WaveIntent", { restores: '{"entries":{"db":{"id":1}}}' }],
    ];
    for (const [type, outputs] of wrong)
      assert.notEqual(judged(withPart(type, () => outputs)).verdict, "passed", JSON.stringify(outputs));
    for (const nothing of [undefined, null, {}, { resources: 7 }, { resources: [null, {}] }])
      assert.deepEqual(restoresOfState(nothing), { restores: [], plans: [] });
  });
});
