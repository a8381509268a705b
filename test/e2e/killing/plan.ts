import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { RecoveryPlanArgs } from "pulumi-recovery";
import { report } from "../../../report";
import type { OwnProcess } from "../support/own-process";
import { isAlive } from "../support/processes";
import { planned } from "../support/plans";
import type { Sandbox, Scene } from "../support/scene";
import { waitUntil } from "../support/wait-until";
import { killers, letGoOn, type KillerName } from "./killers";
import { listening } from "../../support/listening";

const config = { "recovery:requestTimeout": "10s" };
const timeouts = { listed: "4s" };
const machines = [101, 102, 103, 104, 105, 106];
const limitMs = 180_000;

/** What a test sees of a plan that runs: the panel, the output, and how often its checks have asked. */
interface Sight {
  readonly panel: Sandbox;
  readonly run: OwnProcess;
  readonly asked: () => number;
}

type PlanMoment = (sight: Sight) => Promise<unknown>;

/** Six machines in three waves of two; the machines of the second wave are checked. */
export const planMoments = {
  "before anything is posted": ({ run }) => run.output(/shop-run/, limitMs),
  "after the first POST": ({ panel }) => waitUntil(() => panel.acceptedPosts() > 0, limitMs, "a POST"),
  "in the first wave": ({ run }) => run.output(/shop-wave-one .*of 2 ended/, limitMs),
  "in the second wave": ({ run }) => run.output(/shop-wave-two .*of 2 ended/, limitMs),
  "in the second wave, while checking": async ({ asked, run }) => {
    await waitUntil(() => asked() > 0, limitMs, "a check");
    await run.output(/shop-wave-two .*; checking vm-/, limitMs);
  },
  "in the third wave": ({ run }) => run.output(/shop-wave-three .*of 2 ended/, limitMs),
  "before the verdict": ({ run }) => run.output(/shop-wave-three .*2 of 2 ended/, limitMs),
} as const satisfies Record<string, PlanMoment>;

export type PlanMomentName = keyof typeof planMoments;

/**
 * Kills a plan at a moment; then one more `up` has to bring it to its end, with every machine posted once. By a rule, a newer backup of each machine
 * is made meanwhile: what was chosen before stays.
 */
export async function killPlanAndGoOn(
  scene: Pick<Scene, "panel" | "stack">,
  reached: PlanMoment,
  killer: KillerName,
  points: "by their ids" | "by a rule" = "by their ids",
): Promise<void> {
  const panel = await scene.panel({ speed: 1 });
  for (const id of machines) {
    panel.addMachine({ id, recoveryPoints: [1] });
    panel.failNext(id, { seconds: 5 });
  }
  let asked = 0;
  let isUp = false;
  const service = createServer((_request, response) => {
    asked++;
    response.writeHead(isUp ? 200 : 503).end();
  });
  const http = `http://127.0.0.1:${await listening(service)}/`;
  try {
    const stack = await planned(scene, threeWaves(http, points), { config });
    const run = await stack.start("up", {}, "ignored");
    // The service comes up while it is checked, so that there is a moment of checking to be killed in.
    const comesUp = setInterval(() => (isUp = asked > 30), 100);
    await reached({ panel, run, asked: () => asked });
    const providers = run.processes().flatMap(({ kind, pid }) => (kind === "provider" ? [pid] : []));
    await killers[killer](run);
    letGoOn(run);
    await run.ended;
    clearInterval(comesUp);
    isUp = true;
    await stack.cancel().catch(() => undefined);
    const saved = chosenIn(await stack.exportState());
    for (const id of points === "by a rule" ? machines : []) panel.addRecoveryPoint(id, { id: 2 });

    const end = await stack.up();

    assert.match(String(end.outputs["verdict"]?.value), /^passed/, end.stdout);
    // The engine still remembers what it was killed in; what has become of it since is stored.
    const { verdict } = report(await stack.exportState());
    assert.deepEqual(
      [verdict.result, verdict.from],
      [end.outputs["verdict"]?.value, "stored"],
      verdict.reasons.join(" "),
    );
    assert.deepEqual(
      panel
        .restores()
        .map(({ machineId }) => machineId)
        .sort(),
      machines.map(String),
      "one restore of each machine, and no other",
    );
    const posted = panel.restores().map(({ machineId, recoveryPointId }) => [machineId, recoveryPointId] as const);
    const expected = (machine: string): string => (points === "by a rule" ? (saved.get(machine) ?? "2") : "1");
    assert.deepEqual(
      posted,
      posted.map(([machine]) => [machine, expected(machine)]),
      "each from the point that its intent was saved with",
    );
    await waitUntil(() => !providers.some(isAlive), 30_000, "the provider process of the killed run to be gone");
  } finally {
    service.closeAllConnections();
    service.close();
  }
}

/** By machine, the points that the intents in a state have. */
function chosenIn(state: unknown): ReadonlyMap<string, string> {
  const { deployment } = state as { deployment: { resources?: { type: string; outputs?: Record<string, string> }[] } };
  const intents = (deployment.resources ?? []).filter(({ type }) => type.endsWith(":RestoreIntent"));
  return new Map(
    intents.map(({ outputs = {} }) => [outputs["virtualMachineId"] ?? "", outputs["recoveryPointId"] ?? ""]),
  );
}

function threeWaves(http: string, points: "by their ids" | "by a rule"): RecoveryPlanArgs {
  const restores = (first: number, checks: object[]): Record<string, object> =>
    Object.fromEntries(
      [first, first + 1].map((id) => [
        `vm-${String(id)}`,
        {
          virtualMachineId: id,
          ...(points === "by their ids" && { recoveryPointId: 1 }),
          timeouts,
          ...(checks.length > 0 && { checks }),
        },
      ]),
    );
  const waves = [
    { name: "one", restores: restores(101, []) },
    { name: "two", restores: restores(103, [{ http, every: "1s", within: "2m" }]) },
    { name: "three", restores: restores(105, []) },
  ];
  return { run: "first", recoveryPoint: "newest", waves: waves as unknown as RecoveryPlanArgs["waves"] };
}
