import assert from "node:assert/strict";
import { needs } from "./support/needs";
import { useScene } from "./support/scene";
import { connection, YamlProject } from "./support/yaml-project";
import { programInYaml } from "./support/yaml-restores";

const chosen = (rule: string, more = ""): string =>
  programInYaml(`resources:
  web:
    type: recovery:VmRestore
    properties:
      virtualMachineId: 42
      recoveryPoint: ${rule}
      timeouts: { settle: 0s }
${more}outputs:
  from: \${web.recoveryPointId}
  taken: \${web.recoveryPointTakenAt}
`);

describe("a recovery point chosen by a rule, in YAML", () => {
  const scene = useScene();

  needs("yaml-host");

  it("is chosen once, and the same rule in its parts changes nothing", async () => {
    const machines = [
      {
        id: 42,
        recoveryPoints: [
          { id: 1007, ageSeconds: 7_200 },
          { id: 1008, ageSeconds: 3_600 },
        ],
      },
    ];
    const panel = await scene.panel({ speed: 50, scenario: { machines } });
    const project = await YamlProject.open(scene.folder, chosen("newest"), connection(panel));
    const up = await project.expect("up", "--yes", "--skip-preview");
    assert.match(up, /from\s*: "1008"/);
    assert.match(up, /taken\s*: "\d{4}-.*Z"/);
    panel.addRecoveryPoint(42, { id: 1009 });
    await project.expect("up", "--yes", "--expect-no-changes");
    project.rewrite(chosen("{ pick: newest }"));
    await project.expect("preview", "--expect-no-changes");
    assert.equal(panel.acceptedPosts(), 1);
  });
});
