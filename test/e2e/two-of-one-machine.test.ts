import assert from "node:assert/strict";
import { needsProcesses } from "./support/processes";
import { declare, restores, type Spec } from "./support/restores";
import { useScene } from "./support/scene";
import { waitUntil } from "./support/wait-until";
import { long } from "../support/thorough";

const config = { "recovery:requestTimeout": "2s" };
const timeouts = { listed: "3s", run: "60s" };
/** Rows name the machine and nothing else: neither which point nor what kind of restore it is. */
const dialect = { machineTie: "associated", params: "empty" } as const;

/** The whole machine, and files of it from the same point behind it. */
const program = (isWaitedFor: boolean): readonly Spec[] => [
  { name: "web", args: { wait: isWaitedFor, timeouts } },
  { name: "etc", kind: "FileRestore", args: { timeouts } },
];

/** What has restored a machine twice, or called a restore good that never was, where the first of two is not waited for. */
describe("two restores of one machine, the first not waited for, on rows that tell neither from the other", () => {
  const scene = useScene();

  it("the first one is not listed: an error in every run, and the second is never begun", async () => {
    const panel = await scene.panel({ speed: 50, dialect, faults: { post: { loginPage: { first: 1 } } } });
    const stack = await restores(scene, program(false), { config });
    assert.match(
      (await stack.upFails()).stdout,
      /is unconfirmed: sent, and not confirmed by the panel\. The next `pulumi up` looks again and posts nothing/,
    );
    await stack.refresh();
    await stack.configure(declare(program(true)));
    assert.match((await stack.upFails({ continueOnError: true })).stdout, /write adopt: "<transaction id>"/);
    assert.equal((await stack.resource("web")).outputs?.["status"], "accepted");
    assert.equal(panel.requests().filter(({ method }) => method === "POST").length, 1);
  });

  it("both are good: the next run that waits for them ends without a question, each with its own transaction", async () => {
    const panel = await scene.panel({ speed: 10, dialect });
    const left = program(false).map((spec): Spec => ({ ...spec, args: { ...spec.args, wait: false } }));
    const stack = await restores(scene, left, { config });
    await stack.up();
    await stack.configure(declare(program(true)));
    const run = await stack.up();
    assert.deepEqual(run.outputs["statuses"]?.value, ["complete", "complete"]);
    assert.deepEqual(
      run.outputs["transactions"]?.value,
      panel.restores().map(({ transactionId }) => transactionId),
    );
    assert.equal(panel.acceptedPosts(), 2);
  });

  describe("after a kill", () => {
    needsProcesses();

    /** Killed right after the last restore that the program makes was posted. */
    const killed = async (specs: readonly Spec[]) => {
      const panel = await scene.panel({ speed: 1, dialect });
      panel.failNext(42, { seconds: 3 });
      const stack = await restores(scene, specs, { config });
      const run = await stack.start("up");
      await waitUntil(() => panel.acceptedPosts() === specs.length, 60_000, "the last restore to be posted");
      run.killCli();
      await run.ended;
      await stack.cancel();
      return { panel, stack };
    };

    for (const how of ["waited for by the next run", "refreshed first"]) {
      const test = how === "refreshed first" ? it : long.it;
      test(`right after the second POST, ${how}: each has its own transaction, and nothing is posted`, async () => {
        const { panel, stack } = await killed(program(false));
        if (how === "refreshed first") await stack.refresh();
        else await stack.configure(declare(program(true)));
        const { outputs } = await stack.up();
        const [web, etc] = panel.restores();
        assert.deepEqual(outputs["transactions"]?.value, [web?.transactionId, etc?.transactionId]);
        assert.deepEqual([etc?.status, panel.acceptedPosts()], ["complete", 2]);
      });
    }

    it("and a cancel on the panel: an error, as a stored one is, until triggers change", async () => {
      const web: Spec = { name: "web", args: { timeouts } };
      const { panel, stack } = await killed([web]);
      panel.endTransaction(panel.restores()[0]?.transactionId ?? "", "cancelled");
      for (const run of [await stack.upFails(), await stack.upFails()]) {
        assert.match(run.stdout, /cancelled/);
        assert.equal(panel.acceptedPosts(), 1);
      }
      assert.equal((await stack.resource("web", ":VmRestore")).outputs?.["status"], "cancelled");
      await stack.configure(declare([{ ...web, args: { ...web.args, triggers: ["again"] } }]));
      assert.deepEqual((await stack.up()).outputs["statuses"]?.value, ["complete"]);
      assert.equal(panel.acceptedPosts(), 2);
    });
  });
});
