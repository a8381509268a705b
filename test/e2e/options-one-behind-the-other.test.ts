import assert from "node:assert/strict";
import type * as pulumi from "@pulumi/pulumi";
import * as recovery from "pulumi-recovery";
import { inline } from "./support/inline";
import { type Sandbox, type SandboxOptions, useScene } from "./support/scene";
import { long } from "../support/thorough";

const config = { "recovery:requestTimeout": "4s" };
const machine = { virtualMachineId: 42, recoveryPointId: 1007, timeouts: { listed: "2s", run: "60s", settle: 0 } };
const paths = ["/var/www"];

/** What was carried out on the panel, oldest first. */
function done(panel: Sandbox): readonly string[] {
  return panel.restores().map(({ kind, status }) => `${kind} ${status}`);
}

interface Args {
  readonly triggers?: readonly string[];
  readonly names?: readonly [machine: string, files: string];
  /** Options of each of the two. */
  readonly of?: (name: "web" | "content") => pulumi.CustomResourceOptions;
}

/** A machine, and files of it behind it. */
function pair({ triggers = [], names: [web, content] = ["web", "content"], of = () => ({}) }: Args = {}) {
  return inline(() => {
    new recovery.VmRestore(web, { ...machine, triggers: [...triggers] }, of("web"));
    const files = new recovery.FileRestore(content, { ...machine, paths, triggers: [...triggers] }, of("content"));
    return { adopted: files.adopted };
  });
}

describe("options of restores of one machine, one behind the other", () => {
  const scene = useScene();
  const stackOn = async (options: SandboxOptions, program: ReturnType<typeof inline>) => {
    const panel = await scene.panel({ speed: 50, ...options });
    return { panel, stack: await scene.stack(program, { config }) };
  };

  for (const option of ["deleteBeforeReplace", "retainOnDelete"] as const) {
    long.it(`${option} on each: in order, once each, also where the first one fails once`, async () => {
      const of = () => ({ [option]: true });
      const { panel, stack } = await stackOn({ speed: 5 }, pair({ of }));
      await stack.up();
      panel.failNext(42, "failed");
      stack.use(pair({ triggers: ["again"], of }));
      await stack.upFails();
      await stack.up();
      const inOrder = ["machine complete", "files complete"];
      assert.deepEqual(done(panel), [...inOrder, "machine failed", ...inOrder]);
      const { changes, outputs } = await stack.up();
      assert.deepEqual([changes.create ?? 0, changes.replace ?? 0, changes.delete ?? 0], [0, 0, 0]);
      assert.equal(outputs["adopted"]?.value, false);
    });
  }

  it("two providers for one panel: the restores of each stand behind each other, and nobody takes another one's", async () => {
    const panel = await scene.panel({ speed: 50 });
    const stack = await scene.stack(
      inline(() => {
        const made = ["1007", "1008"].flatMap((recoveryPointId) => {
          const { url: endpoint, username, password } = panel;
          const provider = new recovery.Provider(`for-${recoveryPointId}`, { endpoint, username, password });
          const of = { ...machine, recoveryPointId };
          return [
            new recovery.VmRestore(`web-${recoveryPointId}`, of, { provider }),
            new recovery.FileRestore(`content-${recoveryPointId}`, { ...of, paths }, { provider }),
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
