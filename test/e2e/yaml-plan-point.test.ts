import assert from "node:assert/strict";
import type { PlannedRestoreResult } from "pulumi-recovery";
import { needs } from "./support/needs";
import { useScene } from "./support/scene";
import { connection, YamlProject } from "./support/yaml-project";
import { programInYaml } from "./support/yaml-restores";
import { long } from "../support/thorough";

const hour = 3_600;
const plan = (more = ""): string =>
  programInYaml(`resources:
  shop:
    type: recovery:RecoveryPlan
    properties:
      run: first
      recoveryPoint: newest
      goals: { dataAge: 24h }
${more}      waves:
        - name: data
          restores: { db: { virtualMachineId: "42", timeouts: { listed: 2s } } }
        - name: front
          recoveryPoint: { pick: oldest }
          restores: { web: { virtualMachineId: "43", timeouts: { listed: 2s }, goals: { dataAge: 48h } } }
outputs:
  verdict: \${shop.verdict}
  restores: \${shop.restores}
`);

describe("a plan whose recovery points are chosen by rules, in YAML", () => {
  const scene = useScene();

  needs("yaml-host");

  long.it("chooses once, by the nearest rule, and measures by the panel's time", async () => {
    const machines = [42, 43].map((id) => ({
      id,
      recoveryPoints: [
        { id: id * 100 + 1, ageSeconds: 30 * hour },
        { id: id * 100 + 2, ageSeconds: 3 * hour },
      ],
    }));
    const panel = await scene.panel({ speed: 50, scenario: { machines } });
    const project = await YamlProject.open(scene.folder, plan(), connection(panel));
    await project.expect("up", "--yes", "--skip-preview");
    const outputs = await project.outputs();
    assert.equal(outputs["verdict"], "passed");
    const { db, web } = outputs["restores"] as Record<string, PlannedRestoreResult>;
    assert.deepEqual([db?.recoveryPointId, web?.recoveryPointId], ["4202", "4301"]);
    assert.deepEqual([db?.recoveryPoint, db?.chosenFrom], [{ pick: "newest" }, { listed: 2, fitted: 2 }]);
    assert.ok(Math.abs((web?.dataAgeSeconds ?? 0) - 30 * hour) < 600);
    for (const { id } of machines) panel.addRecoveryPoint(id, { id: id * 100 + 3 });
    await project.expect("preview", "--expect-no-changes");
    project.rewrite(
      plan('      incidentAt: "2020-01-01T00:00:00Z"\n').replace("recoveryPoint: newest", "recoveryPoint: {}"),
    );
    await project.run("up", "--yes", "--skip-preview");
    assert.equal(panel.acceptedPosts(), 2);
  });
});
