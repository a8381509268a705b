import assert from "node:assert/strict";
import * as recovery from "pulumi-recovery";
import { long } from "../support/thorough";
import { inline } from "./support/inline";
import { needs } from "./support/needs";
import { planTimeouts, quick } from "./support/plans";
import { useScene } from "./support/scene";
import { useService } from "./support/service";
import { connection, yamlProject } from "./support/yaml-project";
import { programInYaml } from "./support/yaml-restores";

const up = ["up", "--yes", "--skip-preview"];

/** A machine, its files and another machine, each in its own wave. The file restore's check sends a secret. */
const planOf = (http: string, token: string) => {
  const machine = { recoveryPointId: "1007", timeouts: { listed: planTimeouts.listed, settle: "0s" } };
  const checks = [{ http, headers: { authorization: token }, every: "1s", within: "1m" }];
  return {
    run: "first",
    goals: { recoveryTime: "1h" },
    waves: [
      { name: "one", restores: { db: { ...machine, virtualMachineId: "42" } } },
      { name: "two", restores: { web: { ...machine, virtualMachineId: "42", checks, paths: ["/var/www"] } } },
      { name: "three", restores: { mail: { ...machine, virtualMachineId: "43" } } },
    ],
  } satisfies recovery.RecoveryPlanArgs;
};

function inYaml(plan: object, more: object = {}, name?: string): string {
  const parts = {
    variables: { token: { "fn::secret": "canary-token" } },
    resources: { shop: { type: "recovery:RecoveryPlan", properties: plan }, ...more },
    outputs: { verdict: "${shop.verdict}", restores: "${shop.restores}" },
  };
  const lines = Object.entries(parts).map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`);
  return programInYaml(lines.join(""), name);
}

describe("a plan in YAML", () => {
  const scene = useScene();

  needs("yaml-host");

  const asked: string[] = [];
  const service = useService(({ headers }, response) => {
    asked.push(headers.authorization ?? "");
    response.writeHead(200).end();
  });

  const token = "Bearer ${token}";

  it("is carried out once, sends failed restores again, and reveals no secrets", async () => {
    const panel = await scene.panel({ speed: 50 });
    panel.failNext(43, "failed");
    const settings = { ...connection(panel), ...quick };
    const project = await yamlProject(scene.folder, inYaml(planOf(service.url, token)), settings);
    assert.match(
      await project.pulumi("preview"),
      /\n {4}overwrites 42 \(files, 1007\)\n {6}web: \/var\/www on machine 42 from recovery point 1007\n/,
    );
    const { code, text } = await project.start(...up).ended;
    assert.notEqual(code, 0);
    assert.match(text, /restore "mail" \(machine 43, recovery point 1007\) failed/);
    const again = await project.pulumi("preview", "--diff");
    assert.match(again, /1 of 1 will be restored again: mail \(failed\)/);
    assert.doesNotMatch(again, /isPlanned|behind|\brow\b|secrets|ofRun/);
    await project.pulumi(...up);
    const { verdict, restores } = await project.outputs();
    assert.equal(verdict, "passed with warnings");
    const results = Object.values(restores as Record<string, recovery.PlannedRestoreResult>);
    assert.ok(results.every(({ status }) => status === "complete"));
    assert.deepEqual([asked, panel.acceptedPosts()], [["Bearer canary-token"], 4]);
    await project.pulumi(...up, "--expect-no-changes");
    assert.doesNotMatch((await project.state()) + text, /canary-/);
  });

  long.it(
    "restores nothing when its program takes over both the plan and a separate restore from a TypeScript program",
    async () => {
      const panel = await scene.panel({ speed: 50 });
      const mail = { virtualMachineId: "44", recoveryPointId: "1009" };
      const stack = await scene.stack(
        inline(() => {
          new recovery.VmRestore("mail", mail);
          new recovery.RecoveryPlan("shop", planOf(service.url, "Bearer canary-token"));
        }),
        { config: quick },
      );
      await stack.up();
      const program = inYaml(
        planOf(service.url, token),
        { mail: { type: "recovery:VmRestore", properties: mail } },
        "e2e",
      );
      const project = await yamlProject(scene.folder, program, {}, { existing: "e2e" });
      await project.pulumi(...up);
      assert.equal((await project.outputs())["verdict"], "passed");
      await project.pulumi(...up, "--expect-no-changes");
      await project.pulumi("refresh", "--yes", "--expect-no-changes");
      assert.equal(panel.acceptedPosts(), 4);
      const types = (await project.resources()).map(({ type }) => type);
      assert.ok(types.includes("recovery:index:VmRestoreRun"), types.join());
      assert.ok(
        types.every((type) => !type.startsWith("pulumi-nodejs:recovery")),
        types.join(),
      );
    },
  );
});
