import assert from "node:assert/strict";
import { choosePoint, PointLists } from "../../provider/points/choose-from-panel";
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

const choosing = (panel: SandboxClient, rule = newest, lists = new PointLists(panel.newClient())) =>
  panel.clock.run(choosePoint({ machine, rule, stateWords: [] }, lists, () => 0));
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
