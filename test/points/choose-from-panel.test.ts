import assert from "node:assert/strict";
import { choosePoint, PointLists } from "../../provider/points/choose-from-panel";
import type { Dialect } from "../../sandbox";
import { machine } from "../panel/support/clients";
import { sandboxClient, type SandboxClient } from "../support/sandbox-client";

const hour = 3600;
const day = 24 * hour;
const newest = { pick: "newest" } as const;
const recent = { ...newest, within: 2 * hour };

const panelWith = (dialect: Partial<Dialect> = {}): SandboxClient => {
  const recoveryPoints = [2 * day, day, 0].map((age, nth) => ({ id: 1007 + nth, ageSeconds: age + hour }));
  return sandboxClient("json", { dialect, scenario: { machines: [{ id: 42, recoveryPoints }] } });
};

const chosenOn = async (panel: SandboxClient, rule = newest, lists = new PointLists(panel.newClient())) =>
  (await panel.clock.run(choosePoint({ machine, rule, stateWords: [] }, lists, () => 0))).recoveryPointId;

// The tests of `ready` show how a panel causes each refusal.
describe("The choice of a machine's recovery point", () => {
  it("uses the panel's clock and not the runner's", async () => {
    assert.equal(await chosenOn(panelWith({ clockSkewSeconds: -5 * day }), recent), "1009");
  });

  it("uses one read of the list for all restores of a machine in a run", async () => {
    const panel = panelWith();
    const lists = new PointLists(panel.newClient());
    assert.equal(await chosenOn(panel, newest, lists), "1009");
    await panel.clock.advance(3 * hour * 1000);
    panel.sandbox.addRecoveryPoint(42);
    assert.equal(await chosenOn(panel, newest, lists), "1009");
    // Ages are counted from the read of the list, so the point is still an hour old three hours later.
    assert.equal(await chosenOn(panel, recent, lists), "1009");
    const reads = panel.sandbox.requests().filter(({ path }) => path.includes("recovery_points"));
    assert.equal(new Set(reads.map(({ at }) => at)).size, 1);
    assert.equal(await chosenOn(panel), "1010");
  });
});
