import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { unknown } from "@pulumi/pulumi/output";
import { constructRecoveryPlan } from "../../../drills/plugin/plan";
import { RecoveryPlan, type RecoveryPlanArgs } from "../../../provider";
import { runProgram, type ProgramRun } from "../../program/support/program-run";

const db = {
  ...{ virtualMachineId: "43", recoveryPointId: "8", recoveryPointTakenAt: "2026-11-20T02:00:00Z" },
  checks: [{ tcp: "db:5432", every: "2s" }],
};
const ids = { virtualMachineId: "42", recoveryPointId: "7" };
const front = {
  web: { ...ids, triggers: ["again"], timeouts: { run: "1h" } },
  content: { ...ids, paths: ["/srv"] },
  byRule: { virtualMachineId: "142", recoveryPoint: { pick: "random", within: "7d" } },
  byRuleOfPlan: { virtualMachineId: "143" },
};
const plan = {
  ...{ run: "first", kind: "recovery", notes: { owner: "platform" } },
  ...{ goals: { recoveryTime: "1h" }, incidentAt: "2026-11-20T09:30:00Z", recoveryPoint: "newest" },
  waves: [
    { name: "data", restores: { db } },
    { name: "front", restores: front },
  ],
};

/** Everything that was registered, with the type names that both languages share. */
function registered({ registrations }: ProgramRun<unknown>): unknown {
  const shared = (text: string): string => text.replaceAll("pulumi-nodejs:recovery:", "recovery:index:");
  return registrations
    .filter(({ type }) => type !== "pulumi:pulumi:Stack")
    .map(({ type, name, inputs, dependencies }) => ({
      type: shared(type),
      name,
      dependencies,
      inputs: JSON.parse(shared(JSON.stringify({ ...inputs, __provider: undefined }))) as unknown,
    }));
}

const constructed = (inputs: pulumi.Inputs): Promise<ProgramRun<unknown>> =>
  runProgram<unknown>(() => constructRecoveryPlan("shop", inputs, {}));

async function refusal(inputs: pulumi.Inputs, name = "shop"): Promise<pulumi.InputPropertiesError> {
  const made = () => constructRecoveryPlan(name, inputs, {});
  const run = await runProgram<unknown>(() => made().catch((thrown: unknown) => thrown));
  const error = run.result;
  assert.ok(pulumi.InputPropertiesError.isInstance(error), String(error));
  assert.deepEqual(registered(run), []);
  return error;
}

describe("a plan in another language", () => {
  it("registers the same resources as in TypeScript, in the same order, with the same secrets, whether its arguments are values or outputs", async () => {
    const checks = [{ http: pulumi.secret("https://secret") }];
    const secret = { virtualMachineId: "45", recoveryPointId: "9", checks };
    const last = { name: "last", restores: { secret } };
    const given = { ...plan, waves: [...plan.waves, last] };
    const inTypeScript = await runProgram(() => new RecoveryPlan("shop", given as unknown as RecoveryPlanArgs));
    const outputs = [...plan.waves.map((wave) => pulumi.output(wave)), last];
    const known = { ...plan, run: pulumi.output(plan.run), waves: outputs };
    for (const inputs of [given, known])
      assert.deepEqual(registered(await constructed(inputs)), registered(inTypeScript));
  });

  it("recognizes the resources of the same plan in TypeScript, so nothing is restored again", async () => {
    const run = await constructed(plan);
    for (const { type, name, aliases } of run.registrations) {
      if (type === "recovery:index:RecoveryPlan" || type === "pulumi:pulumi:Stack") continue;
      const before = type.replace("recovery:index:", "pulumi-nodejs:recovery:");
      assert.ok(JSON.stringify(aliases).includes(before), `${name}: ${JSON.stringify(aliases)}`);
    }
  });

  it("treats null as a missing value", async () => {
    const triggers = [null, "again", { at: null }];
    const waves = [plan.waves[0], { name: "front", restores: { web: { ...front.web, triggers } } }];
    const run = await constructed({ ...plan, waves });
    const { declared } = run.find("WaveIntent", "shop-wave-front-intent").inputs;
    assert.deepEqual((JSON.parse(String(declared)) as { web: { triggers: unknown } }).web.triggers, triggers);
  });

  it("shows a placeholder for an unknown value in a preview, however the SDK marks the value", async () => {
    for (const later of [pulumi.output(unknown), unknown]) {
      const waves = [{ name: "data", restores: { db: { ...db, virtualMachineId: later } } }];
      const inputs = { ...plan, incidentAt: later, waves };
      const run = await runProgram<unknown>(() => constructRecoveryPlan("shop", inputs, {}), "preview");
      const { declared } = run.find("WaveIntent", "shop-wave-data-intent").inputs;
      assert.equal(declared, '{"db":{"machine":"(known only later)","point":"8"}}');
    }
  });

  it("reports all mistakes at once with their paths, as in TypeScript, and creates nothing", async () => {
    const web = { virtualMachineId: "4/2", recoveryPointId: "7", checks: [{ http: "ftp://web" }] };
    const wrong = { ...plan, onFailure: "halt", waves: [plan.waves[0], { name: "front", restores: { web } }] };
    const { message, errors } = await refusal(wrong);
    assert.equal(message, 'RecoveryPlan "shop" was not created, and nothing was sent');
    const paths = errors?.map(({ propertyPath }) => propertyPath).join();
    assert.equal(paths, "onFailure,waves (not shown),waves (not shown)");
    await assert.rejects(
      runProgram(() => new RecoveryPlan("shop", wrong as unknown as RecoveryPlanArgs)),
      (error: Error) => (errors ?? []).every(({ reason }) => error.message.includes(reason)),
    );
  });

  it("is rejected if its name is invalid or would crash the engine", async () => {
    assert.match((await refusal(plan, "<{%shop%}>")).errors?.[0]?.reason ?? "", /the name of a RecoveryPlan is/);
    const wave = { name: "data", restores: { "<{%db%}>": { virtualMachineId: "1", recoveryPointId: "1" } } };
    const { errors } = await refusal({ run: "first", waves: [wave] });
    assert.ok(!JSON.stringify(errors).includes("<{%"));
  });
});
