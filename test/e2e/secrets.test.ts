import assert from "node:assert/strict";
import * as recovery from "pulumi-recovery";
import { assertAllHidden, assertHidden, inParams, openPanel } from "./support/canaries";
import { inline } from "./support/inline";
import { impatient } from "./support/restores";
import { useScene } from "./support/scene";
import { saidBy, toldByTheCli, withoutProperties } from "./support/shown";
import { stored } from "./support/stored";
import { program } from "./support/kept-log";

const config = { "recovery:requestTimeout": "2s" };

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

  it("are hidden in the error of a restore that failed, which shows the end of its log", async () => {
    const panel = await openPanel(scene);
    panel.failNext(42, "failed");
    const stack = await scene.stack(program(), { config });

    const run = await stack.upFails();

    assert.match(run.stdout, /mount --options username=backup,password=\[secret\]/);
    await assertAllHidden(stack, run);
  });

  it("and the rest of a failed restore's log are shown, and again by each run that reports it, but are in no state", async () => {
    const panel = await openPanel(scene);
    panel.failNext(42, "failed");
    const web = (retryFailed: boolean) =>
      inline(() => {
        new recovery.VmRestore("web", {
          virtualMachineId: 42,
          recoveryPointId: 1007,
          retryFailed,
          timeouts: impatient,
        });
        return {};
      });
    const stack = await scene.stack(web(true), { config });
    const shown = /the end of its log, secrets masked:[^]*Executing restore_backup on[^]*Fatal: input\/output error/;

    const failed = await stack.upFails();
    stack.use(web(false));
    const repeated = await stack.upFails();

    assert.equal(panel.acceptedPosts(), 1);
    for (const run of [failed, repeated]) {
      const said = run.diagnostics.filter(({ urn, message }) => urn.endsWith("::web") && shown.test(message));
      assert.equal(said.length, 1, run.stdout);
      assert.match(run.stdout, shown);
    }
    assert.match(String((await stack.resource("web")).initErrors?.join()), /ended as failed/);
    assert.doesNotMatch(await stored(stack.place), /Fatal: input|Executing restore_backup|end of its log/);
    assert.doesNotMatch(await toldByTheCli(stack.place), /Fatal: input|Executing restore_backup|end of its log/);
    assert.match(
      JSON.stringify(await stack.exportState()),
      /Fatal: input/,
      "it is there for whoever may decrypt the state",
    );
    await assertAllHidden(stack, failed, repeated);
  });

  it("are hidden in the engine's most talkative log, as far as it is ours", async () => {
    const panel = await openPanel(scene);
    panel.failNext(42, "failed");
    const stack = await scene.stack(program(), { config });
    const run = await stack.upFails(verbose);
    assert.match(run.stderr, /"msg":/);
    assertHidden("the run", withoutProperties(saidBy(run)));
  });
});
