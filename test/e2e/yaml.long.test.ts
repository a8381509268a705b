import assert from "node:assert/strict";
import * as recovery from "pulumi-recovery";
import { inline } from "./support/inline";
import { useScene } from "./support/scene";
import { connection, YamlProject } from "./support/yaml-project";
import { oneRestore, programInYaml as programOf } from "./support/yaml-restores";

describe("a program in YAML, beside others and with limits", () => {
  const scene = useScene();

  it("takes over the restores of a program in TypeScript, and restores nothing", async () => {
    const panel = await scene.panel({ speed: 50 });
    const stack = await scene.stack(
      inline(() => {
        new recovery.VmRestore("web", { virtualMachineId: 42, recoveryPointId: 1007 });
        return {};
      }),
    );
    await stack.up();
    const program = programOf(
      `resources:
  web:
    type: recovery:VmRestore
    properties: { virtualMachineId: "42", recoveryPointId: "1007" }
outputs: { status: "\${web.status}" }
`,
      "e2e",
    );
    const project = await YamlProject.open(scene.folder, program, {}, { existing: "e2e" });
    assert.match(await project.expect("up", "--yes"), /status\s*: "complete"/);
    await project.expect("up", "--yes", "--expect-no-changes");
    await project.expect("refresh", "--yes", "--expect-no-changes");
    const types = (await project.resources()).map(({ type }) => type);
    assert.deepEqual(types.filter((type) => type.includes("recovery:")).sort(), [
      "recovery:index:RestoreIntent",
      "recovery:index:VmRestore",
      "recovery:index:VmRestoreRun",
    ]);
    assert.equal(panel.acceptedPosts(), 1);
  });

  it("stops waiting when customTimeouts say so, fails with the reason, and goes on waiting in the next run", async () => {
    const panel = await scene.panel({ speed: 2 });
    const limited = oneRestore().replace("outputs:", "    options: { customTimeouts: { create: 3s } }\noutputs:");
    const project = await YamlProject.open(scene.folder, limited, connection(panel));
    const { code, text } = await project.run("up", "--yes", "--skip-preview");
    assert.notEqual(code, 0);
    assert.match(text, /VmRestoreRun.*web/);
    assert.match(text, /total/);
    project.rewrite(oneRestore());
    assert.match(await project.expect("up", "--yes", "--skip-preview"), /status\s*: "complete"/);
    assert.equal(panel.requests().filter(({ method }) => method === "POST").length, 1);
  });

  it("restores one machine twice without the second intent being made before the first restore has ended", async () => {
    const panel = await scene.panel({ speed: 20 });
    const restore = (name: string, point: string): string =>
      `  ${name}:\n    type: recovery:VmRestore\n    properties: { virtualMachineId: "42", recoveryPointId: "${point}" }\n`;
    const project = await YamlProject.open(
      scene.folder,
      programOf(`resources:\n${restore("one", "1007")}${restore("two", "1008")}`),
      connection(panel),
    );
    await project.expect("up", "--yes");
    assert.equal(panel.acceptedPosts(), 2);
    const resources = await project.resources();
    const ended = resources
      .filter(({ type }) => type.endsWith("VmRestoreRun"))
      .map(({ outputs }) => String(outputs?.["transactionId"]));
    const newest = resources
      .filter(({ type }) => type.endsWith("RestoreIntent"))
      .map(({ outputs }) => String((outputs?.["mark"] as { newestId?: string }).newestId));
    assert.ok(
      ended.some((id) => newest.some((mark) => Number(mark) >= Number(id))),
      `no intent was made after a restore: ${ended.join()} / ${newest.join()}`,
    );
  });
});
