import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { restores } from "./support/restores";
import { useScene } from "./support/scene";
import { waitUntil } from "./support/wait-until";

describe("a panel that numbers its answers and cannot be read for a while", () => {
  const scene = useScene();

  it("is told in few lines by a panel that numbers its answers", async () => {
    const panel = await scene.panel({ dialect: "modern" });
    panel.failNext(42, { seconds: 4 });
    const stack = await restores(scene, [{ name: "web", args: { virtualMachineId: 42 } }], {
      config: { "recovery:requestTimeout": "1s" },
    });
    const run = stack.up();
    await waitUntil(() => panel.acceptedPosts() === 1, 60_000, "the restore to be posted");
    panel.setFaults({ get: { serverError: true } });
    await pause(25_000);
    const failed = panel.requests().length;
    panel.setFaults({ get: {} });
    const { diagnostics } = await run;
    const lines = diagnostics.filter(({ message }) => /cannot be read right now/.test(message));
    assert.ok(failed >= 5, `${String(failed)} requests`);
    assert.ok(lines.length >= 1 && lines.length <= 2, lines.map(({ message }) => message).join("\n"));
  });
});
