import assert from "node:assert/strict";
import { named, trap, type Trap } from "../small-panels/trap";
import { serve, type ServedPanel } from "../small-panels/serve";
import { restores } from "./support/restores";
import { useScene } from "./support/scene";
import { waitUntil } from "./support/wait-until";

const login = { username: "operator", password: "small" };

/** A stop fails at once and does not stop the job: the restore waits in the queue behind it for so long, and is complete a second later. */
const queued = (seconds: number): Trap => ({
  row: (job) => {
    const ms = job.now - job.at - seconds * 1_000;
    const isQueued = job.action === "restore_virtual_machine" && job.no > 130 && ms < 1_000;
    const status = isQueued ? (ms < 0 ? "pending" : "running") : job.status;
    return { ...named({ ...job, status }), chain_id: job.at };
  },
  parts: () => [{ action: "stop_virtual_machine", seconds: 0.6, end: "failed" }, { seconds: 0.6 }],
});

describe("a restore whose first part fails without stopping it, on the real engine", () => {
  const scene = useScene();
  const served: ServedPanel[] = [];

  afterEach(() => Promise.all(served.splice(0).map((panel) => panel.stop())));

  for (const [how, seconds] of [
    ["is waited for when it waits in the queue for less than timeouts.listed", 4],
    ["is not posted again by any later up when it waits in the queue for longer, and is complete then", 20],
  ] as const)
    it(how, async () => {
      const panel = await serve(trap(queued(seconds)));
      served.push(panel);
      const config = {
        "recovery:endpoint": panel.url,
        "recovery:username": login.username,
        "recovery:password": { secret: login.password },
        "recovery:requestTimeout": "4s",
      };
      const timeouts = { listed: "8s", settle: "1s", run: "60s" };
      const stack = await restores(scene, [{ name: "web", args: { timeouts } }], { config, connection: "none" });

      const first = await stack.upFails();
      if (seconds < 8) assert.match(first.stdout, /complete on the panel, but transaction 131 of the same job failed/);
      const isOver = (): boolean => Date.now() > begunAt + (seconds + 2) * 1_000;
      const begunAt = Date.now();
      await waitUntil(() => isOver(), 60_000, "the restore to end on the panel");

      for (let count = 0; count < 2; count++)
        assert.match((await stack.upFails()).stdout, /transaction 131 of the same job failed.*adopt: "132"/s);
      assert.equal(panel.restores.length, 1);

      await stack.configure({ "e2e:restores": JSON.stringify([{ name: "web", args: { timeouts, adopt: "132" } }]) });
      const { outputs } = await stack.up();
      assert.deepEqual(outputs["statuses"]?.value, ["complete"]);
      await stack.up({ expectNoChanges: true });
      assert.equal(panel.restores.length, 1);
    });
});
