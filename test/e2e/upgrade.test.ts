import assert from "node:assert/strict";
import type { Deployment } from "@pulumi/pulumi/automation";
import { commands } from "../../cli/commands";
import { run } from "../../cli/run";
import { report } from "../../report";
import { type KeptState, keptPanel, keptStack, keptStates, nowhere } from "./support/kept-state";
import { posts } from "./support/posts";
import { useScene, type Sandbox } from "./support/scene";
import type { StoredResource } from "./support/stored";
import { long } from "../support/thorough";

describe("the state that a release wrote", () => {
  const scene = useScene();

  it("is kept of at least one release", () => {
    assert.ok(keptStates().length > 0);
  });

  for (const [release, kept] of keptStates()) {
    it(`${release}: report and ready read it, and pass nothing that was left in the middle`, async () => {
      const panel = await scene.panel();
      for (const [part, state] of Object.entries(kept) as [keyof KeptState, Deployment][]) {
        const { result } = report(on(panel, state)).verdict;
        assert.equal(
          result,
          { finished: "passed", unfinished: "failed", plan: "incomplete", pairs: "incomplete" }[part],
        );
        const { code, said } = await ready(panel, on(panel, state));
        assert.deepEqual(
          [code, /not ended yet|All 3 restores are ready/.test(said)],
          [part === "finished" ? 0 : 1, true],
        );
        if (part === "pairs") assert.match(said, / !! {2}app +44 .* unconfirmed/);
      }
      assert.deepEqual(posts(panel), []);
    });

    long.it(
      `${release}: finished restores are no change, are refreshed and destroyed, without a request to any panel`,
      async () => {
        const panel = await scene.panel();
        const stack = await keptStack(scene, "finished", { "e2e:endpoint": nowhere });
        await stack.importState(kept.finished);

        await stack.preview({ expectNoChanges: true });
        await stack.refresh({ expectNoChanges: true });
        const { outputs } = await stack.up({ expectNoChanges: true });
        await stack.destroy();

        assert.deepEqual(outputs["statuses"]?.value, ["complete", "complete"]);
        assert.match(String(outputs["log"]?.value), /Finished successfully/);
        assert.equal(outputs["log"]?.secret, true);
        assert.deepEqual(await stack.resources(), []);
        assert.deepEqual(panel.requests(), []);
      },
    );

    it(`${release}: unfinished restores are waited for, and the failed one alone is posted again`, async () => {
      const panel = await keptPanel(scene, "unfinished", { speed: 10 });
      const state = on(panel, kept.unfinished);
      repeatPosts(panel, resourcesOf(state));
      const stack = await keptStack(scene, "unfinished", { "e2e:run": "1m", "recovery:requestTimeout": "5s" });
      await stack.importState(state);

      const { outputs } = await stack.up();
      // The one that was not seen listed is looked for, although it is not waited for.
      assert.deepEqual(outputs["statuses"]?.value, { failed: "complete", limited: "complete", accepted: "complete" });
      await stack.preview({ expectNoChanges: true });
      await stack.destroy();

      assert.deepEqual(
        posts(panel).map(({ path }) => path),
        ["/virtual_machines/42/backups/recovery_points/1007/restore.json"],
      );
    });

    const { plan, pairs } = kept;
    if (plan)
      it(`${release}: a plan in the middle is finished, and nothing is posted`, async () => {
        const panel = await keptPanel(scene, "plan", { speed: 10 });
        const stack = await keptStack(scene, "plan", { "e2e:run": "1m" });
        await stack.importState(on(panel, plan));
        panel.postRestoreAsSomebodyElse(42, 1007);
        panel.postRestoreAsSomebodyElse(43, 1008, { paths: ["/srv"] });

        const { outputs } = await stack.up();
        // That a wave's record is made after the run that sent its restores is a warning.
        assert.equal(outputs["verdict"]?.value, "passed with warnings");
        await stack.preview({ expectNoChanges: true });
        assert.deepEqual(posts(panel), []);
      });

    if (pairs)
      it(`${release}: restores of one machine go on one behind the other, and none is sent twice`, async () => {
        const panel = await keptPanel(scene, "pairs", { speed: 10 });
        const stack = await keptStack(scene, "pairs", { "recovery:requestTimeout": "2s" });
        await stack.importState(on(panel, pairs));
        panel.postRestoreAsSomebodyElse(42, 1007);
        for (const paths of [["/etc"], ["/srv"]]) panel.postRestoreAsSomebodyElse(42, 1007, { paths });
        panel.postRestoreAsSomebodyElse(43, 1008);
        const sent = () => posts(panel).map(({ path }) => path.replace("/backups/recovery_points/", " "));

        const { stdout } = await stack.upFails({ continueOnError: true });
        assert.match(stdout, /"app".* was posted by an earlier run, .*new triggers restore it again/);
        assert.deepEqual(sent(), ["/virtual_machines/43 1008/file_entries.json"]);
        assert.equal((await stack.resource("db-etc", ":FileRestore")).outputs?.["adopted"], false);
        // Only a refresh tells that the machine has failed since.
        await stack.upFails({ continueOnError: true, refresh: true });
        assert.deepEqual(sent().slice(1), ["/virtual_machines/42 1007/restore.json"]);
        await stack.upFails({ continueOnError: true });
        assert.equal(sent().length, 2);
      });
  }
});

async function ready(
  { url, username, password }: Sandbox,
  state: Deployment,
): Promise<{ readonly code: number; readonly said: string }> {
  let said = "";
  const code = await run(
    ["ready", "--state", "-"],
    {
      say: (line) => (said += `${line}\n`),
      warn: () => undefined,
      environment: { PATH: "", RECOVERY_ENDPOINT: url, RECOVERY_USERNAME: username, RECOVERY_PASSWORD: password },
      stdin: () => Promise.resolve(JSON.stringify(state)),
    },
    commands,
  );
  return { code, said };
}

/** The same state, as if it had been written on this panel, a moment ago. */
function on(panel: Sandbox, state: Deployment): Deployment {
  const text = JSON.stringify(state).replaceAll(nowhere, panel.url);
  // The panel stamps whole seconds: a stamp of the mark with a fraction would be later than a row made after it.
  const now = new Date().toISOString().replace(/\.\d+Z$/, "Z");
  return JSON.parse(text.replace(/"(newestCreatedAt|takenAt)":"[^"]*"/g, `"$1":"${now}"`)) as Deployment;
}

function resourcesOf(state: Deployment): readonly StoredResource[] {
  return (state.deployment as { readonly resources: readonly StoredResource[] }).resources;
}

/** Has the panel hold the transactions that the state knows of, under the same ids. */
function repeatPosts(panel: Sandbox, resources: readonly StoredResource[]): void {
  const restores = resources.flatMap(({ type, outputs = {} }) => (/:(Vm|File)Restore$/.test(type) ? [outputs] : []));
  // The one whose id is not known yet takes the only place that is left.
  const known = restores.map(({ transactionId }) => transactionId).filter((id) => id !== undefined);
  for (let left = restores.length, next = 1 + Number(panel.transactions().at(-1)?.id); left > 0; left--, next++) {
    const restore = restores.find(({ transactionId }) =>
      known.includes(String(next)) ? transactionId === String(next) : transactionId === undefined,
    );
    assert.ok(restore, `no restore to be transaction ${String(next)}`);
    const { virtualMachineId, recoveryPointId, paths } = restore as Record<string, string>;
    const options = Array.isArray(paths) ? { paths: paths as string[] } : {};
    assert.equal(panel.postRestoreAsSomebodyElse(virtualMachineId ?? "", recoveryPointId ?? "", options), String(next));
  }
}
