import assert from "node:assert/strict";
import { configuredProcess } from "./support/fresh-process";

const target = { virtualMachineId: "42", recoveryPointId: "1007" };
const cancelled = {
  ...target,
  status: "cancelled",
  transactionId: "5012",
  transactionIds: ["5012"],
  adopted: false,
  warnings: [],
  logOutput: "calling home as admin tr0ub4dor\nCancelled by an operator",
};
const connected = {
  "recovery:endpoint": "https://panel.example",
  "recovery:username": "admin",
  "recovery:password": "tr0ub4dor",
};

describe("the stored log of an unsuccessful restore", () => {
  for (const [what, settings] of Object.entries({ known: connected, unknown: {} }))
    it(`appears in none of the reasons for a later error if the password is ${what}, because the engine stores reasons in plain text`, async () => {
      const update = configuredProcess(settings).vmRestore.update("5012", cancelled, target);
      await assert.rejects(update, ({ reasons }: Error & { readonly reasons: readonly string[] }) => {
        assert.match(reasons.join(), /was cancelled/);
        assert.doesNotMatch(reasons.join(), /calling home|tr0ub4dor|Cancelled by an operator|end of its log/);
        return true;
      });
    });
});
