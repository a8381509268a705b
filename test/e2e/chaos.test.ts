import assert from "node:assert/strict";
import { lost, unfinished, wrongs } from "./chaos/judge";
import type { Intent, Target } from "./chaos/world";

const target: Target = { machineId: "1000", recoveryPointId: "1", kind: "machine" };
const intent: Intent = { name: "web", target };
const other: Intent = { name: "db", target: { ...target, machineId: "1001" } };

const posted = (transactionId: string, status: "running" | "complete" | "failed", from: number, of = target) => {
  const { machineId, recoveryPointId, kind } = of;
  const ended = status === "running" ? {} : { endedAt: from + 10 };
  return { machineId, recoveryPointId, kind, transactionId, status, requestedAt: from, ...ended };
};

const stored = (name: string, outputs: Record<string, unknown>) => {
  const type = "pulumi-nodejs:dynamic/recovery:VmRestore";
  return { urn: `urn:pulumi:test::e2e::${type}::${name}`, type, outputs };
};

/** The judge of a storm: a storm that it lets through has to be a good one. */
describe("held against the panel's ledger", () => {
  const complete = stored("web", { status: "complete", transactionId: "7" });

  it("a restore that was posted once, and is what its state says, is well", () => {
    assert.deepEqual(wrongs([intent], [posted("7", "complete", 0)], [complete]), []);
    assert.deepEqual(unfinished([intent], [posted("7", "complete", 0)], [complete]), []);
    assert.deepEqual(lost([intent], [posted("7", "complete", 0)], [complete]), []);
  });

  it("one that had failed before the next was posted is well too", () => {
    assert.deepEqual(wrongs([intent], [posted("6", "failed", 0), posted("7", "complete", 11)], [complete]), []);
  });

  const cases: readonly [what: string, found: string[], line: RegExp][] = [
    [
      "a second restore after a good one",
      wrongs([intent], [posted("6", "complete", 0), posted("7", "complete", 20)], [complete]),
      /web was posted again \(7\) after 6, which is complete/,
    ],
    [
      "a second restore beside one that fails later",
      wrongs([intent], [posted("6", "failed", 0), posted("7", "complete", 5)], [complete]),
      /web was posted again \(7\)/,
    ],
    [
      "a failed restore called complete",
      wrongs([intent], [posted("7", "failed", 0)], [complete]),
      /complete in the state, and failed/,
    ],
    [
      "a running restore called complete",
      wrongs([intent], [posted("7", "running", 0)], [complete]),
      /complete in the state, and running/,
    ],
    [
      "a complete restore without a transaction",
      wrongs([intent], [], [stored("web", { status: "complete" })]),
      /which is no restore/,
    ],
    [
      "another machine's transaction",
      wrongs([intent, other], [posted("7", "complete", 0, other.target)], [complete]),
      /web has taken transaction 7, which is another's/,
    ],
    [
      "a restore of what nobody asked for",
      wrongs([intent], [posted("8", "complete", 0, other.target)], []),
      /transaction 8 restores what nobody asked for/,
    ],
    [
      "an intent that was left out",
      unfinished([intent], [], []),
      /web is undefined in the state\nweb was restored 0 times/,
    ],
  ];

  for (const [what, found, line] of cases) it(`${what} is told`, () => assert.match(found.join("\n"), line));

  it("of one that is being replaced, the new one counts", () => {
    const old = { ...stored("web", { status: "failed", transactionId: "6" }), delete: true };
    const ledger = [posted("6", "failed", 0), posted("7", "complete", 11)];
    for (const both of [
      [complete, old],
      [old, complete],
    ])
      assert.deepEqual(unfinished([intent], ledger, both), []);
  });

  it("a request that was lost is told from one that is only not known of yet", () => {
    const unknown = stored("web", { status: "unknown" });
    assert.deepEqual(lost([intent], [], [unknown]), [intent]);
    assert.deepEqual(lost([intent], [posted("7", "running", 0)], [unknown]), []);
    assert.deepEqual(lost([intent], [posted("7", "complete", 0)], [unknown]), []);
  });
});
