import assert from "node:assert/strict";
import { startSandbox } from "../../sandbox";
import { freshProcess, processOn } from "./support/fresh-process";

describe("a restore that diff wants kept", () => {
  it("is not posted when the engine creates it anew all the same, with the intent it had", async () => {
    const panel = await startSandbox({ speed: 50 });
    try {
      const { vmRestore } = processOn(panel);
      const target = { virtualMachineId: "42", recoveryPointId: "1007" };
      const inputsWith = (id: string, more: object) => ({
        ...target,
        ...more,
        __provider: "text",
        intent: {
          id,
          urn: "urn:pulumi:s::p::pulumi-nodejs:dynamic/recovery:RestoreIntent::web-vm-intent",
          process: "an earlier one",
          mark: { panel: panel.url, firstPageIds: [] },
          madeFor: { kind: "VmRestore", ...target },
        },
      });

      const cancelled = inputsWith("a", {});
      const stored = { ...cancelled, status: "cancelled", transactionId: "5012", transactionIds: ["5012"] };
      assert.deepEqual(vmRestore.diff("5012", stored, cancelled), { changes: true });
      const error: unknown = await vmRestore.create(cancelled).catch((thrown: unknown) => thrown);
      assert.match((error as { reasons: string[] }).reasons.join(), /was cancelled.*never retried by itself/s);
      assert.equal((error as { id: string }).id, "5012");

      const running = inputsWith("b", { wait: false });
      vmRestore.diff("5013", { ...running, status: "running", transactionIds: ["5013"] }, running);
      assert.equal((await vmRestore.create(running)).outs["status"], "running");
      assert.deepEqual(panel.requests(), []);
    } finally {
      await panel.stop();
    }
  });

  it("is stored again when the engine creates it anew and the settings are wrong: what was stored may be deleted by then", async () => {
    const { vmRestore } = freshProcess();
    vmRestore.configure({ config: { get: () => undefined } });
    const target = { virtualMachineId: "42", recoveryPointId: "1007" };
    const inputs = {
      ...target,
      __provider: "text",
      intent: {
        id: "c",
        urn: "urn:pulumi:s::p::pulumi-nodejs:dynamic/recovery:RestoreIntent::web-vm-intent",
        process: "an earlier one",
        mark: { panel: "http://127.0.0.1:1", firstPageIds: [] },
        madeFor: { kind: "VmRestore", ...target },
      },
    };
    vmRestore.diff("5012", { ...inputs, status: "running", transactionId: "5012", transactionIds: ["5012"] }, inputs);
    const error = (await vmRestore.create(inputs).catch((thrown: unknown) => thrown)) as {
      id: string;
      reasons: string[];
      properties: Record<string, unknown>;
    };
    assert.equal(error.id, "5012");
    assert.match(
      error.reasons.join(),
      /machine 42.*transaction 5012, running\) stays as it is stored, and nothing was sent: .*endpoint/s,
    );
    assert.equal(error.properties["status"], "running");
    assert.equal(error.properties["__provider"], "text");
  });
});
