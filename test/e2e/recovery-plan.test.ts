import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { PlannedRestoreResult, RecoveryPlanArgs, StoredCounts } from "pulumi-recovery";
import type { StoredChange, StoredWave } from "../../provider/plan/stored";
import { listening } from "../support/listening";
import { declarePlan, planned } from "./support/plans";
import { useScene, type Sandbox } from "./support/scene";
import type { Run } from "./support/run";
import type { TestStack } from "./support/stack";
import { config, panelOfTwelve, timeouts, twelve, withCheck } from "./support/twelve-machines";
import { long } from "../support/thorough";

/** What a plan has stamped by the runner's clock, of which waits know nothing: theirs begins with the process. */
async function runnerStamps(stack: TestStack): Promise<readonly (readonly [what: string, stamp: unknown])[]> {
  const of = async (name: string, stamps: readonly string[]) => {
    const outputs = (await stack.resource(name)).outputs ?? {};
    return stamps.map((stamp) => [`${name}'s ${stamp}`, outputs[stamp]] as const);
  };
  const step = ((await stack.resource("shop-wave-front")).outputs as unknown as StoredWave).restores["vm-109"];
  return [
    ...(await of("shop-run", ["startedAt"])),
    ...(await of("shop-wave-data", ["startedAt", "endedAt"])),
    ...(await of("shop-wave-front", ["startedAt", "endedAt"])),
    ...(await of("shop-verdict", ["decidedAt"])),
    ["the end of vm-109 as noticed", step?.noticedAt],
    ["the last check of vm-109", step?.checkedAt],
    ["the begin of its check", step?.checks[0]?.startedAt],
    ["the end of its check", step?.checks[0]?.endedAt],
  ];
}

describe("a recovery plan on the real engine", () => {
  const scene = useScene();
  let service: Server;
  let address: string;
  let status = 200;
  let asked: (string | undefined)[] = [];

  beforeEach(async () => {
    status = 200;
    asked = [];
    service = createServer((request, response) => {
      asked.push(request.headers.authorization);
      response.writeHead(status).end("the shop is open");
    });
    address = `http://127.0.0.1:${await listening(service)}/health`;
  });
  afterEach(async () => {
    service.closeAllConnections();
    await new Promise((resolve) => service.close(resolve));
  });

  const resultsOf = (run: Run) => run.outputs["restores"]?.value as Record<string, PlannedRestoreResult>;
  const countsOf = (run: Run) => run.outputs["counts"]?.value as StoredCounts;
  const machines = (panel: Sandbox): string[] => panel.restores().map(({ machineId }) => machineId);

  long.it("restores twelve machines in three waves, one POST each, and an unchanged run does nothing", async () => {
    const panel = await panelOfTwelve(scene);
    const plan = withCheck(twelve({ goals: { recoveryTime: "1h" } }), 2, "vm-109", {
      http: address,
      contains: "open",
    });
    const stack = await planned(scene, plan, { config });
    const began = Date.now();

    const run = await stack.up();

    for (const [what, stamp] of await runnerStamps(stack)) {
      const at = Date.parse(String(stamp));
      assert.ok(at >= began && at <= Date.now(), `${what} is ${String(stamp)}`);
    }
    assert.deepEqual([run.outputs["verdict"]?.value, run.outputs["reasons"]?.value], ["passed", []]);
    assert.equal(countsOf(run).complete, 12);
    assert.equal(panel.acceptedPosts(), 12);
    // Waves in order: each later one was requested after the one before had ended.
    const at = (name: string, stamp: "requestedAt" | "finishedAt") => Date.parse(String(resultsOf(run)[name]?.[stamp]));
    for (const [earlier, later] of [
      [101, 105],
      [105, 109],
    ] as const) {
      for (const one of [0, 1, 2, 3]) {
        assert.ok(at(`vm-${earlier + one}`, "finishedAt") <= at(`vm-${later}`, "requestedAt"));
      }
    }
    assert.match(run.stdout, /shop-wave-data .*\d of 4 ended, longest/);
    assert.ok(asked.length > 0);

    const again = await stack.up({ expectNoChanges: true });
    assert.equal(again.changes.update ?? 0, 0);
    assert.equal(panel.acceptedPosts(), 12);

    await stack.refresh();
    await stack.up({ expectNoChanges: true });
    assert.equal(panel.acceptedPosts(), 12);

    await stack.configure(declarePlan({ ...plan, run: "second" }));
    const second = await stack.up();
    assert.equal(second.outputs["verdict"]?.value, "passed");
    assert.equal(panel.acceptedPosts(), 24);
    const stored = await stack.resource("shop-run");
    assert.equal((stored.outputs?.["previous"] as { run: string }).run, "first");
    assert.equal(stored.outputs?.["changed"], false);

    const destroyed = await stack.destroy();
    assert.equal(destroyed.error, undefined);
    assert.equal(panel.acceptedPosts(), 24);
  });

  it("one failing, one slow, one whose check fails: each is told, nothing else is stopped, later waves wait", async () => {
    const panel = await panelOfTwelve(scene);
    panel.failNext(105, "failed");
    panel.failNext(106, { seconds: 100 });
    status = 503;
    const check = { http: address, every: "1s", within: "2s" };
    const stack = await planned(scene, withCheck(twelve(), 1, "vm-107", check), { config });

    const run = await stack.upFails();

    assert.match(run.stdout, /restore "vm-105" \(machine 105, recovery point 1\) failed/);
    assert.match(
      run.stdout,
      /check 1 of 1, http http:\/\/127\.0\.0\.1:\d+\/health, did not pass within 2s: the answer was 503/,
    );
    assert.match(run.stdout, /stops here \(onFailure: "stop"\), before wave front/);
    assert.doesNotMatch(run.stdout, /the shop is open/);
    assert.deepEqual(machines(panel).sort(), ["101", "102", "103", "104", "105", "106", "107", "108"]);
    const wave = await stack.resource("shop-wave-middle");
    const steps = wave.outputs?.["restores"] as Record<string, { status: string; checks: { result: string }[] }>;
    assert.deepEqual(
      Object.values(steps).map((step) => step.status),
      ["failed", "complete", "complete", "complete"],
    );
    assert.deepEqual(
      steps["vm-107"]?.checks.map(({ result }) => result),
      ["failed"],
    );

    // The next run posts nothing by itself: the failed one stays, and the check is made again.
    status = 200;
    const next = await stack.upFails();
    assert.match(next.stdout, /vm-105/);
    assert.doesNotMatch(next.stdout, /did not pass within/);
    assert.equal(panel.acceptedPosts(), 8);

    // A refresh shows the engine that it failed, and `up` tries it again.
    await stack.refresh();
    const end = await stack.up();
    assert.equal(end.outputs["verdict"]?.value, "passed with warnings");
    assert.equal(panel.acceptedPosts(), 13);
    assert.equal(machines(panel).filter((id) => id === "105").length, 2);
  });

  long.it("a failed restore is tried again by its own triggers, and no other one is", async () => {
    const panel = await panelOfTwelve(scene);
    panel.failNext(102, "failed");
    const plan = twelve();
    const stack = await planned(scene, plan, { config });
    await stack.upFails();

    const retried = structuredClone(plan);
    retried.waves[0]!.restores["vm-102"]!.triggers = ["again"];
    await stack.configure(declarePlan(retried));
    const run = await stack.up();
    assert.equal(run.outputs["verdict"]?.value, "passed with warnings");
    assert.equal(panel.acceptedPosts(), 13);
    // To try one again is told, like every change during a run.
    const history = (await stack.resource("shop-run")).outputs?.["history"] as readonly StoredChange[];
    assert.deepEqual(
      history.flatMap(({ changes }) => changes.map(({ path }) => path)),
      ["waves.data.restores.vm-102.triggers"],
    );
  });

  it("a machine and its files in one wave come one after the other", async () => {
    const panel = await scene.panel({ speed: 20 });
    const plan: RecoveryPlanArgs = {
      run: "first",
      waves: [
        {
          name: "front",
          restores: {
            web: { virtualMachineId: 42, recoveryPointId: 1007, timeouts },
            content: { virtualMachineId: 42, recoveryPointId: 1007, paths: ["/var/www"], timeouts },
          },
        },
      ],
    };
    const stack = await planned(scene, plan, { config });
    const run = await stack.up();
    const { web, content } = resultsOf(run);
    assert.deepEqual([web?.status, content?.status], ["complete", "complete"]);
    assert.ok(Date.parse(String(web?.finishedAt)) <= Date.parse(String(content?.requestedAt)));
    assert.notDeepEqual(web?.transactionIds, content?.transactionIds);
    assert.equal(panel.acceptedPosts(), 2);
    await stack.up({ expectNoChanges: true });
  });

  it("tells everything that is wrong in the preview, with the path of each property", async () => {
    await panelOfTwelve(scene, 1);
    const wrong = {
      run: "first",
      onfailure: "stop",
      waves: [
        {
          name: "data",
          restores: { db: { virtualMachineId: "a/b", recoveryPointId: 1, checks: [{ http: "ftp://x" }] } },
        },
      ],
    };
    const stack = await planned(scene, wrong, { config });
    const run = await stack.previewFails();
    assert.match(run.stdout, /onfailure is not a known property, did you mean "onFailure"\?/);
    assert.match(run.stdout, /waves\[0\]\.restores\.db\.virtualMachineId is "a\/b", which is not an id/);
    assert.match(run.stdout, /waves\[0\]\.restores\.db\.checks\[0\]\.http is "ftp:\/\/x"/);
  });
});

long.describe("a recovery plan that goes on, or misses a goal, on the real engine", () => {
  const scene = useScene();

  it("onFailure continue: the later waves run, and the verdict fails the run, again on the next one", async () => {
    const panel = await panelOfTwelve(scene);
    panel.failNext(101, "failed");
    const stack = await planned(scene, twelve({ onFailure: "continue" }), { config });

    const run = await stack.upFails();
    assert.match(run.stdout, /plan "shop", run "first": failed/);
    assert.match(run.stdout, /vm-101 \(wave data\): the restore failed/);
    assert.equal(panel.acceptedPosts(), 12);
    const again = await stack.upFails();
    assert.match(again.stdout, /plan "shop", run "first": failed/);
    assert.equal(panel.acceptedPosts(), 12);

    await stack.refresh();
    const end = await stack.up();
    assert.equal(end.outputs["verdict"]?.value, "passed with warnings");
    assert.equal(panel.acceptedPosts(), 13);
  });

  it("files wait behind a machine that fails, and come back behind its next restore, after a refresh", async () => {
    const panel = await panelOfTwelve(scene, 1);
    panel.failNext(101, "failed");
    const machine = { virtualMachineId: 101, recoveryPointId: 1, timeouts };
    const restores = { web: machine, content: { ...machine, paths: ["/var/www"] } };
    const stack = await planned(scene, { run: "first", waves: [{ name: "front", restores }] }, { config });
    assert.match((await stack.upFails()).stdout, /"shop-content" .* was not sent: "shop-web", .* failed/);
    assert.equal(panel.acceptedPosts(), 1);

    await stack.refresh();
    const end = await stack.up();
    assert.equal(end.outputs["verdict"]?.value, "passed with warnings");
    const { web, content } = end.outputs["restores"]?.value as Record<string, PlannedRestoreResult>;
    assert.deepEqual([web?.adopted, content?.adopted], [false, false]);
    const [failed, again, files] = panel.restores().map(({ transactionId }) => transactionId);
    assert.deepEqual(
      [web?.transactionIds, content?.transactionIds],
      [[again], [files]],
      `after ${String(failed)} had failed`,
    );
    assert.equal(panel.acceptedPosts(), 3);
  });

  it("a missed goal fails the run once more on the next one, and warns where it is to warn", async () => {
    const panel = await panelOfTwelve(scene, 4);
    panel.failNext(101, { seconds: 100 });
    const plan: RecoveryPlanArgs = { ...twelve({ goals: { recoveryTime: 1 } }), waves: twelve().waves.slice(0, 1) };
    const stack = await planned(scene, plan, { config });

    for (const run of [await stack.upFails(), await stack.upFails()]) {
      assert.match(run.stdout, /vm-101: the recovery time was .*, the goal is 1s/);
    }
    await stack.configure(declarePlan({ ...plan, onMissedGoal: "warn" }));
    const warned = await stack.up();
    assert.equal(warned.outputs["verdict"]?.value, "passed with warnings");
    assert.equal(panel.acceptedPosts(), 4);
  });
});
