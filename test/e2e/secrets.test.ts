import assert from "node:assert/strict";
import * as recovery from "pulumi-recovery";
import { assertAllHidden, assertHidden, inParams, openPanel } from "./support/canaries";
import { inline } from "./support/inline";
import { impatient } from "./support/restores";
import { useScene } from "./support/scene";
import { saidBy, withoutProperties } from "./support/shown";

/** A restore whose log is kept, and everything that the functions can bring into the outputs. */
const program = (timeouts: recovery.RestoreTimeoutsArgs = impatient) =>
  inline(() => {
    const web = new recovery.VmRestore("web", {
      virtualMachineId: 42,
      recoveryPointId: 1007,
      captureLog: "always",
      timeouts,
    });
    return {
      restore: web,
      log: web.logOutput,
      warnings: web.warnings,
      detailed: recovery.getTransactionsOutput({ detailed: true, limit: 5 }, { dependsOn: web }),
      plain: recovery.getTransactionsOutput({ limit: 5 }, { dependsOn: web }),
      ofMachine: recovery.getVmLogsOutput({ virtualMachineId: 42 }, { dependsOn: web }),
    };
  });

const config = { "recovery:requestTimeout": "4s" };

describe("secrets on the real engine", () => {
  const scene = useScene();

  /** The engine's most talkative log beside everything else. */
  const verbose = { logVerbosity: 9, logToStdErr: true, logFlow: true };

  it("are hidden after a restore whose log is kept, and what is exported of it is marked secret", async () => {
    await openPanel(scene);
    const stack = await scene.stack(program(), { config });

    const runs = [await stack.up(), await stack.refresh(), await stack.up()];

    const { log, detailed } = runs[0]?.outputs ?? {};
    assert.ok(String(log?.value).includes(inParams), "the log is there, as it was written");
    assert.ok(JSON.stringify(detailed?.value).includes(inParams), "and so are the parameters");
    assert.deepEqual([log?.secret, detailed?.secret], [true, true]);
    await assertAllHidden(stack, ...runs);
    await assertAllHidden(stack, await stack.destroy());
  });

  it("are hidden in the error of a restore that failed, which shows the end of its log, and in the engine's most talkative log", async () => {
    const panel = await openPanel(scene);
    panel.failNext(42, "failed");
    const stack = await scene.stack(program(), { config });

    const run = await stack.upFails(verbose);

    assert.match(run.stdout, /mount --options username=backup,password=\[secret\]/);
    assert.match(run.stderr, /"msg":/);
    // The engine spells out what it receives, in this log alone.
    assertHidden("the run", withoutProperties(saidBy(run)));
    await assertAllHidden(stack);
  });
});
