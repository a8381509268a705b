import assert from "node:assert/strict";
import type { PanelClient } from "../../provider/panel/types";
import { PointLists } from "../../provider/points/choose-from-panel";
import { choosePointOfInputs } from "../../provider/points/choose-point-of-inputs";

const taken = ["2026-11-19T02:00:00Z", "2026-11-20T02:00:00Z"] as const;
const rows = taken.map((createdAt, at) => ({ id: String(at + 7), createdAt, fields: {} }));
const listing = { listRecoveryPoints: () => Promise.resolve({ items: rows, skipped: 0 }) };
const access = { points: new PointLists(listing as unknown as PanelClient), pointStates: [] };
const choice = { listed: 2, warnings: [] };
const rule = { virtualMachineId: "42", recoveryPoint: { pick: "newest" } };
const newest = { recoveryPointId: "8", choice: { ...choice, fitted: 2, recoveryPointTakenAt: taken[1] } };

describe("the recovery point for an intent", () => {
  const incidentAt = "2026-11-20T01:00:00Z";
  const older = { recoveryPointId: "7", choice: { ...choice, fitted: 1, recoveryPointTakenAt: taken[0], incidentAt } };
  const ofOwnTime = { ...rule, recoveryPoint: { before: "2026-11-21T00:00:00Z" } };
  const table: readonly [name: string, inputs: object, chosen: unknown][] = [
    ["is not chosen if there is no rule", { virtualMachineId: "42", recoveryPointId: "7" }, undefined],
    ["is chosen by a rule", rule, newest],
    ["is from before the incident if the rule sets no time", { ...rule, incidentAt }, older],
    ["is from before the rule's own time, even if it is from after the incident", { ...ofOwnTime, incidentAt }, newest],
    ["is not chosen if adopt names a transaction", { ...rule, __takes: 5010 }, { choice: {} }],
    ["is chosen even if adopt is invalid, which check reports", { ...rule, __takes: "the last" }, newest],
    ["is not chosen if check rejects the rule", { ...rule, recoveryPoint: "latest" }, undefined],
    ["is not chosen if check rejects the machine", { ...rule, virtualMachineId: "4/2" }, undefined],
  ];
  for (const [name, inputs, chosen] of table) {
    it(name, async () => {
      assert.deepEqual(await choosePointOfInputs({ ...inputs }, access), chosen);
    });
  }

  it("cannot be chosen if the inputs also set an id", async () => {
    await assert.rejects(choosePointOfInputs({ ...rule, recoveryPointId: "7" }, access), /are both set/);
  });
});
