import assert from "node:assert/strict";
import { type PointRule, readPointRule } from "../../provider/inputs/read-point-rule";
import type { MachineId } from "../../provider/panel/types";
import { type PointAndChoice, choosePoint, PointLists } from "../../provider/points/choose-from-panel";
import { MessageError } from "../../provider/plain/message";
import type { Dialect, PanelOptions, RecoveryPointSpec } from "../../sandbox";
import { sandboxClient, type SandboxClient } from "../support/sandbox-client";

const hour = 3600;
const day = 24 * hour;
const machine = "42" as MachineId;

function rule(value: unknown): PointRule {
  const reading = readPointRule(value);
  assert.ok("value" in reading);
  return reading.value;
}

function panelWith(
  recoveryPoints: readonly RecoveryPointSpec[],
  dialect: Partial<Dialect> = {},
  more: PanelOptions = {},
): SandboxClient {
  return sandboxClient("json", {
    dialect,
    scenario: {
      machines: [
        { id: 42, recoveryPoints },
        { id: 43, recoveryPoints: [77] },
      ],
    },
    ...more,
  });
}

interface Asking {
  readonly given?: unknown;
  readonly stateWords?: readonly string[];
  readonly lists?: PointLists;
}

function choosing(
  panel: SandboxClient,
  { given = "newest", stateWords = [], lists }: Asking = {},
): Promise<PointAndChoice> {
  const read = lists ?? new PointLists(panel.newClient());
  return panel.clock.run(choosePoint({ machine, rule: rule(given), stateWords }, read, () => 0));
}

async function refusalOf(panel: SandboxClient, asking: Asking = {}): Promise<MessageError & { readonly why: unknown }> {
  const error: unknown = await choosing(panel, asking).then(
    () => new Error("it chose one"),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof MessageError && "why" in error, String(error));
  assert.equal(panel.sandbox.acceptedPosts(), 0);
  return error;
}

const three = [
  { id: 1007, ageSeconds: 2 * day + hour },
  { id: 1008, ageSeconds: day + hour },
  { id: 1009, ageSeconds: hour },
];

describe("The choice of a machine's recovery point", () => {
  it("is stored with the point, its time, and how many points were listed and matched", async () => {
    const panel = panelWith(three);
    const at = (secondsAgo: number): string =>
      new Date(panel.clock.now() - secondsAgo * 1000).toISOString().replace(".000Z", "Z");
    assert.deepEqual(await choosing(panel), {
      recoveryPointId: "1009",
      choice: { recoveryPointTakenAt: at(hour), listed: 3, fitted: 3, warnings: [] },
    });
    assert.deepEqual(await choosing(panel, { given: { within: "2d", pick: "oldest" } }), {
      recoveryPointId: "1008",
      choice: { recoveryPointTakenAt: at(day + hour), listed: 3, fitted: 2, warnings: [] },
    });
  });

  it("uses the panel's clock and not the runner's", async () => {
    const panel = panelWith(three, { clockSkewSeconds: -5 * day });
    assert.equal((await choosing(panel, { given: { within: "2h" } })).recoveryPointId, "1009");
  });

  it("uses one read of the list for all restores of a machine in a run", async () => {
    const panel = panelWith(three);
    const lists = new PointLists(panel.newClient());
    assert.equal((await choosing(panel, { lists })).recoveryPointId, "1009");
    await panel.clock.advance(3 * hour * 1000);
    panel.sandbox.addRecoveryPoint(42);
    assert.equal((await choosing(panel, { lists })).recoveryPointId, "1009");
    // Ages are counted from the read of the list, so the point is still an hour old three hours later.
    assert.equal((await choosing(panel, { lists, given: { within: "2h" } })).recoveryPointId, "1009");
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
      /^recovery point 1009 [^\n]*, and not 1010 [^\n]*recovery:pointStates[^\n]*$/,
    );
    const taken = await choosing(panel, { stateWords: ["merging"] });
    assert.deepEqual([taken.recoveryPointId, taken.choice.fitted, taken.choice.warnings], ["1010", 4, []]);
  });

  // The tests of `ready` show how a panel causes every other refusal.
  it("fails when the list cannot be read or may be incomplete, and the message says which", async () => {
    const unread = await refusalOf(panelWith(three, {}, { faults: { get: { serverError: 1 } } }));
    assert.equal(unread.why, "unread");
    assert.match(
      unread.message,
      /^no recovery point of machine 42 was chosen \(the newest\): [^]*GET \/virtual_machines/,
    );
    const twelve = Array.from({ length: 12 }, (_, index) => ({ id: index + 1 }));
    const part = await refusalOf(panelWith(twelve, { pointPaging: "sizes", queryPaging: "ignored" }));
    assert.equal(part.why, "not whole");
    assert.match(part.message, /the list may be incomplete: the panel returns the requested number of rows[^]*GET /);
  });
});
