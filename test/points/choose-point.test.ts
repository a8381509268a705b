import assert from "node:assert/strict";
import type { PanelClient } from "../../provider/panel/types";
import { choosePoint, PointLists } from "../../provider/points/choose-point";
import type { PanelOptions } from "../../sandbox";
import { machine } from "../panel/support/clients";
import { sandboxClient, type SandboxClient } from "../support/sandbox-client";

const hour = 3600;
const day = 24 * hour;
const newest = { pick: "newest" } as const;
const recent = { ...newest, within: 2 * hour };

const panelWith = (options: PanelOptions = {}): SandboxClient => {
  const recoveryPoints = [2 * day, day, 0].map((age, nth) => ({ id: 1007 + nth, ageSeconds: age + hour }));
  return sandboxClient("json", { scenario: { machines: [{ id: 42, recoveryPoints }] }, ...options });
};

const choosing = async (panel: SandboxClient, rule = newest, points = new PointLists(panel.newClient())) => {
  const inputs = { virtualMachineId: machine, recoveryPoint: rule };
  const chosen = await panel.clock.run(choosePoint(inputs, { points, pointStates: [] }, () => 0));
  assert.ok(chosen && "recoveryPointId" in chosen);
  return chosen;
};
const chosenOn = async (...given: Parameters<typeof choosing>) => (await choosing(...given)).recoveryPointId;

describe("Choosing a machine's recovery point", () => {
  it("uses the panel's clock, not the runner's", async () => {
    assert.equal(await chosenOn(panelWith({ dialect: { clockSkewSeconds: -5 * day } }), recent), "1009");
  });

  it("reads the list only once per run for all restores of the machine", async () => {
    const panel = panelWith();
    const lists = new PointLists(panel.newClient());
    assert.equal(await chosenOn(panel, newest, lists), "1009");
    await panel.clock.advance(3 * hour * 1000);
    panel.sandbox.addRecoveryPoint(42);
    assert.equal(await chosenOn(panel, newest, lists), "1009");
    // Ages are measured when the list is read, so the point still counts as an hour old three hours later.
    assert.equal(await chosenOn(panel, recent, lists), "1009");
    const reads = panel.sandbox.requests().filter(({ path }) => path.includes("recovery_points"));
    assert.equal(new Set(reads.map(({ at }) => at)).size, 1);
    assert.equal(await chosenOn(panel), "1010");
  });

  it("reports a newer point that was rejected, and the setting that would have allowed it", async () => {
    const panel = panelWith();
    panel.sandbox.addRecoveryPoint(42, { state: "merging" });
    const { recoveryPointId, choice } = await choosing(panel);
    assert.equal(recoveryPointId, "1009");
    const said = /^recovery point 1009 [^\n]* instead of 1010 [^\n]*recovery:pointStates[^\n]*$/;
    assert.match(choice.warnings.join("\n"), said);
  });

  // The tests for `ready` cover all other reasons for choosing no point.
  it("fails if the list cannot be read or may be incomplete, and says which is the case", async () => {
    await assert.rejects(choosing(panelWith({ faults: { get: { serverError: 1 } } })), {
      message: /^no recovery point of machine 42 was chosen \(the newest\): [^]*GET \/virtual_machines/,
    });
    await assert.rejects(choosing(panelWith({ dialect: { pointList: "forbidden" } })), {
      message: /recovery points could not be read: the panel knows this user but does not permit this request/,
    });
    const two = { machines: [42, 43].map((id) => ({ id, recoveryPoints: [id] })) };
    await assert.rejects(choosing(panelWith({ scenario: two, dialect: { pointMachines: "all" } })), {
      message: /the machine's list of recovery points also contains points of other machines \(43\)/,
    });
    const twelve = Array.from({ length: 12 }, (_, index) => ({ id: index + 1 }));
    const scenario = { machines: [{ id: 42, recoveryPoints: twelve }] };
    const sizesOnly = { pointPaging: "sizes", queryPaging: "ignored" } as const;
    await assert.rejects(choosing(panelWith({ scenario, dialect: sizesOnly })), {
      message: /the list may be incomplete: the panel returns the requested number of rows[^]*GET /,
    });
  });
});

const taken = ["2026-11-19T02:00:00Z", "2026-11-20T02:00:00Z"] as const;
const rows = taken.map((createdAt, at) => ({ id: String(at + 7), createdAt, fields: {} }));
const listing = { listRecoveryPoints: () => Promise.resolve({ items: rows, skipped: 0 }) };
const access = { points: new PointLists(listing as unknown as PanelClient), pointStates: [] };
const choice = { listed: 2, warnings: [] };
const byRule = { virtualMachineId: "42", recoveryPoint: { pick: "newest" } };
const chosenNewest = { recoveryPointId: "8", choice: { ...choice, fitted: 2, recoveryPointTakenAt: taken[1] } };

describe("the recovery point for an intent", () => {
  const incidentAt = "2026-11-20T01:00:00Z";
  const older = { recoveryPointId: "7", choice: { ...choice, fitted: 1, recoveryPointTakenAt: taken[0], incidentAt } };
  const ofOwnTime = { ...byRule, recoveryPoint: { before: "2026-11-21T00:00:00Z" } };
  const table: readonly [name: string, inputs: object, chosen: unknown][] = [
    ["is not chosen if there is no rule", { virtualMachineId: "42", recoveryPointId: "7" }, undefined],
    ["is chosen by a rule", byRule, chosenNewest],
    ["is from before the incident if the rule sets no time", { ...byRule, incidentAt }, older],
    [
      "is from before the rule's own time, even if it is from after the incident",
      { ...ofOwnTime, incidentAt },
      chosenNewest,
    ],
    ["is not chosen if adopt names a transaction", { ...byRule, __takes: 5010 }, { choice: {} }],
    ["is chosen even if adopt is invalid, which check reports", { ...byRule, __takes: "the last" }, chosenNewest],
    ["is not chosen if check rejects the rule", { ...byRule, recoveryPoint: "latest" }, undefined],
    ["is not chosen if check rejects the machine", { ...byRule, virtualMachineId: "4/2" }, undefined],
  ];
  for (const [name, inputs, chosen] of table) {
    it(name, async () => {
      assert.deepEqual(await choosePoint({ ...inputs }, access), chosen);
    });
  }

  it("cannot be chosen if the inputs also set an id", async () => {
    await assert.rejects(choosePoint({ ...byRule, recoveryPointId: "7" }, access), /are both set/);
  });
});
