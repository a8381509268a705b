import assert from "node:assert/strict";
import { Replacements } from "../../provider/engine/memory";
import type { RestoreRecord } from "../../provider/inputs/record";

const recorded = (status: RestoreRecord["status"], ...transactionIds: string[]): RestoreRecord => ({
  status,
  transactionIds,
  adopted: false,
  warnings: [],
});

describe("a restore that was replaced without its intent", () => {
  it("is told by the transaction that the new one adopted and the old one had, whichever comes first", () => {
    const createdFirst = new Replacements();
    assert.equal(createdFirst.adopted("i", recorded("complete", "7", "8")), undefined);
    assert.equal(createdFirst.deleted("i", recorded("complete", "8")), "8");
    const deletedFirst = new Replacements();
    assert.equal(deletedFirst.deleted("i", recorded("failed", "7")), undefined);
    assert.equal(deletedFirst.adopted("i", recorded("complete", "6", "7")), "7");
  });

  it("is none when it had not ended by then: it ended in this run", () => {
    const replacements = new Replacements();
    assert.equal(replacements.deleted("i", recorded("running", "7")), undefined);
    assert.equal(replacements.adopted("i", recorded("complete", "7")), undefined);
    assert.equal(replacements.deleted("i", recorded("running", "7")), undefined);
  });

  it("is none with another transaction, or of another intent", () => {
    const replacements = new Replacements();
    assert.equal(replacements.adopted("i", recorded("complete", "7")), undefined);
    assert.equal(replacements.deleted("i", recorded("complete", "6")), undefined);
    assert.equal(replacements.deleted("j", recorded("complete", "7")), undefined);
  });
});
