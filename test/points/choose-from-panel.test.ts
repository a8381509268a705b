import assert from "node:assert/strict";
import { choosePoint, PointLists, type PointRequest } from "../../provider/points/choose-from-panel";
import type { PanelOptions, RecoveryPointSpec } from "../../sandbox";
import { machine } from "../panel/support/clients";
import { sandboxClient, type SandboxClient } from "../support/sandbox-client";

const hour = 3600;
const day = 24 * hour;
const recent = { pick: "newest", within: 2 * hour } as const;

const panelWith = (recoveryPoints: readonly RecoveryPointSpec[], more: PanelOptions = {}): SandboxClient =>
  sandboxClient("json", { scenario: { machines: [{ id: 42, recoveryPoints }] }, ...more });

const choosing = (
  panel: SandboxClient,
  request: Partial<PointRequest> = {},
  lists = new PointLists(panel.newClient()),
) => panel.clock.run(choosePoint({ machine, rule: { pick: "newest" }, stateWords: [], ...request }, lists, () => 0));

const three = [
  { id: 1007, ageSeconds: 2 * day + hour },
  { id: 1008, ageSeconds: day + hour },
  { id: 1009, ageSeconds: hour },
];

describe("The choice of a machine's recovery point", () => {
  it("uses the panel's clock and not the runner's", async () => {
    const panel = panelWith(three, { dialect: { clockSkewSeconds: -5 * day } });
    assert.equal((await choosing(panel, { rule: recent })).recoveryPointId, "1009");
  });

  it("uses one read of the list for all restores of a machine in a run", async () => {
    const panel = panelWith(three);
    const lists = new PointLists(panel.newClient());
    assert.equal((await choosing(panel, {}, lists)).recoveryPointId, "1009");
    await panel.clock.advance(3 * hour * 1000);
    panel.sandbox.addRecoveryPoint(42);
    assert.equal((await choosing(panel, {}, lists)).recoveryPointId, "1009");
    // Ages are counted from the read of the list, so the point is still an hour old three hours later.
    assert.equal((await choosing(panel, { rule: recent }, lists)).recoveryPointId, "1009");
    const reads = panel.sandbox.requests().filter(({ path }) => path.includes("recovery_points"));
    assert.equal(new Set(reads.map(({ at }) => at)).size, 1);
    assert.equal((await choosing(panel)).recoveryPointId, "1010");
  });

  it("names a newer point that was rejected, and the setting that would have allowed it", async () => {
    const panel = panelWith([...three, { id: 1010, ageSeconds: 60, state: "merging" }]);
    const { recoveryPointId, choice } = await choosing(panel);
    assert.equal(recoveryPointId, "1009");
    assert.match(
      choice.warnings.join("\n"),
      /^recovery point 1009 [^\n]* instead of 1010 [^\n]*recovery:pointStates[^\n]*$/,
    );
    const taken = await choosing(panel, { stateWords: ["merging"] });
    assert.deepEqual([taken.recoveryPointId, taken.choice.fitted, taken.choice.warnings], ["1010", 4, []]);
  });

  // The tests of `ready` show how a panel causes every other refusal.
  it("fails when the list cannot be read or may be incomplete, and the message says which", async () => {
    await assert.rejects(choosing(panelWith(three, { faults: { get: { serverError: 1 } } })), {
      why: "unread",
      message: /^no recovery point of machine 42 was chosen \(the newest\): [^]*GET \/virtual_machines/,
    });
    const twelve = Array.from({ length: 12 }, (_, index) => ({ id: index + 1 }));
    await assert.rejects(choosing(panelWith(twelve, { dialect: { pointPaging: "sizes", queryPaging: "ignored" } })), {
      why: "not whole",
      message: /the list may be incomplete: the panel returns the requested number of rows[^]*GET /,
    });
  });
});
