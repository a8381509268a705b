import assert from "node:assert/strict";
import * as recovery from "pulumi-recovery";
import { inline } from "./support/inline";
import { type Sandbox, useScene } from "./support/scene";
import { long } from "../support/thorough";

const config = { "recovery:requestTimeout": "4s" };
const timeouts = { listed: "1s", run: "60s", settle: 0 };
const machine = { virtualMachineId: 42, recoveryPointId: 1007, timeouts };

/** What was carried out on the panel, oldest first. */
function done(panel: Sandbox): readonly string[] {
  return panel.restores().map(({ kind, status }) => `${kind} ${status}`);
}

interface Args {
  readonly drill?: string;
  readonly paths?: string[];
  readonly run?: string;
  readonly name?: string;
}

/** A machine, and files of it behind it. */
const pair = ({ drill = "first", paths = ["/var/www"], run = "60s", name = "web" }: Args = {}) =>
  inline(() => {
    const aliases = name === "web" ? [] : [{ name: "web" }];
    new recovery.VmRestore(name, { ...machine, timeouts: { ...timeouts, run }, triggers: [drill] }, { aliases });
    new recovery.FileRestore("content", { ...machine, paths });
    return {};
  });

describe("restores of one machine, one behind the other", () => {
  const scene = useScene();

  it("the second is sent only behind a complete first, and is restored again with it", async () => {
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

  it("new paths of the files restore nothing else, nor does taking the machine's restore out", async () => {
    const panel = await scene.panel({ speed: 50 });
    const stack = await scene.stack(pair(), { config });
    await stack.up();
    stack.use(pair({ paths: ["/etc"] }));
    assert.deepEqual((await stack.up()).changes, { same: 3, replace: 2 });
    stack.use(
      inline(() => {
        new recovery.FileRestore("content", { ...machine, paths: ["/etc"] });
        return {};
      }),
    );
    assert.equal((await stack.up()).changes.replace, undefined);
    assert.deepEqual(done(panel), ["machine complete", "files complete", "files complete"]);
  });

  it("what cannot be in order is said in the preview: a first that is not waited for, files that are overwritten", async () => {
    const panel = await scene.panel({ speed: 50 });
    const stack = await scene.stack(
      inline(() => {
        new recovery.VmRestore("web", { ...machine, wait: false });
        new recovery.FileRestore("content", { ...machine, paths: ["/etc"] });
        return {};
      }),
    );
    assert.match((await stack.previewFails()).stdout, /wait/);
    stack.use(
      inline(() => {
        new recovery.FileRestore("content", { ...machine, paths: ["/etc"] });
        new recovery.VmRestore("web", machine);
        return {};
      }),
    );
    assert.match(
      (await stack.preview()).stdout,
      /VmRestore "web" restores the whole machine after FileRestore "content"/,
    );
    assert.deepEqual(panel.requests(), []);
  });
});

long.describe("restores of one machine, one behind the other, in more ways", () => {
  const scene = useScene();

  it("the second alone, by --target, behind a first that failed: is not sent", async () => {
    const panel = await scene.panel({ speed: 50 });
    const stack = await scene.stack(pair(), { config });
    await stack.up();
    const [content, intent] = [
      await stack.resource("content", ":FileRestore"),
      await stack.resource("content-file-intent"),
    ];
    stack.use(pair({ drill: "second" }));
    panel.failNext(42, "failed");
    await stack.upFails();
    const { stdout } = await stack.upFails({ target: [content.urn, intent.urn] });
    assert.match(stdout, /file restore "content".*was not sent: "web", the previous restore of the same machine, is/);
    await stack.up();
    assert.deepEqual(done(panel).slice(2), ["machine failed", "machine complete", "files complete"]);
  });

  for (const [what, then] of [
    ["only a limit changed, an update", { run: "90s" }],
    ["renamed by an alias", { name: "site" }],
  ] as const)
    it(`a preview and its up replace nothing: ${what}`, async () => {
      const panel = await scene.panel({ speed: 50 });
      const stack = await scene.stack(pair(), { config });
      await stack.up();
      stack.use(pair(then));
      for (const { changes, stdout } of [await stack.preview(), await stack.up()])
        assert.equal(changes.replace ?? 0, 0, stdout);
      assert.equal(panel.acceptedPosts(), 2);
    });

  for (const parallel of [1, 2, 16]) {
    it(`six machines of three restores at --parallel ${String(parallel)}: each machine in its order`, async () => {
      const machines = [1, 2, 3, 4, 5, 6];
      const panel = await scene.panel({
        speed: 50,
        scenario: { machines: machines.map((id) => ({ id, recoveryPoints: [{ id: id * 10 }] })) },
      });
      const program = inline(() => {
        for (const id of machines) {
          const of = { virtualMachineId: id, recoveryPointId: id * 10, timeouts };
          new recovery.VmRestore(`machine-${String(id)}`, of);
          for (const nth of ["a", "b"])
            new recovery.FileRestore(`files-${String(id)}-${nth}`, { ...of, paths: [`/${nth}`] });
        }
        return {};
      });
      const stack = await scene.stack(program, { config });
      await stack.up({ parallel });
      for (const id of machines) {
        const own = panel.restores().filter(({ machineId }) => machineId === String(id));
        assert.deepEqual(
          own.map(({ kind, paths: given }) => `${kind} ${String(given ?? "")}`.trim()),
          ["machine", "files /a", "files /b"],
        );
      }
    });
  }
});
