import assert from "node:assert/strict";
import { configuredProcess } from "./support/fresh-process";

const cancelled = {
  virtualMachineId: "42",
  recoveryPointId: "1007",
  status: "cancelled",
  transactionId: "5012",
  transactionIds: ["5012"],
  adopted: false,
  warnings: [],
  logOutput: "calling home as admin tr0ub4dor\nCancelled by an operator",
};

const reasonsOf = async (settings: Readonly<Record<string, string>>): Promise<string> => {
  const { vmRestore } = configuredProcess(settings);
  const error: unknown = await vmRestore
    .update("5012", cancelled, { virtualMachineId: "42", recoveryPointId: "1007" })
    .then(
      () => assert.fail("an update never turns a cancelled restore good"),
      (reason: unknown) => reason,
    );
  return (error as { reasons: string[] }).reasons.join("\n");
};

describe("the log of a failed restore in a later run", () => {
  it("appears in no reason, because the engine stores reasons in plain text", async () => {
    const reasons = await reasonsOf({
      "recovery:endpoint": "https://panel.example",
      "recovery:username": "admin",
      "recovery:password": "tr0ub4dor",
    });
    assert.match(reasons, /was cancelled/);
    assert.doesNotMatch(reasons, /calling home|Cancelled by an operator/);
  });

  it("is not shown when the password is unknown", async () => {
    const reasons = await reasonsOf({});
    assert.match(reasons, /was cancelled/);
    assert.doesNotMatch(reasons, /tr0ub4dor|end of its log/);
  });
});
