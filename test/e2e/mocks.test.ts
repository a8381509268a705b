import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import type { RecoveryPlanArgs, StoredCounts } from "pulumi-recovery";
import type { MockOptions } from "pulumi-recovery/testing";
import type { StoredVerdict, StoredWave } from "../../provider/plan/stored";
import { repositoryRoot } from "../../tools/engine/cli";
import { planned } from "./support/plans";
import { useScene } from "./support/scene";
import type { TestStack } from "./support/stack";
import { config, panelOfTwelve, twelve } from "./support/twelve-machines";

/** The judgement of a run, and the status and the known fields of each restore. */
interface Judgement extends Pick<StoredVerdict, "verdict" | "reasons"> {
  readonly counts: StoredCounts;
  readonly restores: Readonly<Record<string, { readonly status: string; readonly fields: readonly string[] }>>;
}

/** In a process of its own, because mocks hold for all programs of a process. */
function underMocks(plan: RecoveryPlanArgs, options: MockOptions): Judgement {
  const program = `
    const pulumi = require("@pulumi/pulumi");
    const [plan, options] = process.argv.slice(1).map((text) => JSON.parse(text));
    pulumi.runtime.setMocks(require("pulumi-recovery/testing").mocks(options)).then(() => {
      const { verdict, reasons, counts, restores } = new (require("pulumi-recovery").RecoveryPlan)("shop", plan);
      pulumi.output({ verdict, reasons, counts, restores }).apply((known) => console.log(JSON.stringify(known)));
    });`;
  const printed = execFileSync(process.execPath, ["-e", program, JSON.stringify(plan), JSON.stringify(options)], {
    cwd: repositoryRoot,
    encoding: "utf8",
  });
  const { restores, ...judged } = JSON.parse(printed) as Judgement & { readonly restores: Record<string, object> };
  return { ...judged, restores: shapes(restores, ["wave", "goals"]) };
}

async function onTheEngine(stack: TestStack): Promise<Judgement> {
  const { verdict, reasons, counts } = (await stack.resource("shop-verdict")).outputs as unknown as StoredVerdict;
  const names = ["shop-wave-data", "shop-wave-middle"];
  const waves = await Promise.all(names.map(async (name) => (await stack.resource(name)).outputs));
  const restores = Object.assign({}, ...waves.map((wave) => (wave as unknown as StoredWave).restores)) as object;
  return {
    verdict,
    reasons,
    counts,
    restores: shapes(restores, [
      "goals",
      "posting",
      "madeFor",
      "definition",
      "postedAfter",
      "revision",
      "runStartedAt",
    ]),
  };
}

function shapes(restores: object, without: readonly string[]): Judgement["restores"] {
  const entries = Object.entries(restores as Record<string, { readonly status: string }>).map(([name, step]) => [
    name,
    {
      status: step.status,
      fields: Object.keys(step)
        .filter((field) => !without.includes(field))
        .sort(),
    },
  ]);
  return Object.fromEntries(entries) as Judgement["restores"];
}

describe("mocks for the test of a program", () => {
  const scene = useScene();

  it("have the verdict, the reasons and the restores of a run on the engine", async () => {
    const panel = await panelOfTwelve(scene, 8);
    panel.failNext(101, "failed");
    const { waves, ...rest } = twelve({ onFailure: "continue" });
    const plan = { ...rest, waves: waves.slice(0, 2) };
    const stack = await planned(scene, plan, { config });
    await stack.upFails();
    const mocked = underMocks(plan, { failed: ["vm-101"] });
    assert.deepEqual(mocked, await onTheEngine(stack));
    assert.deepEqual([mocked.verdict, mocked.counts.complete, mocked.counts.failed], ["failed", 7, 1]);
  });
});
