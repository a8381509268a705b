import assert from "node:assert/strict";
import { join } from "node:path";
import type { RecoveryPlanArgs } from "pulumi-recovery";
import { cliPath } from "../../tools/engine/cli";
import { long } from "../support/thorough";
import { manifest, typescript } from "./support/fresh-programs";
import { Project } from "./support/project";
import { needs } from "./support/needs";
import { planTimeouts as timeouts } from "./support/plans";
import { useScene, type Scene } from "./support/scene";

/** A program that reads its plan from a file, so that a test can change the plan without running the CLI. */
const program = `
import { readFileSync } from "node:fs";
import * as recovery from "pulumi-recovery";
export const { verdict } = new recovery.RecoveryPlan("shop", JSON.parse(readFileSync("plan.json", "utf8")));
`;

/** Two machines in two waves. A machine is restored again if its triggers change. */
const shop = (db: string, web: string): RecoveryPlanArgs => ({
  run: "Q1",
  waves: [
    { name: "data", restores: { db: { virtualMachineId: 42, recoveryPointId: 1007, triggers: [db], timeouts } } },
    { name: "front", restores: { web: { virtualMachineId: 43, recoveryPointId: 1008, triggers: [web], timeouts } } },
  ],
});

const leftOut = /`--target` or `--exclude` left out an earlier part of the plan/;

/**
 * A part of a plan sends restores only if the engine checked every earlier part in the same process. That works as long as the engine does not check what an
 * operation leaves out, checks each part before its dependents, and has one provider process per operation. A refresh only calls `diff`.
 */
async function leftOutAndReplaced(scene: Pick<Scene, "panel" | "folder">, cli: string, hasExclude: boolean) {
  const panel = await scene.panel({ speed: 50 });
  const env = { RECOVERY_REQUEST_TIMEOUT: "2s", PULUMI_NODEJS_TRANSPILE_ONLY: "true" };
  const files = { ...typescript, ...manifest({}), "index.ts": program };
  const project = Project.create(scene.folder, join(scene.folder, "plan"), files, { panel, cli, env });
  project.link();
  const sent = (): string =>
    panel
      .restores()
      .map(({ machineId }) => machineId)
      .join(" ");
  const declare = (plan: RecoveryPlanArgs): void => {
    project.write("plan.json", JSON.stringify(plan));
  };
  const up = (...args: readonly string[]): Promise<string> => project.pulumi("up", "--yes", "--skip-preview", ...args);

  declare(shop("1", "1"));
  await project.firstUp();
  assert.equal(sent(), "42 43");

  declare(shop("2", "2"));
  const front = ["**::shop-wave-front-intent", "**::shop-wave-front"];
  await assert.rejects(up(...front.flatMap((urn) => ["--target", urn])), leftOut);
  const data = ["**::shop-wave-data-intent", "**::shop-wave-data"];
  if (hasExclude) await assert.rejects(up(...data.flatMap((urn) => ["--exclude", urn])), leftOut);
  assert.equal(sent(), "42 43", "the second wave would not follow the first wave as declared in the program");

  await project.pulumi("refresh", "--yes", "--skip-preview");
  assert.equal(sent(), "42 43");
  await up("--refresh");
  assert.equal(sent(), "42 43 42 43");

  // If a part is deleted before it is replaced, the engine calls `diff` for all its dependents before it checks anything.
  declare(shop("2", "3"));
  await up("--replace", "**::shop-wave-data-intent", "--refresh");
  assert.equal(sent(), "42 43 42 43 43", "the first wave continues with its intent's entries");
  const replaced = await up("--replace", "**::shop-run", "--replace", "**::shop-wave-front");
  assert.match(replaced, /replaced, but its record was kept, so nothing is restored/);
  assert.equal(sent(), "42 43 42 43 43");
  await up("--expect-no-changes");
  assert.deepEqual(await project.outputs(), { verdict: "passed with warnings" });
}

long.describe("a part of a plan on the real engine", () => {
  const scene = useScene();

  it("sends no restores before the earlier parts succeed, whichever parts an operation leaves out or replaces (newest CLI)", function () {
    this.timeout(900_000);
    return leftOutAndReplaced(scene, cliPath(), true);
  });

  describe("with the oldest CLI", () => {
    const oldest = needs("oldest-cli");

    it("sends no restores before the earlier parts succeed, whichever parts an operation without --exclude leaves out or replaces", function () {
      this.timeout(900_000);
      return leftOutAndReplaced(scene, oldest.path, false);
    });
  });
});
