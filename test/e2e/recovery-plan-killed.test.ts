import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { StoredCounts } from "pulumi-recovery";
import { commands } from "../../cli/commands";
import { run } from "../../cli/run";
import { report } from "../../report";
import { killPlanAndGoOn, planMoments } from "./killing/plan";
import { listening } from "../support/listening";
import { needsProcesses } from "./support/processes";
import { useScene } from "./support/scene";
import { declarePlan, planned } from "./support/plans";
import type { TestStack } from "./support/stack";
import { config as twoWaves, planArgs } from "./support/two-waves";
import { config, panelOfTwelve, twelve, withCheck } from "./support/twelve-machines";
import { long } from "../support/thorough";

/** In one moment and one way; the long run has all of both. */
describe("a plan that is killed is finished by the next run, with one POST per machine", () => {
  const scene = useScene();

  needsProcesses();

  const moment = "in the first wave";
  it(moment, () => killPlanAndGoOn(scene, planMoments[moment], "kill -9 of the CLI", "by a rule"));
});

describe("a plan that is killed while a wave carries out a changed check", () => {
  const scene = useScene();
  let service: Server;
  let http: string;
  let answer: number;
  let asked: Promise<void>;

  needsProcesses();

  beforeEach(async () => {
    answer = 200;
    let onAsked: () => void;
    asked = new Promise((resolve) => (onAsked = resolve));
    service = createServer(({ url }, response) => {
      if (url === "/changed") onAsked();
      response.writeHead(url === "/changed" ? answer : 200).end();
    });
    http = `http://127.0.0.1:${await listening(service)}/`;
  });
  afterEach(async () => {
    service.closeAllConnections();
    await new Promise((resolve) => service.close(resolve));
  });

  it("is incomplete whatever clears the interrupted operation, with its exit code, until the changed check has passed", async () => {
    const panel = await scene.panel({ speed: 50 });
    const stack = await planned(scene, planArgs([{ http, every: "1s", within: "5m" }]), { config: twoWaves });
    await stack.up();
    await stack.configure(declarePlan(planArgs([{ http: `${http}changed`, every: "1s", within: "5m" }])));
    answer = 503;
    const killed = await stack.start("up", {}, "ignored");
    await asked;
    killed.killCli();
    await killed.ended;
    await stack.cancel();

    const notCarriedOut = /^db \(wave data\) was not carried out since it was changed at /;
    const broken = await reported(stack);
    assert.match(broken.reasons[0] ?? "", /^The run broke off while the engine was updating shop-wave-data;/);
    assert.match(broken.reasons[1] ?? "", notCarriedOut);
    assert.deepEqual([broken.result, broken.code], ["incomplete", 2]);
    // The verdict alone, and a refresh, forget the operation, and the old record stands as it did.
    const { stdout, stderr } = await stack.upFails({ target: ["**shop-verdict"] });
    assert.match(stdout + stderr, /run "first": incomplete.*was not carried out since it was changed at /s);
    await stack.refresh();
    const refreshed = await reported(stack);
    assert.match(refreshed.reasons[0] ?? "", notCarriedOut);
    assert.deepEqual([refreshed.result, refreshed.code], ["incomplete", 2]);

    answer = 200;
    const { outputs } = await stack.up();
    assert.equal(outputs["verdict"]?.value, "passed with warnings");
    assert.equal((await reported(stack)).code, 0);
    assert.equal(panel.acceptedPosts(), 2, "each restore once");
  });

  async function reported(
    stack: TestStack,
  ): Promise<{ readonly result: string; readonly reasons: readonly string[]; readonly code: number }> {
    const exported = await stack.exportState();
    const state = join(scene.folder, "state.json");
    writeFileSync(state, JSON.stringify(exported));
    const io = { say: () => undefined, warn: () => undefined, environment: {}, stdin: () => Promise.resolve("") };
    const code = await run(["report", "--state", state, "--out", join(scene.folder, "report"), "--gate"], io, commands);
    const { verdict } = report(exported);
    return { result: verdict.result, reasons: verdict.reasons, code };
  }
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
      const killed = await stack.start("up", {}, "ignored");
      await killed.output(moment, 180_000);
      killed.killCli();
      await killed.ended;
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
