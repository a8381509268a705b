import assert from "node:assert/strict";
import * as recovery from "pulumi-recovery";
import { report } from "../../report";
import { inline } from "./support/inline";
import { needsProcesses } from "./support/processes";
import { declare, restores, type Spec } from "./support/restores";
import { type Sandbox, useScene } from "./support/scene";
import { waitUntil } from "./support/wait-until";
import { long } from "../support/thorough";

const config = { "recovery:requestTimeout": "2s" };
const timeouts = { listed: "3s", run: "60s" };
const machine = { virtualMachineId: 42, recoveryPointId: 1007, timeouts };
const paths = ["/var/www"];

/** What was carried out on the panel, oldest first. */
function done(panel: Sandbox): readonly string[] {
  return panel.restores().map(({ kind, status }) => `${kind} ${status}`);
}

const inOrder = ["machine failed", "machine complete", "files complete"];

describe("restores of one machine, one behind the other", () => {
  const scene = useScene();

  it("a pair of which the first fails once: the second is not sent behind it, and pulumi up --refresh restores both in order", async () => {
    // Slow enough for the second resource to be registered before the first one fails.
    const panel = await scene.panel({ speed: 5 });
    panel.failNext(42, "failed");
    const program = inline(() => {
      new recovery.VmRestore("web", { ...machine, wait: false });
      new recovery.FileRestore("content", { ...machine, paths });
      return {};
    });
    const stack = await scene.stack(program, { config });
    assert.match(
      (await stack.upFails()).stdout,
      /file restore "content".*was not sent: "web", the restore of the same machine before it, failed/,
    );
    assert.deepEqual(done(panel), ["machine failed"]);
    await stack.up({ refresh: true });
    assert.deepEqual(done(panel), inOrder);
    const { changes } = await stack.up();
    assert.deepEqual([changes.create ?? 0, changes.replace ?? 0, changes.update ?? 0], [0, 0, 0]);
  });

  it("a plan of which the machine fails once: the files are held back, and the next run restores both in order and passes with warnings", async () => {
    const panel = await scene.panel({ speed: 50 });
    panel.failNext(42, "failed");
    const plan = inline(() => {
      const { verdict } = new recovery.RecoveryPlan("shop", {
        run: "2026-Q4",
        waves: [{ name: "all", restores: { web: machine, content: { ...machine, paths } } }],
      });
      return { verdict };
    });
    const stack = await scene.stack(plan, { config });
    const { stdout } = await stack.upFails();
    assert.match(stdout, /"shop-content".*was not sent: "shop-web".*failed/);
    assert.deepEqual(done(panel), ["machine failed"]);
    assert.equal((await stack.resource("shop-content", ":FileRestore")).outputs?.["status"], "not sent");
    const run = await stack.up({ refresh: true });
    assert.deepEqual(done(panel), inOrder);
    assert.equal(run.outputs["verdict"]?.value, "passed with warnings");
  });

  it("new triggers of the machine's restore alone: each up says what it overwrote, and replaceWith restores it along", async () => {
    const panel = await scene.panel({ speed: 50 });
    const program = (drill: string, along: boolean) =>
      inline(() => {
        const web = new recovery.VmRestore("web", { ...machine, triggers: [drill] });
        new recovery.FileRestore("content", { ...machine, paths }, along ? { replaceWith: [web] } : {});
        return {};
      });
    const stack = await scene.stack(program("1", false), { config });
    assert.doesNotMatch((await stack.up()).stdout, /overwritten/);
    stack.use(program("2", false));
    for (let run = 0; run < 2; run++)
      assert.match((await stack.up()).stdout, /overwritten: "web" was restored again since/);
    assert.deepEqual(done(panel), ["machine complete", "files complete", "machine complete"]);
    stack.use(program("3", true));
    const preview = await stack.preview();
    assert.match(preview.stdout, /content.*replace/);
    const run = await stack.up();
    assert.doesNotMatch(run.stdout, /overwritten/);
    assert.equal(run.changes.replace, 4, "both restores and their intents");
    assert.deepEqual(done(panel).slice(3), ["machine complete", "files complete"]);
  });

  it("new triggers of the machine's restore alone in a plan: no verdict and no report passes what it overwrote", async () => {
    const panel = await scene.panel({ speed: 50 });
    const plan = (own: string[]) =>
      inline(() => {
        const { verdict } = new recovery.RecoveryPlan("shop", {
          run: "2026-Q4",
          waves: [
            { name: "machines", restores: { web: { ...machine, triggers: own } } },
            { name: "files", restores: { content: { ...machine, paths } } },
          ],
        });
        return { verdict };
      });
    const stack = await scene.stack(plan([]), { config });
    assert.equal((await stack.up()).outputs["verdict"]?.value, "passed");
    stack.use(plan(["again"]));
    for (let run = 0; run < 2; run++) {
      const { stdout } = await stack.upFails();
      assert.match(stdout, /content.*overwritten, because .*web.* was restored again since/);
      assert.notEqual(report(await stack.exportState()).verdict.result, "passed");
    }
    assert.deepEqual(done(panel), ["machine complete", "files complete", "machine complete"]);
  });

  describe("a preview and its up replace as many resources", () => {
    interface Args {
      readonly run?: string;
      readonly wait?: boolean;
      readonly name?: string;
    }
    const program = ({ run = "60s", wait = true, name = "web" }: Args = {}) =>
      inline(() => {
        const limits = { ...machine, timeouts: { ...timeouts, run }, wait };
        new recovery.VmRestore(name, limits, name === "web" ? {} : { aliases: [{ name: "web" }] });
        new recovery.FileRestore("content", { ...machine, paths });
        return {};
      });
    const table: readonly [
      what: string,
      first: Args,
      then: Args,
      between?: "refresh" | undefined,
      options?: Parameters<typeof scene.panel>[0],
    ][] = [
      ["nothing changed", {}, {}],
      ["only a limit changed, an update", {}, { run: "90s" }],
      ["renamed by an alias", {}, { name: "site" }],
      ["left to itself, and waited for now", { wait: false }, {}],
      ["left to itself, and refreshed", { wait: false }, { wait: false }, "refresh"],
      ["unconfirmed", {}, {}, undefined, { faults: { post: { loginPage: { first: 1 } } } }],
    ];
    for (const [index, [what, first, then, between, options]] of table.entries()) {
      const test = index === 1 ? it : long.it;
      test(`with ${what}`, async () => {
        const panel = await scene.panel({ speed: 50, ...options });
        const stack = await scene.stack(program(first), { config });
        if (options === undefined) await stack.up();
        else await stack.upFails();
        const posts = panel.acceptedPosts();
        if (between === "refresh") await stack.refresh();
        stack.use(program(then));
        const replaced = (text: string): number => [...text.matchAll(/ replaced?\b.*$/gm)].length;
        const preview = await stack.preview();
        const run = options === undefined ? await stack.up() : await stack.upFails();
        assert.equal(preview.changes.replace ?? 0, 0, preview.stdout);
        assert.equal(run.changes.replace ?? 0, 0, run.stdout);
        assert.equal(replaced(preview.stdout), 0, preview.stdout);
        assert.equal(panel.acceptedPosts(), posts);
      });
    }
  });

  describe("a run that is interrupted while the second one waits", () => {
    needsProcesses();
    const specs: readonly Spec[] = [
      { name: "web", args: { wait: false, timeouts } },
      { name: "etc", kind: "FileRestore", args: { timeouts } },
    ];
    const interrupted = async (how: (run: { killCli(): unknown; interrupt(): void }) => void, lastsSeconds: number) => {
      const panel = await scene.panel({ speed: 1 });
      panel.failNext(42, { seconds: lastsSeconds });
      const stack = await restores(scene, specs, { config });
      const run = await stack.start("up");
      await run.output(/waiting behind "web"/);
      how(run);
      await run.ended;
      return { panel, stack };
    };

    it("by a kill: no intent is made, also not by the process that lives on, and the next run sends it for the first time", async () => {
      const { panel, stack } = await interrupted((run) => {
        run.killCli();
      }, 6);
      await stack.cancel();
      await waitUntil(() => panel.restores()[0]?.status === "complete", 20_000, "the first one to end");
      const isIntent = ({ urn }: { urn: string }) => urn.endsWith("::etc-file-intent");
      assert.ok(!(await stack.resources()).some(isIntent));
      await stack.up();
      assert.deepEqual(done(panel), ["machine complete", "files complete"]);
      assert.equal((await stack.resource("etc", ":FileRestore")).outputs?.["adopted"], false);
    });

    it("by one Ctrl-C: its intent may be made, nothing is sent any more, and the next run sends it once", async () => {
      const { panel, stack } = await interrupted((run) => {
        run.interrupt();
      }, 4);
      assert.deepEqual(done(panel), ["machine complete"]);
      await stack.configure(declare(specs));
      await stack.up();
      assert.deepEqual(done(panel), ["machine complete", "files complete"]);
    });
  });

  for (const parallel of [1, 2, 16]) {
    const test = parallel === 2 ? it : long.it;
    test(`six machines of three restores at --parallel ${String(parallel)}: each machine in its order`, async () => {
      const machines = [1, 2, 3, 4, 5, 6];
      const panel = await scene.panel({
        speed: 50,
        scenario: { machines: machines.map((id) => ({ id, recoveryPoints: [{ id: id * 10 }] })) },
      });
      const program = inline(() => {
        for (const id of machines) {
          const of = { virtualMachineId: id, recoveryPointId: id * 10, timeouts };
          new recovery.VmRestore(`machine-${String(id)}`, { ...of, wait: false });
          for (const nth of ["a", "b"])
            new recovery.FileRestore(`files-${String(id)}-${nth}`, { ...of, paths: [`/${nth}`], wait: false });
        }
        return {};
      });
      const stack = await scene.stack(program, { config });
      await stack.up({ parallel });
      await waitUntil(() => panel.restores().every(({ status }) => status === "complete"), 30_000, "all to end");
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
