import assert from "node:assert/strict";
import * as recovery from "pulumi-recovery";
import { inline } from "./support/inline";
import { type Sandbox, useScene } from "./support/scene";
import { long } from "../support/thorough";

const config = { "recovery:requestTimeout": "4s" };
const timeouts = { listed: "1s", run: "60s", settle: 0 };
const machine = { virtualMachineId: 42, recoveryPointId: 1007, timeouts };

/** The restores that the panel carried out, oldest first. */
function done(panel: Sandbox): readonly string[] {
  return panel.restores().map(({ kind, status }) => `${kind} ${status}`);
}

interface Args {
  readonly drill?: string;
  readonly paths?: string[];
  readonly run?: string;
  readonly name?: string;
}

/** A machine, and then its files. */
const pair = ({ drill = "first", paths = ["/var/www"], run = "60s", name = "web" }: Args = {}) =>
  inline(() => {
    const aliases = name === "web" ? [] : [{ name: "web" }];
    new recovery.VmRestore(name, { ...machine, timeouts: { ...timeouts, run }, triggers: [drill] }, { aliases });
    new recovery.FileRestore("content", { ...machine, paths });
  });

describe("restores of one machine, in order, on the real engine", () => {
  const scene = useScene();

  it("are sent one after the other, and all of them again if the first has new triggers", async () => {
    const panel = await scene.panel({ speed: 50 });
    const stack = await scene.stack(pair(), { config });
    panel.failNext(42, "failed");
    await stack.upFails();
    assert.deepEqual(done(panel), ["machine failed"]);
    await stack.up();
    assert.deepEqual(done(panel), ["machine failed", "machine complete", "files complete"]);

    stack.use(pair({ drill: "second" }));
    assert.equal((await stack.preview()).changes.replace, 4, "both restores and their intents");
  });

  it("keep their order and their own transactions when two providers share one panel", async () => {
    const panel = await scene.panel({ speed: 50 });
    const stack = await scene.stack(
      inline(() => {
        const made = ["1007", "1008"].flatMap((recoveryPointId) => {
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
    const ids = (await stack.up()).outputs["ids"]?.value as readonly (readonly string[])[];
    for (const [index, point] of ["1007", "1008"].entries()) {
      const own = panel.restores().filter(({ recoveryPointId }) => recoveryPointId === point);
      assert.deepEqual(
        own.map(({ kind, status }) => `${kind} ${status}`),
        ["machine complete", "files complete"],
      );
      assert.deepEqual(
        own.map(({ transactionIds }) => transactionIds),
        ids.slice(2 * index, 2 * index + 2),
      );
    }
    await stack.up({ expectNoChanges: true });
    assert.equal(panel.acceptedPosts(), 4);
  });
});

long.describe("an edited restore before another restore of its machine, on the real engine", () => {
  const scene = useScene();

  for (const [what, then] of [
    ["another limit", { run: "90s" }],
    ["another name with an alias", { name: "site" }],
  ] as const)
    it(`is not replaced in the preview or in up when it has ${what}`, async () => {
      const panel = await scene.panel({ speed: 50 });
      const stack = await scene.stack(pair(), { config });
      await stack.up();
      stack.use(pair(then));
      for (const { changes, stdout } of [await stack.preview(), await stack.up()])
        assert.equal(changes.replace ?? 0, 0, stdout);
      assert.equal(panel.acceptedPosts(), 2);
    });
});
