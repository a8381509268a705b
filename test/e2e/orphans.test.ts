import { needsProcesses } from "./support/processes";
import { restores } from "./support/restores";
import { useScene } from "./support/scene";
import { waitUntil } from "./support/wait-until";
import { config, endsWithoutPosting, specs } from "./support/orphans";

describe("a provider process whose engine was killed", () => {
  const scene = useScene();

  needsProcesses();

  it("before it had posted, because the machine was busy: posts nothing when the machine is free, and ends", async () => {
    const panel = await scene.panel();
    const backup = panel.addTransaction({ machineId: 42, action: "take_backup", seconds: 3_600 });
    const stack = await restores(scene, specs, { config });

    const run = await stack.start("up");
    await run.output(/take_backup/);
    const orphans = run.killCli();
    // The orphan still looks, and sees the machine free.
    panel.endTransaction(backup, "complete");
    await endsWithoutPosting(panel, run, orphans);
  });

  it("right before its POST: does not send it, and ends", async () => {
    const panel = await scene.panel({ faults: { get: { delay: { after: 1, times: 1, seconds: 3 } } } });
    const stack = await restores(scene, specs, { config });

    const run = await stack.start("up");
    await waitUntil(() => panel.requests().length > 1, 60_000, "the read before the POST");
    await endsWithoutPosting(panel, run, run.killCli());
  });
});
