import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { isAlive, needsProcesses, signal } from "./support/processes";
import { declare, restores, type Spec } from "./support/restores";
import { type Sandbox, useScene } from "./support/scene";
import type { TestStack } from "./support/stack";
import { waitUntil } from "./support/wait-until";
import { long } from "../support/thorough";

const config = { "recovery:requestTimeout": "4s" };
const timeouts = { listed: "1s" };

describe("a run killed in the middle", () => {
  const scene = useScene();

  needsProcesses();

  it("while a restore is unlisted: the next run adopts it and says so, and posts nothing", async () => {
    const panel = await scene.panel({ speed: 1, dialect: { listingDelaySeconds: 6 } });
    const stack = await restores(scene, [{ name: "web", args: { timeouts: { listed: "15s" } } }], { config });

    const run = await stack.start("up");
    await run.output(/sent, not listed yet/);
    const orphans = run.killCli();
    await run.ended;
    await stack.cancel();
    const next = await stack.up();

    assert.deepEqual(next.outputs["statuses"]?.value, ["complete"]);
    assert.deepEqual(next.outputs["adopted"]?.value, [true]);
    assert.match(next.stdout, /adopted transaction \d+/);
    assert.equal(panel.acceptedPosts(), 1);
    await waitUntil(() => !orphans.some(isAlive), 30_000, "the provider process of the killed run to be gone");
  });
});

describe("a run that a person stops, or whose runner is suspended", () => {
  const scene = useScene();

  needsProcesses();

  /** A run that waits for a backup of the machine of its last restore. */
  const waiting = async (specs: readonly Spec[], busyMachine: number) => {
    const panel = await scene.panel({ speed: 1 });
    const backup = panel.addTransaction({ machineId: busyMachine, action: "take_backup", seconds: 3_600 });
    panel.failNext(42, { seconds: 3 });
    const stack = await restores(scene, specs, { config });
    const run = await stack.start("up");
    await run.output(/waiting for transaction \d+ \(take_backup/);
    return { panel, backup, stack, run };
  };

  const endsWithOnePostEach = async (stack: TestStack, panel: Sandbox, count: number): Promise<void> => {
    const { outputs } = await stack.up();
    assert.deepEqual(new Set(outputs["statuses"]?.value as string[]), new Set(["complete"]));
    assert.equal(panel.acceptedPosts(), count);
  };

  it("by one Ctrl-C: what is under way is waited for, and what waits for its machine is not sent", async () => {
    const specs = [
      { name: "web", args: { timeouts } },
      { name: "db", args: { virtualMachineId: 43, timeouts } },
    ];
    const { panel, backup, stack, run } = await waiting(specs, 43);
    await waitUntil(() => panel.acceptedPosts() === 1, 60_000, "the other restore to be posted");
    run.interrupt();
    await pause(500);
    panel.endTransaction(backup, "complete");
    await run.ended;
    assert.match(run.stdout, /restore "db".*was not sent: the run that asked for it is gone or was cancelled/);
    assert.equal((await stack.resource("web", ":VmRestore")).outputs?.["status"], "complete");
    assert.equal(panel.acceptedPosts(), 1);
    await endsWithOnePostEach(stack, panel, 2);
  });

  /** All of its processes stand still, and the machine becomes free meanwhile. */
  const suspended = async (busy: string, forMs: number, why: RegExp): Promise<void> => {
    const { panel, backup, stack, run } = await waiting(
      [{ name: "web", args: { timeouts: { ...timeouts, busy } } }],
      42,
    );
    const pids = run.processes().map(({ pid }) => pid);
    for (const pid of pids) signal(pid, "SIGSTOP");
    panel.endTransaction(backup, "complete");
    await pause(forMs);
    for (const pid of pids) signal(pid, "SIGCONT");
    assert.match((await run.ended).error ?? "", why);
    assert.equal(panel.acceptedPosts(), 0);
    await stack.configure(declare([{ name: "web", args: { timeouts } }]));
    await endsWithOnePostEach(stack, panel, 1);
  };

  it("suspended for longer than it may wait for its machine: posts nothing once it goes on", () =>
    suspended("4s", 6_000, /restore "web".*was not sent/));

  long.it("suspended for two minutes of the thirty that it may wait: posts nothing once it goes on", () =>
    suspended("30m", 120_000, /was not sent: this run was held up for more than a minute/),
  );
});

long.describe("a run killed with two restores of one machine, on rows that tell neither from the other", () => {
  const scene = useScene();

  needsProcesses();

  /** Killed right after the last restore of the program was posted. */
  const killed = async (specs: readonly Spec[], seconds: readonly number[]) => {
    const panel = await scene.panel({ speed: 1, dialect: { machineTie: "associated", params: "empty" } });
    for (const each of seconds) panel.failNext(42, { seconds: each });
    const stack = await restores(scene, specs, { config });
    const run = await stack.start("up");
    await waitUntil(() => panel.acceptedPosts() === specs.length, 60_000, "the last restore to be posted");
    run.killCli();
    await run.ended;
    await stack.cancel();
    return { panel, stack };
  };
  const pair: readonly Spec[] = [
    { name: "web", args: { timeouts } },
    { name: "etc", kind: "FileRestore", args: { timeouts } },
  ];

  for (const isRefreshed of [false, true])
    it(`${isRefreshed ? "refreshed first: " : ""}each has its own transaction, and nothing is posted`, async () => {
      const { panel, stack } = await killed(pair, [2, 8]);
      if (isRefreshed) await stack.refresh({ clearPendingCreates: true });
      const { outputs } = await stack.up();
      assert.deepEqual(outputs["statuses"]?.value, ["complete", "complete"]);
      assert.deepEqual(outputs["adopted"]?.value, [false, true]);
      assert.deepEqual(
        outputs["transactions"]?.value,
        panel.restores().map(({ transactionId }) => transactionId),
      );
      assert.equal(panel.acceptedPosts(), 2);
    });

  it("and a cancel on the panel: an error, as a stored one is, until triggers change", async () => {
    const web: Spec = { name: "web", args: { timeouts } };
    const { panel, stack } = await killed([web], [8]);
    panel.endTransaction(panel.restores()[0]?.transactionId ?? "", "cancelled");
    for (const run of [await stack.upFails(), await stack.upFails()]) {
      assert.match(run.stdout, /was cancelled/);
      assert.equal(panel.acceptedPosts(), 1);
    }
    assert.equal((await stack.resource("web", ":VmRestore")).outputs?.["status"], "cancelled");
    await stack.configure(declare([{ ...web, args: { ...web.args, triggers: ["again"] } }]));
    assert.deepEqual((await stack.up()).outputs["statuses"]?.value, ["complete"]);
    assert.equal(panel.acceptedPosts(), 2);
  });
});
