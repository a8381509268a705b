import assert from "node:assert/strict";
import { call } from "../../cli/support/call";
import type { Report } from "../../../report";
import { calm } from "../../support/program";
import { OnStage } from "../stage";
import { named, stamped, trap } from "../trap";

/** What a command prints with --json. */
async function printed<Result>(command: string, deployment: object): Promise<Result> {
  const args = command === "report" ? ["report", "-"] : [command, "--state", "-"];
  const { out, err } = await call([...args, "--json"], {}, JSON.stringify({ version: 3, deployment }));
  assert.notEqual(out, "", err);
  return JSON.parse(out) as Result;
}

/** The state that a stack's run leaves whose engine was killed while it made a restore. */
function leftBy(stage: OnStage): object {
  const typeOf = (urn: string): string | undefined => urn.split("::")[2];
  const resources = stage.engine.state.map(({ urn, id, inputs, outputs, delete: isOld }) => {
    return { urn, type: typeOf(urn), id, inputs, outputs, delete: isOld };
  });
  const { urn = "" } = stage.stored(0) ?? {};
  const begun = { urn, type: typeOf(urn), inputs: { __intent: { id: stage.stored(0, "intent")?.id } } };
  return { resources, pending_operations: [{ type: "creating", resource: begun }] };
}

describe("the report of a run that was killed", () => {
  for (const [rows, row] of Object.entries({ "the machine": named, stamps: stamped }))
    it(`shows no time and no transaction of the run before it: rows with ${rows}`, async () => {
      const declared = [{ ...calm, point: "1007" }];
      const stage = new OnStage(trap({ row }), "json", { declared, restoreSeconds: 60 });
      await stage.up();
      await stage.time.advance(3_600_000);
      stage.newTriggers(0);
      await stage.killed(5_000);
      const state = leftBy(stage);
      const { run, verdict, waves } = await printed<Report>("report", state);
      assert.deepEqual([run.name, run.startedAt, verdict.result], ["generation 1", undefined, "incomplete"]);
      assert.deepEqual(waves[0]?.restores, [
        {
          name: "r0",
          kind: "VmRestore",
          virtualMachineId: "42",
          recoveryPointId: "1007",
          state: "sent",
          reason: "may have been sent: an `up` is under way, or has left no record of it",
          adopted: false,
          transactionIds: [],
          checks: [],
          warnings: [],
        },
      ]);
      const { restores } = await printed<{ restores: readonly Record<string, unknown>[] }>("status", state);
      assert.deepEqual([restores[0]?.["state"], restores[0]?.["transactions"]], ["sent", []]);
    });
});
