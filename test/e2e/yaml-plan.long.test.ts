import assert from "node:assert/strict";
import type { PlannedRestoreResult } from "pulumi-recovery";
import { needs } from "./support/needs";
import { planned } from "./support/plans";
import { posts } from "./support/posts";
import { canFindProcesses } from "./support/processes";
import { useScene } from "./support/scene";
import { waitUntil } from "./support/wait-until";
import { planInYaml, withService } from "./support/yaml-plan";
import { connection, YamlProject } from "./support/yaml-project";

const impatient = { "recovery:requestTimeout": "5s" };

describe("a plan in YAML", () => {
  const scene = useScene();

  needs("yaml-host");

  for (const killed of [
    "before anything is posted",
    "in the first wave",
    "while checking",
    "in the last wave",
  ] as const) {
    it(`killed ${killed}, is finished by the next run, with one POST of each restore`, async function () {
      if (!canFindProcesses) this.skip();
      const panel = await scene.panel({ speed: 1 });
      for (let restore = 0; restore < 3; restore++) panel.failNext(42, { seconds: 4 });
      await withService(async (http, asked, be) => {
        be.isUp = false;
        const project = await YamlProject.open(scene.folder, planInYaml({ http, within: "5m" }), {
          ...connection(panel),
          ...impatient,
        });
        const run = project.start("up", "--yes", "--skip-preview");
        const comesUp = setInterval(() => (be.isUp = asked.length > 2), 100);
        const reached = {
          "before anything is posted": () => run.output(/PlanRun shop-run created/),
          "in the first wave": () => run.output(/shop-wave-one .*0 of 1 ended/),
          "while checking": () => waitUntil(() => asked.length > 0, 120_000, "a check"),
          "in the last wave": () => run.output(/shop-wave-three .*0 of 1 ended/, 120_000),
        };
        await reached[killed]();
        run.killCli();
        await run.ended;
        clearInterval(comesUp);
        be.isUp = true;
        await project.cancel();
        await project.expect("up", "--yes", "--skip-preview");
        assert.match(String((await project.outputs())["verdict"]), /^passed/);
        assert.equal(panel.acceptedPosts(), 3);
        assert.equal(panel.restores().filter(({ status }) => status === "complete").length, 3);
      });
    });
  }

  it("fails over a missed goal with the reason, is judged again without a POST, and passes with a warning where that is wanted", async () => {
    const panel = await scene.panel({ speed: 1 });
    for (let restore = 0; restore < 3; restore++) panel.failNext(42, { seconds: 4 });
    await withService(async (http) => {
      const goals = { recoveryTime: "1s" };
      const project = await YamlProject.open(scene.folder, planInYaml({ http, plan: { goals } }), connection(panel));
      for (const posts of [3, 3]) {
        const { code, text } = await project.run("up", "--yes", "--skip-preview");
        assert.notEqual(code, 0);
        assert.match(text, /PlanVerdict.*shop-verdict/);
        assert.match(text, /db: the recovery time was .*, the goal is 1s/);
        assert.equal(panel.acceptedPosts(), posts);
      }
      project.rewrite(planInYaml({ http, plan: { goals, onMissedGoal: "warn" } }));
      await project.expect("up", "--yes", "--skip-preview");
      assert.equal((await project.outputs())["verdict"], "passed with warnings");
      assert.equal(panel.acceptedPosts(), 3);
    });
  });

  it("stops after a check that does not pass, and a new run starts it anew", async () => {
    const panel = await scene.panel({ speed: 50 });
    await withService(async (http, _asked, be) => {
      be.isUp = false;
      const project = await YamlProject.open(scene.folder, planInYaml({ http, within: "2s" }), connection(panel));
      const { code, text } = await project.run("up", "--yes", "--skip-preview");
      assert.notEqual(code, 0);
      assert.match(text, /web/);
      assert.equal(panel.acceptedPosts(), 2);
      be.isUp = true;
      project.rewrite(planInYaml({ http, within: "1m", plan: { run: "second" } }));
      await project.expect("up", "--yes", "--skip-preview");
      assert.equal((await project.outputs())["verdict"], "passed");
      assert.equal(panel.acceptedPosts(), 5);
    });
  });

  it("is told in the preview everything that is wrong, by its path, and nothing is made", async () => {
    const panel = await scene.panel({ speed: 50 });
    const wrong = planInYaml({ http: "ftp://shop", within: "soon", plan: { onFailure: "halt", notes: { owner: "" } } });
    const project = await YamlProject.open(scene.folder, wrong, connection(panel));
    for (const command of [["preview"], ["up", "--yes", "--skip-preview"]]) {
      const { code, text } = await project.run(...command);
      assert.notEqual(code, 0);
      assert.match(text, /RecoveryPlan "shop" was not made, and nothing was sent/);
      for (const path of ["onFailure", "notes.owner", "waves[1].restores.web.checks[0].http"]) {
        assert.ok(text.includes(`property ${path} with value`), `${path} in:\n${text}`);
      }
      assert.match(text, /checks\[0\]\.within is "soon"/);
    }
    assert.deepEqual(
      (await project.resources()).filter(({ type }) => type.startsWith("recovery:")),
      [],
    );
    assert.equal(posts(panel).length, 0);
  });

  it("reaches the panel of a provider of its own", async () => {
    const [main, site] = [
      await scene.panel({ speed: 50, username: "main", password: "main-password" }),
      await scene.panel({ speed: 50, username: "site", password: "site-password" }),
    ];
    await withService(async (http) => {
      const provider = { endpoint: site.url, username: "site", password: "site-password" };
      const project = await YamlProject.open(scene.folder, planInYaml({ http, provider }), connection(main));
      await project.expect("up", "--yes", "--skip-preview");
      assert.deepEqual([main.acceptedPosts(), site.acceptedPosts()], [0, 3]);
      const run = (await project.resources()).find(({ type }) => type === "recovery:index:PlanRun");
      assert.equal(run?.outputs?.["panel"], site.url);
    });
  });

  it("takes over the plan of a program in TypeScript, and restores nothing", async () => {
    const panel = await scene.panel({ speed: 50 });
    await withService(async (http) => {
      const machine = { virtualMachineId: "42", recoveryPointId: "1007", timeouts: { listed: "4s" } };
      const check = { http, headers: { authorization: "Bearer canary-token" }, every: "1s", within: "1m" };
      const stack = await planned(scene, {
        run: "first",
        goals: { recoveryTime: "1h" },
        waves: [
          { name: "one", restores: { db: machine } },
          { name: "two", restores: { web: { ...machine, checks: [check], paths: ["/var/www"] } } },
          { name: "three", restores: { mail: machine } },
        ],
      });
      await stack.up();
      assert.equal(panel.acceptedPosts(), 3);
      const project = await YamlProject.open(scene.folder, planInYaml({ http, name: "e2e" }), {}, { existing: "e2e" });
      await project.expect("up", "--yes", "--skip-preview");
      const { verdict, restores } = await project.outputs();
      assert.equal(verdict, "passed");
      assert.equal(Object.keys(restores as Record<string, PlannedRestoreResult>).length, 3);
      await project.expect("up", "--yes", "--skip-preview", "--expect-no-changes");
      assert.equal(panel.acceptedPosts(), 3);
      const types = (await project.resources()).map(({ type }) => type).filter((type) => type.includes("recovery"));
      assert.deepEqual(
        types.filter((type) => type.includes("dynamic")),
        [],
      );
    });
  });
});
