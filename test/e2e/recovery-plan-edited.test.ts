import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { RecoveryPlanArgs } from "pulumi-recovery";
import { declarePlan, planned, planTimeouts as timeouts, reported } from "./support/plans";
import { needsProcesses } from "./support/processes";
import { type Sandbox, useScene } from "./support/scene";
import { waitUntil } from "./support/wait-until";

type Restores = RecoveryPlanArgs["waves"][number]["restores"];

const of = (virtualMachineId: number, more: Partial<Restores[string]> = {}) =>
  ({ virtualMachineId, recoveryPointId: 1008, timeouts, ...more }) as Restores[string];

const shop = (data: Restores, front: Restores = {}, more: Partial<RecoveryPlanArgs> = {}): RecoveryPlanArgs => ({
  run: "Q1",
  waves: [
    { name: "data", restores: data },
    { name: "front", restores: front },
  ],
  ...more,
});

const sent = (panel: Sandbox): readonly string[] =>
  panel.restores().map(({ machineId, recoveryPointId }) => `${machineId} from ${recoveryPointId}`);

describe("a plan that is edited in an emergency on the real engine", () => {
  const scene = useScene();

  needsProcesses();

  it("restores from the right point once the restore from the wrong point, sent by a killed `up`, has ended", async () => {
    const panel = await scene.panel({ speed: 1 });
    const stack = await planned(scene, shop({ db: of(42) }));
    panel.failNext(42, { seconds: 6 });
    const run = stack.start();
    await waitUntil(() => panel.acceptedPosts() === 1, 60_000, "the POST");
    run.killCli();
    await run.ended;
    await stack.cancel().catch(() => undefined);
    panel.failNext(42, { seconds: 1 });

    await stack.configure(declarePlan(shop({ db: of(42, { recoveryPointId: 1007 }) })));
    const { outputs } = await stack.up();
    assert.deepEqual(sent(panel), ["42 from 1008", "42 from 1007"]);
    assert.equal(outputs["verdict"]?.value, "passed with warnings");
  });

  it("sends only what each edit requires after a night of ten mistakes and failures", async () => {
    const machines = Array.from({ length: 11 }, (_, nth) => ({ id: 42 + nth }));
    const panel = await scene.panel({ speed: 50, scenario: { machines }, dialect: { chain: "chain" } });
    const healthy = new Set(["/health"]);
    const app = createServer(({ url = "" }, response) => response.writeHead(healthy.has(url) ? 200 : 404).end());
    await once(app.listen(0, "127.0.0.1"), "listening");
    app.unref();
    const { port } = app.address() as AddressInfo;
    const http = (path: string) => ({
      checks: [{ http: `http://127.0.0.1:${String(port)}${path}`, within: "1s" as const }],
    });
    const night: Restores = {
      checked: of(42, http("/helth")),
      old: of(43, http("/data")),
      given: of(44),
      wrong: of(45),
      started: of(47),
      typo: of(48),
      bad: of(49, http("/health")),
      dated: { virtualMachineId: 51, recoveryPoint: "newest", timeouts },
    };
    const incident = Date.now();
    const incidentAt = new Date(incident).toISOString();
    const began = (typo: number) => shop({ ...night, typo: of(typo) }, { misplaced: of(50) }, { incidentAt });
    const stack = await planned(scene, began(4_800));
    assert.match((await stack.upFails()).stdout, /waves\.data\.typo: the panel does not know machine 4800/);
    assert.deepEqual(sent(panel), []);

    for (const machine of [44, 45, 51]) panel.failNext(machine, "failed");
    await stack.configure(declarePlan(began(48)));
    const failing = stack.upFails();
    await waitUntil(() => panel.acceptedPosts(47) === 1, 60_000, "the restore after which the machine does not start");
    const ofStarted = (action: RegExp): string =>
      panel.transactions().findLast((one) => one.machineId === "47" && action.test(one.action))?.id ?? "";
    panel.endTransaction(ofStarted(/start/), "failed");
    assert.match((await failing).stdout, /6 of 8 restores of the wave are not complete and checked/);
    const before = sent(panel).length;

    healthy.add("/data");
    const data: Restores = {
      ...night,
      checked: of(42, http("/health")),
      old: of(43, { ...http("/data"), recoveryPointId: 1007 }),
      given: of(44, { retryFailed: false }),
      wrong: of(45, { retryFailed: false }),
      right: of(46),
      started: of(47, { adopt: ofStarted(/restore/) }),
      bad: of(49, { ...http("/health"), recoveryPointId: 1007, triggers: ["found bad"] }),
      misplaced: of(50, { triggers: ["never sent"] }),
      forgotten: of(52),
    };
    const earlier = new Date(incident - 7_200_000).toISOString();
    await stack.configure(declarePlan(shop(data, {}, { incidentAt: earlier, onFailure: "continue" })));
    assert.match(
      (await stack.preview()).stdout,
      /3 of 11 will be restored again: old, bad, dated; 3 of 11 will be restored: right, misplaced, forgotten \(not sent yet\); 1 of 11 will be checked: checked; 2 of 11 left as is: given, wrong; 1 of 11 will be adopted: started/,
    );
    const ofEdits = ["43 from 1007", "46 from 1008", "49 from 1007", "50 from 1008", "51 from 1008", "52 from 1008"];
    for (let time = 0; time < 2; time++) {
      await stack.upFails();
      assert.deepEqual(sent(panel).slice(before).sort(), ofEdits);
    }
    const { result, reasons } = await reported(stack);
    assert.equal(result, "failed");
    const failed = reasons
      .filter((reason) => / failed \(transactions /.test(reason))
      .map((reason) => reason.split(" ")[0]);
    assert.deepEqual(failed, ["given", "wrong"], reasons.join("\n"));
  });
});
