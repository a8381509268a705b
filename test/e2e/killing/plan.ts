import assert from "node:assert/strict";
import { createServer } from "node:http";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { RecoveryPlanArgs } from "pulumi-recovery";
import { report } from "../../../report";
import { startSandbox, type PanelOptions } from "../../../sandbox";
import { listening } from "../../support/listening";
import type { Killable } from "../support/killable";
import { declarePlan, planned, planTimeouts, quick } from "../support/plans";
import { posts } from "../support/posts";
import { isAlive } from "../support/processes";
import type { Sandbox, Scene } from "../support/scene";
import { waitUntil } from "../support/wait-until";
import { killers, letGoOn, type KillerName } from "./killers";

const limitMs = 120_000;
const machines = [101, 102, 103, 104];

/** What a test sees of a running plan: the panel, the output, and the number of check attempts. */
interface Sight {
  readonly panel: Sandbox;
  readonly run: Killable;
  readonly asked: () => number;
}

interface Station {
  /** How the panel must behave so that the moment lasts long enough for a kill. */
  readonly panel?: PanelOptions;
  /** Two restores failed in an earlier `up`, and the killed `up` attempts them again. */
  readonly again?: true;
  readonly reached: (sight: Sight) => Promise<unknown>;
}

const listReads = (panel: Sandbox): number => panel.requests().filter(({ method }) => method === "GET").length;

/** The moments in a plan with two waves: four machines, one of them checked, and then the first machine's files. */
export const stations = {
  "before the first intent": { reached: ({ run }) => run.output(/shop-run created/, limitMs) },
  "between intent and wave": { reached: ({ run }) => run.output(/shop-wave-one-intent created/, limitMs) },
  "before the POSTs": {
    panel: { faults: { get: { delay: { after: 1, times: 1, seconds: 2 } } } },
    reached: ({ panel }) => waitUntil(() => listReads(panel) > 1, limitMs, "the read before the POSTs"),
  },
  "between the POSTs": {
    panel: { faults: { post: { delay: { after: 2, seconds: 1.5 } } } },
    reached: ({ panel }) => waitUntil(() => posts(panel).length > 2, limitMs, "some of the POSTs"),
  },
  "after the POSTs": {
    reached: ({ panel }) => waitUntil(() => panel.acceptedPosts() === machines.length, limitMs, "all POSTs"),
  },
  "during the wait": { reached: ({ run }) => run.output(/vm-104: transaction/, limitMs) },
  "during the checks": { reached: ({ asked }) => waitUntil(() => asked() > 0, limitMs, "a check") },
  "during the second wave": { reached: ({ run }) => run.output(/content: transaction/, limitMs) },
  "before the verdict": { reached: ({ run }) => run.output(/shop-wave-two .*1 of 1 done/, limitMs) },
  "before the POSTs that repeat failed attempts": {
    again: true,
    // Before posting again, the run searches for a newer restore.
    reached: ({ run }) => run.output(/will be restored again/, limitMs),
  },
  "after the POSTs that repeat failed attempts": {
    again: true,
    reached: ({ panel }) => waitUntil(() => panel.acceptedPosts() === machines.length + 2, limitMs, "the POSTs"),
  },
} as const satisfies Readonly<Record<string, Station>>;

export type StationName = keyof typeof stations;

/** The ways to kill a single restore's run, plus a power loss of the panel. */
export type PlanKiller = KillerName | "power loss of the panel";

/**
 * Kills a plan's run at a moment, and then adds newer recovery points. One more `up` must complete the plan with one POST per machine and attempt,
 * and with the points that the rules had chosen. No verdict along the way may be better than what happened.
 */
export async function killPlan(
  scene: Pick<Scene, "panel" | "stack" | "folder">,
  name: StationName,
  killer: PlanKiller,
  point: { recoveryPointId: 1 } | { recoveryPoint: "newest" } = { recoveryPointId: 1 },
): Promise<void> {
  const station: Station = stations[name];
  const stateFile = join(scene.folder, "panel.json");
  let panel = await scene.panel({ speed: 1, stateFile, ...station.panel });
  const takes = (seconds: number) => machines.forEach((id) => panel.failNext(id, { seconds }));
  for (const id of machines) panel.addMachine({ id, recoveryPoints: [1] });
  let asked = 0;
  let opensAt = Infinity;
  const service = createServer((_request, response) => {
    if (++asked === 1) opensAt = Date.now() + 2_500;
    response.writeHead(Date.now() >= opensAt ? 200 : 503).end();
  });
  const http = `http://127.0.0.1:${await listening(service)}/`;
  try {
    const stack = await planned(scene, twoWaves(http, point), { config: quick });
    if (station.again) for (const id of [102, 103]) panel.failNext(id, { outcome: "failed", seconds: 1 });
    takes(4);
    if (station.again) await stack.upFails();
    const run = stack.start();
    await station.reached({ panel, run, asked: () => asked });
    const providers = run.processes().flatMap(({ kind, pid }) => (kind === "provider" ? [pid] : []));
    if (killer === "power loss of the panel") {
      const port = Number(new URL(panel.url).port);
      await panel.stop();
      await pause(1_500);
      panel = await startSandbox({ port, stateFile });
      await run.ended;
    } else {
      await killers[killer](run);
      letGoOn(run);
      await run.ended;
      await stack.cancel().catch(() => undefined);
    }
    const broken = report(await stack.exportState()).verdict;
    const isAllBack = panel.restores().filter(({ status }) => status === "complete").length === machines.length + 1;
    if (!isAllBack) assert.doesNotMatch(broken.result, /passed/, broken.reasons.join("\n"));
    for (const id of machines) panel.addRecoveryPoint(id, { id: 2 });

    const end = await stack.up().catch(async (error: unknown) => {
      // Nothing shows which requests a panel lost in a power failure, so the operator must request the restores again with new triggers.
      const lost = machines.filter((id) => !panel.restores().some(({ machineId }) => machineId === String(id)));
      if (killer !== "power loss of the panel" || lost.length === 0) throw error;
      assert.match(String(error), /was sent, but the panel has not listed it/);
      await stack.configure(declarePlan(twoWaves(http, point, lost)));
      return stack.up();
    });

    const { verdict } = report(await stack.exportState());
    assert.match(verdict.result, /^passed/, `${verdict.reasons.join("\n")}\n${end.stdout}`);
    assert.equal(end.outputs["verdict"]?.value, verdict.result);
    const posted = panel.restores().map(({ machineId, recoveryPointId }) => `${machineId} from ${recoveryPointId}`);
    const files = 101;
    const expected = [...machines, files, ...(station.again ? [102, 103] : [])].map((id) => `${String(id)} from 1`);
    assert.deepEqual(posted.sort(), expected.sort(), "each attempt exactly once");
    await waitUntil(() => !providers.some(isAlive), 30_000, "the provider process of the killed run to be gone");
  } finally {
    if (killer === "power loss of the panel") await panel.stop();
    service.closeAllConnections();
    service.close();
  }
}

function twoWaves(http: string, point: object, again: readonly number[] = []): RecoveryPlanArgs {
  const machine = (id: number, more: object = {}) => ({
    virtualMachineId: id,
    ...point,
    timeouts: planTimeouts,
    ...(again.includes(id) && { triggers: ["again"] }),
    ...more,
  });
  const checks = [{ http, every: "1s", within: "1m" }];
  const waves = [
    {
      name: "one",
      restores: Object.fromEntries(
        machines.map((id) => [`vm-${String(id)}`, machine(id, id === 104 ? { checks } : {})]),
      ),
    },
    {
      name: "two",
      restores: { content: { virtualMachineId: 101, recoveryPointId: 1, paths: ["/srv"], timeouts: planTimeouts } },
    },
  ];
  return { run: "first", waves: waves };
}
