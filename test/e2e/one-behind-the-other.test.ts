import assert from "node:assert/strict";
import * as recovery from "pulumi-recovery";
import { inline } from "./support/inline";
import { useScene } from "./support/scene";

const config = { "recovery:requestTimeout": "4s" };
const timeouts = { listed: "1s", run: "60s", settle: 0 };
const machine = { virtualMachineId: 42, recoveryPointId: 1007, timeouts };

/** A machine, and then its files. */
const pair = (more: Partial<recovery.VmRestoreArgs> = {}) =>
  inline(() => {
    new recovery.VmRestore("web", { ...machine, ...more });
    new recovery.FileRestore("content", { ...machine, paths: ["/var/www"] });
  });

describe("restores of one machine, in order, on the real engine", () => {
  const scene = useScene();

  it("are sent one after the other, and are all sent again if the first has new triggers", async () => {
    const panel = await scene.panel({ speed: 50 });
    const done = () => panel.restores().map(({ kind, status }) => `${kind} ${status}`);
    const stack = await scene.stack(pair(), { config });
    panel.failNext(42, "failed");
    await stack.upFails();
    assert.deepEqual(done(), ["machine failed"]);
    await stack.up();
    assert.deepEqual(done(), ["machine failed", "machine complete", "files complete"]);

    stack.use(pair({ triggers: ["second"] }));
    assert.equal((await stack.preview()).changes.replace, 4, "both restores and their intents");
  });

  it("keep their order and their own transactions when two providers share one panel", async () => {
    const panel = await scene.panel({ speed: 50 });
    const points = ["1007", "1008"];
    const stack = await scene.stack(
      inline(() => {
        const made = points.flatMap((recoveryPointId) => {
          const { url: endpoint, username, password } = panel;
          const provider = new recovery.Provider(`for-${recoveryPointId}`, { endpoint, username, password });
          const of = { ...machine, recoveryPointId };
          return [
            new recovery.VmRestore(`web-${recoveryPointId}`, of, { provider }),
            new recovery.FileRestore(`content-${recoveryPointId}`, { ...of, paths: ["/var/www"] }, { provider }),
          ];
        });
        return { ids: made.map(({ transactionIds }) => transactionIds) };
      }),
    );
    const ids: unknown = (await stack.up()).outputs["ids"]?.value;
    const ofEach = points.flatMap((point) =>
      panel.restores().filter(({ recoveryPointId }) => recoveryPointId === point),
    );
    const ended = ofEach.map(({ kind, status }) => `${kind} ${status}`);
    assert.deepEqual(ended, Array(2).fill(["machine complete", "files complete"]).flat());
    const posted = ofEach.map(({ transactionIds }) => transactionIds);
    assert.deepEqual(posted, ids);
  });
});
