import assert from "node:assert/strict";
import { cpSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as recovery from "pulumi-recovery";
import { repositoryRoot } from "../../tools/engine/cli";
import { pathWithPulumi } from "../../tools/engine/command-line";
import { blocksOf } from "../docs/support/pages";
import { long } from "../support/thorough";
import { drillOf, panelOptions } from "./support/drill";
import { inline } from "./support/inline";
import { keep } from "./support/keep";
import { useScene } from "./support/scene";
import { timeouts } from "./support/two-waves";

long.describe("the example of a policy pack on the real engine", () => {
  const scene = useScene();

  it("stops the drill by its README's commands, until every restore has its ticket", async () => {
    const panel = await scene.panel(panelOptions(50));
    const drill = await drillOf(scene.folder, panel);
    const pack = join(scene.folder, "policy");
    cpSync(join(repositoryRoot, "examples", "policy"), pack, { recursive: true });
    symlinkSync(join(repositoryRoot, "node_modules"), join(pack, "node_modules"));
    const [block] = blocksOf("examples/policy/README.md").filter(({ language }) => language === "sh");
    const [install, ...commands] = block?.code.trim().split("\n") ?? [];
    assert.equal(install, "npm install");
    const asTheRepository = "export PULUMI_NODEJS_TRANSPILE_ONLY=true\ncd ../policy\n";
    const refused = await drill.fails(asTheRepository + commands.join("\n"));
    keep(refused);
    for (const name of ["db-01", "web-01"])
      assert.ok(refused.includes(`none of the triggers of ${name} is a ticket`), refused);
    assert.doesNotMatch(refused, /machines are restored, and at most/);

    const anyHour = commands.join("\n").replace('"from": 20, "to": 6', '"from": 0, "to": 24');
    await drill.run(`pulumi config set drill "2026-Q4 CHG-1234"\n${asTheRepository}${anyHour}`);
    const tooMany = anyHour.replace('"machines": 12', '"machines": 11');
    assert.match(await drill.fails(asTheRepository + tooMany), /12 machines are restored, and at most 11 may be/);
    assert.equal(panel.acceptedPosts(), 0);
  });

  it("sends nothing for a restore without a ticket, outside the hours, or of too many machines", async () => {
    const panel = await scene.panel({ speed: 50 });
    const program = (...triggers: readonly string[]) =>
      inline(() => {
        new recovery.VmRestore("web", { virtualMachineId: 42, recoveryPointId: 1007, timeouts, triggers });
        const db = { virtualMachineId: 43, recoveryPointId: 1008, timeouts, triggers };
        new recovery.RecoveryPlan("shop", { run: "first", waves: [{ name: "data", restores: { db } }] });
        return {};
      });
    const stack = await scene.stack(program("monday"), {
      env: { PATH: pathWithPulumi(scene.folder), PULUMI_NODEJS_TRANSPILE_ONLY: "true" },
    });
    const settings = (more: object) => {
      const file = join(scene.folder, "policy.json");
      writeFileSync(file, JSON.stringify({ "restore-within-hours": { from: 0, to: 24 }, ...more }));
      return { policyPacks: [join(repositoryRoot, "examples", "policy")], policyPackConfigs: [file] };
    };

    const late = { "restore-within-hours": { from: 0, to: 0 } };
    const told = (await stack.previewFails(settings(late))).stdout;
    for (const name of ["web", "db"]) assert.ok(told.includes(`none of the triggers of ${name} is a ticket`), told);
    assert.match(told, /restores run from 0 to 0 o'clock UTC, and it is \d+/);

    stack.use(program("CHG-1234"));
    const many = await stack.previewFails(settings({ "restore-few-machines": { machines: 1 } }));
    assert.match(many.stdout, /2 machines are restored, and at most 1 may be/);
    // A run that had no preview.
    await stack.upFails(settings(late));
    assert.equal(panel.acceptedPosts(), 0);

    // Another ticket, for the intents of that run are there: the same restores would be looked for first.
    stack.use(program("CHG-1235"));
    await stack.up(settings({}));
    assert.equal(panel.acceptedPosts(), 2);
  });
});
