import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { cliPath } from "../../tools/engine/cli";
import { supported, type Engine } from "../../tools/supported";
import { npm } from "./support/fresh-install";
import { compilers, manifest, typescript } from "./support/fresh-programs";
import { FreshProject, packed } from "./support/fresh-project";
import { needs } from "./support/needs";
import { isAlive, needsProcesses, processesOf } from "./support/processes";
import { useScene, type Sandbox } from "./support/scene";
import { removeHalfWritten } from "./support/stored";
import { waitUntil } from "./support/wait-until";
import { long } from "../support/thorough";

/** The packed package on each line of Node.js, with each engine that is tried on it, through a life with a kill in it. */
for (const { node: version, engines } of supported.tested) {
  long.describe(`the packed package on Node.js ${version}`, () => {
    const scene = useScene();
    const node = needs(`node-${version}`);

    needsProcesses();

    for (const engine of engines) {
      it(`CLI ${engine.cli}, SDK ${engine.sdk}: up, kill -9, resume, refresh, destroy`, async function () {
        this.timeout(20 * 60_000);
        const found = await cliOf(engine);
        if ("why" in found) this.skip();
        const { cli, isRight } = found;
        const panel = await scene.panel();
        const recovery = `file:${await packed(scene.folder)}`;
        const files = {
          ...typescript,
          ...manifest({ "pulumi-recovery": recovery, "@pulumi/pulumi": engine.sdk, ...compilers }),
        };
        const project = FreshProject.create(scene.folder, join(scene.folder, "fresh"), panel, files, {
          node: node.path,
          cli,
        });
        await npm(project);
        assert.equal(project.installed("@pulumi/pulumi"), engine.sdk);
        const version = (await project.pulumi("version")).trim();
        assert.ok(isRight(version), version);
        await killedAndResumed(project, panel, join(scene.folder, "home"));
      });
    }
  });
}

/** The newest is what everything runs on: a newer one still where one is installed. */
async function cliOf({
  cli,
}: Engine): Promise<
  { readonly cli: string; readonly isRight: (version: string) => boolean } | { readonly why: string }
> {
  const { isUsable } = await import("../../tools/cli/version.mjs");
  if (cli === supported.cli) return { cli: cliPath(), isRight: (version) => isUsable(version, cli) };
  const { find } = await import("../../tools/cli/find.mjs");
  const oldest = await find("oldest-cli");
  return "why" in oldest ? oldest : { cli: oldest.path, isRight: (version) => version === `v${cli}` };
}

async function killedAndResumed(project: FreshProject, panel: Sandbox, home: string): Promise<void> {
  panel.failNext(42, { seconds: 25 });
  await project.pulumi("stack", "init", "fresh");

  const run = project.start("up", "--yes", "--skip-preview");
  await waitUntil(() => /running/.test(run.output()) || run.isOver(), 180_000, "the restore to run");
  assert.match(run.output(), /running/);
  const providers = processesOf(home).filter(({ kind }) => kind === "provider");
  run.kill();
  await run.ended;
  assert.equal(panel.acceptedPosts(), 1);

  await removeHalfWritten({ folder: dirname(home) });
  await project.pulumi("cancel", "--yes");
  const output = await project.pulumi("up", "--yes", "--skip-preview");
  assert.match(output, /adopted transaction \d+/);
  assert.deepEqual((await project.outputs())["statuses"], ["complete", "complete"]);
  assert.equal(panel.acceptedPosts(), 2);
  await waitUntil(
    () => !providers.some(({ pid }) => isAlive(pid)),
    60_000,
    "the provider process of the killed run to be gone",
  );

  await project.pulumi("refresh", "--yes", "--skip-preview", "--clear-pending-creates");
  await project.upAgainAndDestroy();
  assert.equal(panel.acceptedPosts(), 2);
  assert.deepEqual(
    panel.restores().map(({ status }) => status),
    ["complete", "complete"],
  );
}
