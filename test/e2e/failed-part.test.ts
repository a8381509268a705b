import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { named, trap, type Trap } from "../small-panels/trap";
import { serve, type ServedPanel } from "../small-panels/serve";
import { declare, restores } from "./support/restores";
import { useScene } from "./support/scene";

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

  it("is not posted again by any later up when it is queued for longer than timeouts.listed", async () => {
    const panel = await serve(trap(queued(16)));
    served.push(panel);
    const config = {
      "recovery:endpoint": panel.url,
      "recovery:username": login.username,
      "recovery:password": { secret: login.password },
      "recovery:requestTimeout": "4s",
    };
    const timeouts = { listed: "8s", settle: "1s", run: "60s" };
    const stack = await restores(scene, [{ name: "web", args: { timeouts } }], { config, connection: "none" });
    await stack.upFails();
    // With the eight seconds that have passed, it is over on the panel then.
    await pause(10_000);
    assert.match((await stack.upFails()).stdout, /transaction 131 of the same job failed.*adopt: "132"/s);
    await stack.configure(declare([{ name: "web", args: { timeouts, adopt: "132" } }]));
    const { outputs } = await stack.up();
    assert.deepEqual(outputs["statuses"]?.value, ["complete"]);
    await stack.up({ expectNoChanges: true });
    assert.equal(panel.restores.length, 1);
  });
});
