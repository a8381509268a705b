import { needsProcesses } from "./support/processes";
import { restores } from "./support/restores";
import { useScene } from "./support/scene";
import { waitUntil } from "./support/wait-until";
import { config, endsWithoutPosting, specs } from "./support/orphans";

describe("a provider process whose engine was killed early", () => {
  const scene = useScene();

  needsProcesses();

  it("while it made an intent and nothing else: ends", async () => {
    const panel = await scene.panel({ faults: { get: { delay: { first: 1, seconds: 8 } } } });
    const stack = await restores(scene, specs, { config });

    const run = await stack.start("up");
    await waitUntil(() => panel.requests().length > 0, 60_000, "the read for the intent");
    await endsWithoutPosting(panel, run, run.killCli());
  });
});
