import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import * as recovery from "pulumi-recovery";
import { drillOf, panelOptions } from "./support/drill";
import { inline } from "./support/inline";
import { keep } from "./support/keep";
import { needs } from "./support/needs";
import { useScene } from "./support/scene";
import { connection, YamlProject } from "./support/yaml-project";
import { programInYaml } from "./support/yaml-restores";

const point = { recoveryPointId: 1007, timeouts: { settle: 0 } };
const drills = { "recovery:allowedMachines": "42,43" };

describe("the machines that may be restored", () => {
  const scene = useScene();

  it("a wrong id in the drill's stack is refused in the preview, and nothing is asked of the panel", async () => {
    const panel = await scene.panel(panelOptions(50));
    const drill = await drillOf(scene.folder, panel);
    const asked = panel.requests().length;
    await drill.run("pulumi config set --path 'waves[0].machines[1].virtualMachineId' 3020");
    const refused = await drill.fails("pulumi preview");
    keep(refused);
    assert.match(
      refused.replaceAll(/\s+/g, " "),
      /machine 3020 is not among the machines that may be restored: it is not in recovery:allowedMachines/,
    );
    assert.equal(panel.requests().length, asked);
    await drill.fails("pulumi up --yes --skip-preview");
    assert.equal(panel.requests().length, asked, "without a preview neither");
  });

  it("an id that the preview does not know is refused when it is known: its intent names the restore, and nothing is asked of the panel", async () => {
    const panel = await scene.panel({ speed: 50 });
    const program = inline(() => {
      const late = pulumi
        .output(44)
        .apply((id) => (pulumi.runtime.isDryRun() ? pulumi.unknown : id)) as pulumi.Output<number>;
      new recovery.VmRestore("web", { virtualMachineId: late, ...point });
      return {};
    });
    const stack = await scene.stack(program, { config: drills });
    await stack.preview();
    const { stdout } = await stack.upFails();
    assert.match(
      stdout,
      /restore "web" \(machine 44, recovery point 1007\) was not sent: machine 44 is not among .*stack's configuration \(42, 43\)/,
    );
    assert.deepEqual(panel.requests(), []);
  });

  it("of an explicit provider, the stack and the environment a machine has to be in each", async () => {
    const panel = await scene.panel({ speed: 50 });
    const program = (machine: number) =>
      inline(() => {
        const { url: endpoint, username, password } = panel;
        const provider = new recovery.Provider("site", {
          endpoint,
          username,
          password,
          allowedMachines: [42, "44", "45"],
        });
        new recovery.VmRestore("web", { virtualMachineId: machine, ...point }, { provider });
        return {};
      });
    const options = {
      config: { "recovery:allowedMachines": "[42,43,45]" },
      env: { RECOVERY_ALLOWED_MACHINES: "42,43,44" },
    };
    const stack = await scene.stack(program(43), options);
    const places: readonly (readonly [number, RegExp])[] = [
      [43, /machine 43 is not .*it is not in allowedMachines of the explicit provider \(42, 44, 45\)\./],
      [44, /machine 44 is not .*it is not in recovery:allowedMachines in the stack's configuration \(42, 43, 45\)\./],
      [45, /machine 45 is not .*it is not in RECOVERY_ALLOWED_MACHINES \(42, 43, 44\)\./],
    ];
    for (const [machine, why] of places) {
      stack.use(program(machine));
      assert.match((await stack.previewFails()).stdout, why);
    }
    assert.deepEqual(panel.requests(), []);
    stack.use(program(42));
    await stack.up();
    assert.equal(panel.acceptedPosts(42), 1);
  });

  it("a provider's list that the preview does not know is asked about when it is known", async () => {
    const panel = await scene.panel({ speed: 50 });
    const program = (machine: number) =>
      inline(() => {
        const { url: endpoint, username, password } = panel;
        const allowedMachines = pulumi
          .output([42])
          .apply((ids): unknown => (pulumi.runtime.isDryRun() ? pulumi.unknown : ids)) as pulumi.Output<number[]>;
        const provider = new recovery.Provider("site", { endpoint, username, password, allowedMachines });
        new recovery.VmRestore("web", { virtualMachineId: machine, ...point }, { provider });
        return {};
      });
    const stack = await scene.stack(program(44));
    await stack.preview();
    assert.match((await stack.upFails()).stdout, /machine 44 is not .*allowedMachines of the explicit provider \(42\)/);
    assert.deepEqual(panel.requests(), []);
    stack.use(program(42));
    await stack.preview();
    await stack.up();
    assert.equal(panel.acceptedPosts(42), 1);
  });

  it("a plan with a machine that is not among them sends nothing, without a preview neither", async () => {
    const panel = await scene.panel({ speed: 50 });
    const plan = (machine: number) =>
      inline(() => {
        new recovery.RecoveryPlan("shop", {
          run: "2026-Q4",
          waves: [
            { name: "data", restores: { db: { virtualMachineId: 42, ...point } } },
            { name: "front", restores: { web: { virtualMachineId: machine, ...point } } },
          ],
        });
        return {};
      });
    const stack = await scene.stack(plan(44), { config: drills });
    assert.match((await stack.previewFails()).stdout, /web: machine 44 is not among/);
    assert.match((await stack.upFails()).stdout, /machine 44 is not among/);
    assert.deepEqual(panel.requests(), []);
    stack.use(plan(43));
    await stack.up();
    assert.deepEqual([panel.acceptedPosts(42), panel.acceptedPosts(43)], [1, 1]);
  });
});

describe("the machines that may be restored, in YAML", () => {
  const scene = useScene();

  needs("yaml-host");

  const restore = (machine: number, more = ""): string => `  web:
    type: recovery:VmRestore
    properties: { virtualMachineId: "${String(machine)}", recoveryPointId: "1007", timeouts: { settle: 0s } }
${more}`;

  it("are the stack's, an explicit provider's and the environment's: the plugin refuses others in the preview, in a plan too", async () => {
    const panel = await scene.panel({ speed: 50 });
    const ofStack = (machine: number): string => programInYaml(`resources:\n${restore(machine)}`);
    const ofProvider = (machine: number): string =>
      programInYaml(`resources:
  site:
    type: pulumi:providers:recovery
    properties: { endpoint: "${panel.url}", allowedMachines: ["42", "44"] }
${restore(machine, "    options:\n      provider: ${site}\n")}`);
    const project = await YamlProject.open(scene.folder, ofStack(44), { ...connection(panel), ...drills });
    const refused = async (program: string, why: RegExp): Promise<void> => {
      project.rewrite(program);
      const { code, text } = await project.run("preview");
      assert.notEqual(code, 0, text);
      assert.match(text, why);
      assert.deepEqual(panel.requests(), []);
    };
    await refused(
      ofStack(44),
      /machine 44 is not .*it is not in recovery:allowedMachines in the stack's configuration \(42, 43\)\. Nothing was sent/,
    );
    await refused(
      ofProvider(43),
      /machine 43 is not .*it is not in recovery:allowedMachines in the provider's settings \(42, 44\)\./,
    );
    await refused(
      ofProvider(44),
      /machine 44 is not .*it is not in recovery:allowedMachines in the stack's configuration \(42, 43\)\./,
    );
    const plan = (machine: number): string => {
      const restores = { web: { virtualMachineId: String(machine), recoveryPointId: "1007" } };
      const properties = { run: "first", waves: [{ name: "only", restores }] };
      return programInYaml(`resources: ${JSON.stringify({ shop: { type: "recovery:RecoveryPlan", properties } })}\n`);
    };
    await refused(plan(44), /web: machine 44 is not .*stack's configuration \(42, 43\)\./);
    project.rewrite(ofProvider(42));
    await project.expect("up", "--yes", "--skip-preview");
    assert.equal(panel.acceptedPosts(42), 1);
  });
});
