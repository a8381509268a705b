import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { StoredCounts } from "pulumi-recovery";
import { killPlanAndGoOn, planMoments } from "./killing/plan";
import { listening } from "../support/listening";
import { needsProcesses } from "./support/processes";
import { useScene } from "./support/scene";
import { planned } from "./support/plans";
import { config, panelOfTwelve, twelve, withCheck } from "./support/twelve-machines";
import { long } from "../support/thorough";

/** In one moment and one way; the long run has all of both. */
describe("a plan that is killed is finished by the next run, with one POST per machine", () => {
  const scene = useScene();

  needsProcesses();

  const moment = "in the first wave";
  it(moment, () => killPlanAndGoOn(scene, planMoments[moment], "kill -9 of the CLI", "by a rule"));
});

long.describe("a plan of twelve machines, one failing, one slow, one whose check fails", () => {
  const scene = useScene();
  let service: Server;
  let http: string;
  let isOpen = false;

  needsProcesses();

  beforeEach(async () => {
    isOpen = false;
    service = createServer((_request, response) => response.writeHead(isOpen ? 200 : 503).end());
    http = `http://127.0.0.1:${await listening(service)}/`;
  });
  afterEach(async () => {
    service.closeAllConnections();
    await new Promise((resolve) => service.close(resolve));
  });

  it("killed in each wave and before its verdict, is finished by later runs with one POST per machine", async () => {
    const panel = await panelOfTwelve(scene, 12, { speed: 1 });
    const special = new Map<number, Parameters<typeof panel.failNext>[1]>([
      [102, "failed"],
      [106, { seconds: 20 }],
    ]);
    for (let id = 101; id <= 112; id++) panel.failNext(id, special.get(id) ?? { seconds: 4 });
    const plan = withCheck(twelve({ onFailure: "continue" }), 2, "vm-111", { http, every: "1s", within: "3s" });
    const stack = await planned(scene, plan, { config });

    const waiting = [
      /shop-wave-data .*of 4 ended/,
      /shop-wave-middle .*[23] of 4 ended/,
      /shop-wave-front .*of 4 ended/,
    ];
    for (const moment of [...waiting, /shop-wave-front .*4 of 4 ended/]) {
      const run = await stack.start("up", {}, "ignored");
      await run.output(moment, 180_000);
      run.killCli();
      await run.ended;
      await stack.cancel();
    }
    const failed = await stack.upFails();

    assert.match(failed.stdout, /plan "shop", run "first": failed/);
    assert.match(failed.stdout, /vm-102 \(wave data\): the restore failed/);
    assert.match(failed.stdout, /"vm-111" .*did not pass within 3s: the answer was 503/);
    const counts = (await stack.resource("shop-verdict")).outputs?.["counts"] as StoredCounts;
    assert.deepEqual([counts.complete, counts.failed], [11, 1]);
    const once = Array.from({ length: 12 }, (_, index) => String(101 + index));
    const restored = (): string[] => panel.restores().map(({ machineId }) => machineId);
    assert.deepEqual(restored().sort(), once, "one restore of each machine, and no other");

    // The machine that failed is tried again, the one whose check failed is checked again, and no other one is touched.
    isOpen = true;
    await stack.refresh();
    const end = await stack.up();
    assert.equal(end.outputs["verdict"]?.value, "passed with warnings", end.stdout);
    assert.deepEqual(restored().sort(), [...once, "102"].sort());
  });
});
