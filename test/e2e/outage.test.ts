import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { restores } from "./support/restores";
import { useScene } from "./support/scene";
import { waitUntil } from "./support/wait-until";
import { long } from "../support/thorough";

describe("a panel that cannot be read for a while", () => {
  const scene = useScene();

  long.it("fails no restore: each row reports it, and one warning says how long it lasted", async () => {
    const panel = await scene.panel();
    const machines = [42, 43, 44];
    for (const id of machines) panel.failNext(id, { seconds: 4 });
    const stack = await restores(
      scene,
      machines.map((id) => ({ name: `web-${String(id)}`, args: { virtualMachineId: id } })),
      { config: { "recovery:requestTimeout": "2s" } },
    );

    const run = stack.up();
    await waitUntil(() => panel.acceptedPosts() === machines.length, 60_000, "the restores to be posted");
    panel.setFaults({ get: { resetBefore: true } });
    await pause(65_000);
    panel.setFaults({ get: {} });
    const { outputs, diagnostics } = await run;

    assert.deepEqual(outputs["statuses"]?.value, ["complete", "complete", "complete"]);
    assert.equal(panel.acceptedPosts(), machines.length);
    const said = (pattern: RegExp) => diagnostics.filter(({ message }) => pattern.test(message));
    assert.equal(said(/list could not be read for 1m/).length, 1);
    assert.equal(new Set(said(/list cannot be read, trying again/).map(({ urn }) => urn)).size, machines.length);
  });
});
