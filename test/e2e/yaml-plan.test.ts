import assert from "node:assert/strict";
import type { PlannedRestoreResult, RecoveryPlanArgs } from "pulumi-recovery";
import { long } from "../support/thorough";
import { needs } from "./support/needs";
import { planned, quick } from "./support/plans";
import { canFindProcesses } from "./support/processes";
import { useScene, type Sandbox } from "./support/scene";
import { useService } from "./support/service";
import { waitUntil } from "./support/wait-until";
import { planInYaml, wavesWith } from "./support/yaml-plan";
import { connection, yamlProject } from "./support/yaml-project";

const up = ["up", "--yes", "--skip-preview"];

describe("a plan in YAML", () => {
  const scene = useScene();

  needs("yaml-host");

  let [asked, isUp] = [[] as string[], true];
  const service = useService(({ headers }, response) => {
    asked.push(headers.authorization ?? "");
    response.writeHead(isUp ? 200 : 503).end();
  });
  beforeEach(() => void ([asked, isUp] = [[], true]));

  const opened = (panel: Sandbox, program: string) =>
    yamlProject(scene.folder, program, { ...connection(panel), ...quick });

  it("is carried out once, sends failed restores again, and keeps its secrets", async () => {
    const panel = await scene.panel({ speed: 50 });
    panel.failNext(43, "failed");
    const project = await opened(panel, planInYaml({ http: service.url }));
    const first = await project.pulumi("preview");
    assert.match(
      first,
      /\n {4}overwrites 42 \(files, 1007\)\n {6}web: \/var\/www of machine 42 from recovery point 1007\n/,
    );
    assert.doesNotMatch(await project.pulumi("preview", "--diff"), /isPlanned|behind|\brow\b|secrets|ofRun/);
    const { code, text } = await project.start(...up).ended;
    assert.notEqual(code, 0);
    assert.match(text, /restore "mail" \(machine 43, recovery point 1007\) failed/);
    assert.match(await project.pulumi("preview"), /1 of 1 will be restored again: mail \(failed\)/);
    await project.pulumi(...up);
    const { verdict, restores } = await project.outputs();
    assert.equal(verdict, "passed with warnings");
    const statuses = Object.values(restores as Record<string, PlannedRestoreResult>).map(({ status }) => status);
    assert.deepEqual(new Set(statuses), new Set(["complete"]));
    assert.deepEqual([asked, panel.acceptedPosts()], [["Bearer canary-token"], 4]);
    await project.pulumi(...up, "--expect-no-changes");
    assert.doesNotMatch((await project.state()) + text, /canary-/);
  });

  long.it("is finished by the next run with one POST for each restore if it was killed during its checks", async () => {
    if (!canFindProcesses) return;
    const panel = await scene.panel({ speed: 1 });
    for (const id of [42, 42, 43]) panel.failNext(id, { seconds: 4 });
    isUp = false;
    // The run did not see the end, so a goal's time would not be measured and the verdict would be incomplete.
    const project = await opened(
      panel,
      planInYaml({ http: service.url, within: "5m", plan: { onMissedGoal: "warn" } }),
    );
    const run = project.start(...up);
    await waitUntil(() => asked.length > 0, 120_000, "a check");
    run.killCli();
    await run.ended;
    isUp = true;
    await project.cancel();
    await project.pulumi(...up);
    assert.match(String((await project.outputs())["verdict"]), /^passed/);
    const ended = panel.restores().map(({ machineId, status }) => `${machineId} ${status}`);
    assert.deepEqual(ended, ["42 complete", "42 complete", "43 complete"]);
  });

  long.it("fails if a goal is missed, or passes with a warning if onMissedGoal is warn", async () => {
    const panel = await scene.panel({ speed: 1 });
    for (const id of [42, 42, 43]) panel.failNext(id, { seconds: 4 });
    const goals = { recoveryTime: "1s" };
    const project = await opened(panel, planInYaml({ http: service.url, plan: { goals } }));
    for (const posts of [3, 3]) {
      const { code, text } = await project.start(...up).ended;
      assert.notEqual(code, 0);
      assert.match(text, /db: recovery time \d+s, goal 1s/);
      assert.equal(panel.acceptedPosts(), posts);
    }
    project.write("Pulumi.yaml", planInYaml({ http: service.url, plan: { goals, onMissedGoal: "warn" } }));
    await project.pulumi(...up);
    assert.equal((await project.outputs())["verdict"], "passed with warnings");
    project.write("Pulumi.yaml", planInYaml({ http: service.url, plan: { run: "second" } }));
    await project.pulumi(...up);
    assert.deepEqual([(await project.outputs())["verdict"], panel.acceptedPosts()], ["passed", 6]);
  });

  long.it("is rejected in the preview with the path of every mistake, and nothing is created", async () => {
    const panel = await scene.panel({ speed: 50 });
    const wrong = planInYaml({
      http: "ftp://canary-shop",
      within: "soon",
      plan: { onFailure: "halt", notes: { owner: "" } },
    });
    const project = await opened(panel, wrong);
    for (const command of [["preview"], up]) {
      const { code, text } = await project.start(...command).ended;
      assert.notEqual(code, 0);
      assert.match(text, /RecoveryPlan "shop" was not created, and nothing was sent/);
      for (const path of ["onFailure", "notes.owner"])
        assert.ok(text.includes(`property ${path} with value`), `${path} in:\n${text}`);
      assert.match(text, /property waves \(not shown\) has a problem: waves\[1\]\.restores\.web\.checks\[0\]\.http /);
      assert.doesNotMatch(text, /canary/);
      assert.match(text, /checks\[0\]\.within is .*, which is not a duration/);
    }
    assert.ok((await project.resources()).every(({ type }) => !type.startsWith("recovery:")));
    assert.equal(panel.requests().length, 0);
  });

  long.it("restores nothing when it takes over the plan from a program in TypeScript", async () => {
    const panel = await scene.panel({ speed: 50 });
    const waves = wavesWith(service.url, "1m", "Bearer canary-token") as RecoveryPlanArgs["waves"];
    const stack = await planned(scene, { run: "first", goals: { recoveryTime: "1h" }, waves });
    await stack.up();
    const project = await yamlProject(
      scene.folder,
      planInYaml({ http: service.url, name: "e2e" }),
      {},
      { existing: "e2e" },
    );
    await project.pulumi(...up);
    assert.equal((await project.outputs())["verdict"], "passed");
    await project.pulumi(...up, "--expect-no-changes");
    assert.equal(panel.acceptedPosts(), 3);
    assert.ok((await project.resources()).every(({ type }) => !type.startsWith("pulumi-nodejs:recovery")));
  });
});
