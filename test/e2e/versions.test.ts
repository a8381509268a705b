import assert from "node:assert/strict";
import { cliPath } from "../../tools/engine/cli";
import { supported, type Engine } from "../../tools/supported";
import { freshProject, npm } from "./support/fresh-install";
import { typescript } from "./support/fresh-programs";
import type { Project } from "./support/project";
import { needs } from "./support/needs";
import { isAlive, needsProcesses } from "./support/processes";
import { useScene, type Sandbox } from "./support/scene";
import { waitUntil } from "./support/wait-until";
import { long } from "../support/thorough";

/** Takes the packed package through a restore's life, with a kill, on each Node.js version and with each engine tested on that version. */
for (const { node: version, engines } of supported.tested) {
  long.describe(`the packed package on Node.js ${version}`, () => {
    const scene = useScene();
    const node = needs(`node-${version}`);

    needsProcesses();

    for (const engine of engines) {
      it(`goes through up, kill -9, resume, refresh and destroy with CLI ${engine.cli} and SDK ${engine.sdk}`, async function () {
        this.timeout(20 * 60_000);
        const found = await cliOf(engine);
        if ("why" in found) this.skip();
        const { cli, isRight } = found;
        const panel = await scene.panel();
        const tools = { panel, sdk: engine.sdk, node: node.path, cli };
        const project = await freshProject(scene.folder, typescript, tools);
        await npm(project);
        const { version: sdk } = JSON.parse(project.read("node_modules/@pulumi/pulumi/package.json")) as {
          version: string;
        };
        assert.equal(sdk, engine.sdk);
        const version = (await project.start("version").ended).stdout.trim();
        assert.ok(isRight(version), version);
        await killedAndResumed(project, panel);
      });
    }
  });
}

/** All other tests run on the newest supported CLI, or on a newer CLI if one is installed. */
async function cliOf({ cli }: Engine) {
  const { isUsable } = await import("../../tools/cli/version.mjs");
  if (cli === supported.cli) return { cli: cliPath(), isRight: (version: string) => isUsable(version, cli) };
  const { find } = await import("../../tools/cli/find.mjs");
  const oldest = await find("oldest-cli");
  return "why" in oldest ? oldest : { cli: oldest.path, isRight: (version: string) => version === `v${cli}` };
}

async function killedAndResumed(project: Project, panel: Sandbox): Promise<void> {
  panel.failNext(42, { seconds: 25 });
  await project.pulumi("stack", "init", "fresh");

  const run = project.start("up", "--yes", "--skip-preview");
  await run.output(/running/, 180_000);
  const providers = run.killCli();
  await run.ended;
  assert.equal(panel.acceptedPosts(), 1);

  await project.cancel();
  const output = await project.pulumi("up", "--yes", "--skip-preview");
  assert.match(output, /adopted transaction \d+/);
  assert.deepEqual((await project.outputs())["statuses"], ["complete", "complete"]);
  assert.equal(panel.acceptedPosts(), 2);
  await waitUntil(() => !providers.some(isAlive), 60_000, "the provider process of the killed run to be gone");

  await project.pulumi("refresh", "--yes", "--skip-preview", "--clear-pending-creates");
  await project.upAgainAndDestroy();
  assert.equal(panel.acceptedPosts(), 2);
  const statuses = panel.restores().map(({ status }) => status);
  assert.deepEqual(statuses, ["complete", "complete"]);
}
