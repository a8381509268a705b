import assert from "node:assert/strict";
import { resourceTypes } from "../../provider/names/resource-names";
import { operationsIn } from "../../provider/operations";
import { createProviderProcess } from "../../provider/process/provider-process";

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
