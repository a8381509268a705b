import assert from "node:assert/strict";
import { startSandbox } from "../../sandbox";
import { processOn } from "./support/fresh-process";
import { resourceTypes } from "../../provider/inputs/resource-names";
import { operationsIn } from "../../provider/engine";
import { createProviderProcess } from "../../provider/engine/process";

describe("a stored restore whose transaction is not known", () => {
  const panel = "http://127.0.0.1:1";
  const target = { virtualMachineId: "42", recoveryPointId: "1007" };
  const takenAt = "2026-11-21T10:00:00.000Z";
  const mark = { panel, firstPageIds: ["5000"], newestId: "5000", takenAt };
  const inputs = {
    ...target,
    wait: false,
    intent: {
      id: "first",
      urn: "urn:pulumi:s::p::pulumi-nodejs:dynamic/recovery:RestoreIntent::web-vm-intent",
      process: "an earlier one",
      madeAt: takenAt,
      mark,
      madeFor: { kind: "VmRestore", ...target },
    },
  };
  /** When others were posted that the next restore of the machine has to reckon with. */
  function after(stored: object): readonly number[] {
    const here = createProviderProcess({ types: resourceTypes, engineAddress: undefined, sources: [] });
    operationsIn(here).VmRestore.diff("x", { ...inputs, ...stored }, inputs);
    return here.claims.othersUnlisted("42", "second");
  }

  it("is remembered for the next one of the machine, with the time of its POST", () => {
    assert.deepEqual(after({ status: "accepted", transactionIds: [], postedAfter: mark }), [Date.parse(takenAt)]);
    assert.deepEqual(after({ status: "unknown", transactionIds: [], postedAfter: mark }), [Date.parse(takenAt)]);
  });

  it("is no more once it is known, has ended, or does not say when it was posted", () => {
    assert.deepEqual(after({ status: "running", transactionIds: ["5001"], postedAfter: mark }), []);
    assert.deepEqual(after({ status: "complete", transactionIds: [] }), []);
    assert.deepEqual(after({ status: "accepted", transactionIds: [], postedAfter: { panel } }), []);
  });
});

describe("a stored restore that is looked for by an update", () => {
  it("is not found in what stands above the mark of another one that was posted later", async () => {
    const panel = await startSandbox({ speed: 50 });
    try {
      const older = panel.addTransaction({ machineId: 43, action: "work", status: "complete" });
      panel.postRestoreAsSomebodyElse(42, 1007, { seconds: 1 });
      const { vmRestore } = processOn(panel, { "recovery:requestTimeout": "1s" });
      const of = (id: string, newestId: string, minutesAgo: number) => {
        const taken = new Date(Date.now() - minutesAgo * 60_000).toISOString();
        const mark = { panel: panel.url, newestId, takenAt: taken, firstPageIds: [newestId] };
        const target = { virtualMachineId: "42", recoveryPointId: "1007" };
        const urn = `urn:pulumi:s::p::pulumi-nodejs:dynamic/recovery:RestoreIntent::${id}-vm-intent`;
        const madeFor = { kind: "VmRestore", ...target };
        const intent = { id, urn, process: "an earlier one", madeAt: taken, mark, madeFor };
        const inputs = { ...target, timeouts: { listed: 1 }, __provider: "text", intent };
        return { inputs, stored: { ...inputs, status: "unknown", transactionIds: [], postedAfter: mark } };
      };
      const [unlisted, later] = [of("unlisted", "5000", 10), of("later", older, 0)];
      for (const { stored, inputs } of [later, unlisted]) vmRestore.diff("x", stored, inputs);
      const error = await vmRestore.update("x", unlisted.stored, unlisted.inputs).then(
        ({ outs }) => assert.fail(`took ${String(outs["transactionId"])}`),
        (thrown: unknown) => thrown as { properties: Record<string, unknown> },
      );
      assert.deepEqual([error.properties["status"], error.properties["transactionIds"]], ["unknown", []]);
    } finally {
      await panel.stop();
    }
  });
});
