import assert from "node:assert/strict";
import { inspect } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import { getRecoveryPoints, getTransactions, getVmLogs, getVmLogsOutput } from "../../provider";
import { withSandbox } from "../sandbox/support/ask";
import { freePort } from "../support/listening";
import { withoutConnection } from "./support/environment";
import { connectionTo, seen, startEngine } from "./support/program";
import { heardWarnings } from "./support/heard";

async function errorOf(call: PromiseLike<unknown>): Promise<Error> {
  try {
    await call;
  } catch (error) {
    assert.ok(error instanceof Error);
    assert.ok(pulumi.RunError.isInstance(error), "the SDK prints no stack trace");
    assert.equal(error.stack, "");
    return error;
  }
  assert.fail("should have failed");
}

describe("a function that fails", () => {
  withoutConnection();

  for (const run of ["preview", "up"] as const) {
    it(`names itself and the panel's address if the panel is unreachable (${run})`, async () => {
      const endpoint = `http://127.0.0.1:${String(await freePort())}`;
      const connection = connectionTo({ url: endpoint, username: "ops", password: "s3cret" });
      await startEngine({ run, config: { ...connection, "recovery:requestTimeout": "0.5s" } });
      for (const error of [
        await errorOf(getVmLogs({ virtualMachineId: 42 })),
        await errorOf(seen(getVmLogsOutput({ virtualMachineId: 42 }))),
      ]) {
        assert.ok(error.message.startsWith(`getVmLogs: could not read the log of virtual machine 42 on ${endpoint}: `));
        assert.ok(error.cause instanceof Error && error.cause.name === "PanelError");
        // Printing a stack trace would take time, and the SDK would print the cause's stack trace as well.
        assert.doesNotMatch(inspect(error, { showHidden: true, depth: 12 }), /s3cret|b3BzOnMzY3JldA|node_modules/);
      }
    });
  }

  for (const [what, dialect, message] of [
    [
      "when the panel lists no recovery points",
      { pointList: "missing" },
      /^getRecoveryPoints: could not read the recovery points of virtual machine 42 on [^ ]+: the panel has nothing at this path \(status 404\)\. Correct the id of the machine or [^]*GET \/virtual_machines\/42\/backups\/recovery_points\.json on /,
    ],
    [
      "when the list contains other machines' points",
      { pointMachines: "all" },
      /^getRecoveryPoints: could not read .*: the machine's list of recovery points also contains points of other machines \(43\), so the list cannot be trusted\.\n/,
    ],
  ] as const) {
    it(`says what is wrong ${what}`, async () => {
      const machines = [42, 43].map((id) => ({ id, recoveryPoints: [id] }));
      await withSandbox({ scenario: { machines }, dialect }, async (panel) => {
        await startEngine({ config: connectionTo(panel) });
        assert.match((await errorOf(getRecoveryPoints({ virtualMachineId: 42 }))).message, message);
      });
    });
  }
});

describe("the functions' warnings", () => {
  withoutConnection();
  const heard = heardWarnings();

  it("mention an unverified certificate once per run, however often the panel is read", async () => {
    const url = `https://127.0.0.1:${String(await freePort())}`;
    const settings = { "recovery:insecure": "true", "recovery:requestTimeout": "0.2s" };
    await startEngine({ config: { ...connectionTo({ url, username: "u", password: "p" }), ...settings } });
    await errorOf(getTransactions());
    await errorOf(getTransactions());
    assert.equal(heard.filter((one) => one.includes("not checked")).length, 1);
  });
});
