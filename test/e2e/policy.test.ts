import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import * as recovery from "pulumi-recovery";
import { cliPath, repositoryRoot } from "../../tools/engine/cli";
import { long } from "../support/thorough";
import { inline } from "./support/inline";
import { useScene } from "./support/scene";
import { timeouts } from "./support/two-waves";

/** What the official CLI's language host does for a policy pack: it runs the pack's copy of the SDK. */
const runsPacks = `#!/bin/sh
exec "${process.execPath}" "$("${process.execPath}" -p "require.resolve('@pulumi/pulumi/cmd/run-policy-pack')")" "$@"
`;

long.describe("the example of a policy pack on the real engine", () => {
  const scene = useScene();

  it("sends nothing for a restore without a ticket, outside the hours, or of too many machines", async () => {
    const panel = await scene.panel({ speed: 50 });
    const folder = join(scene.folder, "analyzer");
    mkdirSync(folder);
    writeFileSync(join(folder, "pulumi-analyzer-policy-nodejs"), runsPacks, { mode: 0o755 });
    const program = (...triggers: readonly string[]) =>
      inline(() => {
        new recovery.VmRestore("web", { virtualMachineId: 42, recoveryPointId: 1007, timeouts, triggers });
        const db = { virtualMachineId: 43, recoveryPointId: 1008, timeouts, triggers };
        new recovery.RecoveryPlan("shop", { run: "first", waves: [{ name: "data", restores: { db } }] });
        return {};
      });
    const stack = await scene.stack(program("monday"), {
      env: {
        PATH: [folder, dirname(cliPath()), process.env["PATH"]].join(delimiter),
        PULUMI_NODEJS_TRANSPILE_ONLY: "true",
      },
    });
    const settings = (more: object) => {
      const file = join(scene.folder, "policy.json");
      writeFileSync(file, JSON.stringify({ "restore-within-hours": { from: 0, to: 24 }, ...more }));
      return { policyPacks: [join(repositoryRoot, "examples", "policy")], policyPackConfigs: [file] };
    };

    const late = { "restore-within-hours": { from: 0, to: 0 } };
    const told = (await stack.previewFails(settings(late))).stdout;
    for (const name of ["web", "shop-db"])
      assert.ok(told.includes(`none of the triggers of ${name} is a ticket`), told);
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
