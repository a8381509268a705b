import assert from "node:assert/strict";
import { needs } from "./support/needs";
import type { Spec } from "./support/restores";
import { useScene, type Sandbox } from "./support/scene";
import { connection, YamlProject } from "./support/yaml-project";
import { restoresInYaml } from "./support/yaml-restores";
import { long } from "../support/thorough";

const timeouts = { busy: "20s", listed: "2s", run: "1m" };
const web = (args: Spec["args"] = {}): Spec => ({ name: "web", args: { timeouts, ...args } });
const up = ["up", "--yes", "--skip-preview"];

/** What DESIGN promises of a restore, from a program in another language than TypeScript. */
long.describe("a restore in YAML", () => {
  const scene = useScene();

  needs("yaml-host");

  const opened = (panel: Sandbox, specs: readonly Spec[]): Promise<YamlProject> =>
    YamlProject.open(scene.folder, restoresInYaml(specs), {
      ...connection(panel),
      "recovery:requestTimeout": "5s",
    });

  it("that fails says so on its row, is stored with its reasons, and is tried again by the next run", async () => {
    const panel = await scene.panel({ speed: 5 });
    panel.failNext(42, { outcome: "failed", seconds: 10 });
    const project = await opened(panel, [web()]);
    const { code, text } = await project.run(...up);
    assert.notEqual(code, 0);
    assert.match(text, /VmRestoreRun web creating .*running/);
    assert.match(text, /VmRestoreRun \(web\)[\s\S]*failed/);
    const stored = (await project.resources()).find(({ type }) => type === "recovery:index:VmRestoreRun");
    assert.equal(stored?.outputs?.["status"], "failed");
    assert.ok(stored.initErrors?.some((reason) => reason.includes("failed")));
    assert.doesNotMatch(JSON.stringify(stored.initErrors), /Restoring disk/);
    await project.expect(...up);
    assert.deepEqual((await project.outputs())["statuses"], ["complete"]);
    assert.equal(panel.acceptedPosts(), 2);
  });

  it("whose limit passes stays as it is, and the next run goes on waiting without a POST", async () => {
    const panel = await scene.panel({ speed: 1 });
    panel.failNext(42, { seconds: 25 });
    const project = await opened(panel, [web({ timeouts: { ...timeouts, run: "3s" } })]);
    const { code, text } = await project.run(...up);
    assert.notEqual(code, 0);
    assert.match(text, /has not ended within timeouts\.run \(3s\)/);
    project.rewrite(restoresInYaml([web()]));
    await project.expect(...up);
    assert.deepEqual((await project.outputs())["statuses"], ["complete"]);
    assert.equal(panel.acceptedPosts(), 1);
  });

  it("takes a transaction that is named in adopt, and posts nothing", async () => {
    const panel = await scene.panel({ speed: 20 });
    const first = await opened(panel, [web()]);
    await first.expect(...up);
    const [id] = (await first.outputs())["transactions"] as [string];
    await first.expect("destroy", "--yes", "--skip-preview");
    first.rewrite(restoresInYaml([web({ adopt: id, triggers: ["again"] })]));
    await first.expect(...up);
    const { transactions, adopted } = await first.outputs();
    assert.deepEqual([transactions, adopted], [[id], [true]]);
    assert.equal(panel.acceptedPosts(), 1);
  });

  it("waits for another one of its machine, and is left out when that one fails and the run goes on", async () => {
    const panel = await scene.panel({ speed: 20 });
    panel.failNext(42, { outcome: "failed", seconds: 10 });
    const project = await opened(panel, [
      { ...web(), name: "one" },
      { ...web({ recoveryPointId: "1008" }), name: "two" },
    ]);
    const { code } = await project.run(...up, "--continue-on-error");
    assert.notEqual(code, 0);
    assert.equal(panel.acceptedPosts(), 1);
    await project.expect(...up);
    assert.deepEqual((await project.outputs())["statuses"], ["complete", "complete"]);
    assert.equal(panel.acceptedPosts(), 3);
  });
});
