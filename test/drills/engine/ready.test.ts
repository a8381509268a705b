import assert from "node:assert/strict";
import { call } from "../../cli/support/call";
import { runReady } from "../../cli/support/run-ready";
import { PlanLab, planOfOne } from "./support/plan-lab";

/** After runs of a plan, `ready` must never report a better outcome than what really happened. */
describe("ready, after a run of a plan", () => {
  let lab: PlanLab;
  beforeEach(() => {
    lab = new PlanLab();
  });

  const exclude = ["wave-data", "verdict"];
  /** The state of each restore, and the findings about it. */
  async function said(): Promise<Readonly<Record<string, string>>> {
    const state = { version: 3, deployment: lab.deployment };
    const { ready } = await runReady({ state, provenWithinSeconds: 10 * 365 * 86_400 });
    const codesOf = (findings: readonly { readonly code: string }[]) =>
      findings.map(({ code }) => code).filter((code) => /^restore\.(?!other-panel)/.test(code));
    const all = ready.restores.map((one) => [one.name, [one.state, ...codesOf(one.findings)].join(", ")]);
    return Object.fromEntries(all) as Readonly<Record<string, string>>;
  }

  it("does not accept a run as proof of restores that were declared later", async () => {
    await lab.up(planOfOne());
    assert.deepEqual(await said(), { db: "complete" });
    await lab.up(planOfOne({ recoveryPointId: "11" }), { exclude: ["wave-data-intent", ...exclude] });
    assert.deepEqual(await said(), { db: "not sent, restore.changed-since, restore.not-sent" });
  });

  it("does not accept an earlier run as proof after a check was added", async () => {
    const [tcp, http] = [{ tcp: "db:1" }, { http: "http://db" }];
    const asked = (run: string, ...checks: object[]) => planOfOne({ checks }, { run });
    await lab.up(asked("Q1", tcp));
    await lab.up(asked("Q2", tcp), { exclude });
    assert.deepEqual(await said(), { db: "perhaps sent, restore.perhaps-sent" });
    await lab.up(asked("Q2", tcp, http), { exclude });
    assert.deepEqual(await said(), { db: "perhaps sent, restore.perhaps-sent, restore.changed-since" });
  });

  it("accepts an earlier run as proof if a new run's restore failed, but not if the same run's next restore failed", async () => {
    for (const [plan, found] of [
      [planOfOne({}, { run: "Q2" }), "failed, restore.failed"],
      [planOfOne({ triggers: [2] }), "failed, restore.failed, restore.not-proven"],
    ] as const) {
      lab = new PlanLab();
      await lab.up(planOfOne());
      lab.panel.onMade = (work) => (work.outcome = "failed");
      await lab.up(plan);
      assert.deepEqual(await said(), { db: found });
    }
  });

  it("does not accept a run on one panel as proof for a machine on another panel", async () => {
    await lab.up(planOfOne());
    const settings = { "recovery:endpoint": "https://other.example.com" };
    await lab.up(planOfOne({}, { run: "Q2" }), { settings, exclude });
    assert.deepEqual(await said(), { db: "perhaps sent, restore.perhaps-sent, restore.not-proven" });
  });

  it("reports, as `status` does, that the next `up` will refuse the same change again", async () => {
    await lab.up(planOfOne());
    const nextAfter = async (change: object): Promise<string> => {
      // As with `--skip-preview`, the wave's intent stores the change before the wave rejects it.
      const said = await lab.up(planOfOne(change));
      assert.match(said?.join("\n") ?? "", /^this `pulumi up` sent none of the wave's restores: db /);
      const state = JSON.stringify({ version: 3, deployment: lab.deployment });
      return (await call(["status", "--state", "-"], {}, state, undefined, { columns: 160 })).out;
    };
    const next = / nothing, unless the refused change in its wave is reverted, or made with new triggers/;
    assert.match(await nextAfter({ recoveryPointId: "11" }), next);
    assert.match(lab.reasons, /^db has not been sent since it was changed: `pulumi up` refused a change in its wave$/m);
    assert.match(await nextAfter({ virtualMachineId: "2" }), next);
  });
});
