import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import type { PlannedRestoreResult, RecoveryPlanArgs } from "pulumi-recovery";
import type { MockOptions } from "pulumi-recovery/testing";
import { repositoryRoot } from "../../tools/engine/cli";
import { long } from "../support/thorough";
import { planned, planTimeouts as timeouts } from "./support/plans";
import { useScene } from "./support/scene";
import type { TestStack } from "./support/stack";

interface Judged {
  readonly verdict: string;
  readonly reasons: readonly string[];
  readonly restores?: Readonly<Record<string, PlannedRestoreResult>>;
}

/** Runs a program in a separate process, because mocks apply to all programs in a process. */
function underMocks(plan: RecoveryPlanArgs, options: MockOptions): Judged {
  const program = `
    const pulumi = require("@pulumi/pulumi");
    const [plan, options] = process.argv.slice(1).map((text) => JSON.parse(text));
    pulumi.runtime.setMocks(require("pulumi-recovery/testing").mocks(options)).then(() => {
      const { verdict, reasons, restores } = new (require("pulumi-recovery").RecoveryPlan)("shop", plan);
      pulumi.output({ verdict, reasons, restores }).apply((known) => console.log(JSON.stringify(known)));
    });`;
  const args = ["-e", program, JSON.stringify(plan), JSON.stringify(options)];
  return JSON.parse(execFileSync(process.execPath, args, { cwd: repositoryRoot, encoding: "utf8" })) as Judged;
}

async function onTheEngine(stack: TestStack): Promise<Judged> {
  const { verdict, reasons } = (await stack.resource("shop-verdict")).outputs as unknown as Judged;
  return { verdict, reasons };
}

/** Masks transaction numbers, because they start elsewhere under mocks. */
const withoutIds = ({ verdict, reasons }: Judged): Judged => ({
  verdict,
  reasons: reasons.map((reason) => reason.replaceAll(/\d{4,}/g, "id")),
});

long.describe("mocks for a program's tests", () => {
  const scene = useScene();

  it("give a plan the same verdict and reasons as a run on the engine", async () => {
    const panel = await scene.panel({ speed: 50 });
    panel.failNext(42, "failed");
    const machine = (virtualMachineId: number) => ({ virtualMachineId, recoveryPointId: 1007, timeouts });
    const plan: RecoveryPlanArgs = {
      run: "Q1",
      onFailure: "continue",
      goals: { recoveryTime: "1h" },
      waves: [
        { name: "data", restores: { db: machine(42), files: { ...machine(42), paths: ["/srv"] }, mail: machine(44) } },
        { name: "front", restores: { web: machine(43) } },
      ],
    };
    const stack = await planned(scene, plan);
    await stack.upFails();
    const mocked = underMocks(plan, { failed: ["db"] });
    assert.deepEqual(withoutIds(mocked), withoutIds(await onTheEngine(stack)));
    const states = Object.values(mocked.restores ?? {}).map(({ status }) => status);
    assert.deepEqual([mocked.verdict, ...states.sort()], ["failed", "complete", "complete", "failed", "not sent"]);

    const passed = underMocks(plan, {});
    const { outputs } = await stack.up();
    const shape = (restores: object | undefined): unknown =>
      Object.entries(restores ?? {}).map(([name, result]: [string, object]) => [name, Object.keys(result).sort()]);
    assert.equal(passed.verdict, "passed");
    assert.deepEqual(shape(passed.restores), shape(outputs["restores"]?.value as object));
  });
});
