import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import * as recovery from "pulumi-recovery";
import { report } from "../../report";
import { listening } from "../support/listening";
import { inline } from "./support/inline";
import { fixture } from "./support/program";
import { useScene } from "./support/scene";
import type { Run } from "./support/run";
import { Step } from "./support/step";
import { config, planArgs } from "./support/two-waves";
import { waitUntil } from "./support/wait-until";
import { long } from "../support/thorough";

describe("resources between the waves of a plan", () => {
  const scene = useScene();
  let service: Server;
  let address: string;
  let isLocked = false;
  let isSilent = false;
  /** What was asked of the service, and of the panel before it. */
  let asked: (readonly [path: string | undefined, posted: number])[] = [];
  let posts: () => number = () => 0;

  beforeEach(async () => {
    isLocked = false;
    isSilent = false;
    asked = [];
    service = createServer((request, response) => {
      asked.push([request.url, posts()]);
      if (isSilent) return;
      response.writeHead(isLocked ? 503 : 200).end();
    });
    address = `http://127.0.0.1:${await listening(service)}`;
  });
  afterEach(async () => {
    service.closeAllConnections();
    await new Promise((resolve) => service.close(resolve));
  });

  /** Two waves, 42 and then 43, and the step between them. */
  const program = (run = "first", more: Partial<recovery.RecoveryPlanArgs> = {}, fails = false) =>
    inline(() => {
      const args = planArgs();
      args.waves[1]!.dependsOn = ({ data }) => {
        const dns = new Step("dns", address, run, { dependsOn: data! });
        if (fails) throw new Error("no such zone");
        return dns;
      };
      return { verdict: new recovery.RecoveryPlan("shop", { ...args, ...more, run }).verdict };
    });

  const started = async (...args: Parameters<typeof program>) => {
    const panel = await scene.panel({ speed: 50 });
    posts = () => panel.acceptedPosts();
    return { panel, stack: await scene.stack(program(...args), { config }) };
  };

  /** The names of resources in the order in which the engine began to delete them. */
  const deleted = ({ events }: Run): readonly string[] =>
    events.flatMap(({ resourcePreEvent }) => {
      const { op, urn } = resourcePreEvent?.metadata ?? {};
      return op === "delete" && urn !== undefined ? [urn.split("::").at(-1) ?? ""] : [];
    });

  it("run behind the wave before and ahead of the wave after, in each run of the plan", async () => {
    const { panel, stack } = await started();
    await stack.preview();
    assert.deepEqual([asked, panel.acceptedPosts()], [[], 0]);

    const run = await stack.up();
    assert.equal(run.outputs["verdict"]?.value, "passed");
    assert.deepEqual(asked, [["/create", 1]]);
    assert.equal(panel.acceptedPosts(), 2);
    for (const name of ["shop-files", "shop-files-file-intent"]) {
      const { dependencies } = (await stack.resource(name)) as { readonly dependencies?: readonly string[] };
      assert.ok(
        dependencies?.some((urn) => urn.endsWith("::dns")),
        name,
      );
    }
    assert.doesNotMatch(JSON.stringify((await stack.resource("shop-run")).inputs), /dns|dependsOn/);
    await stack.up({ expectNoChanges: true });
    const dns = { name: "dns", type: "pulumi-nodejs:dynamic:Resource" };
    const between = async () => report(await stack.exportState()).waves.map((wave) => wave.between);
    assert.deepEqual(await between(), [undefined, [{ ...dns, ranInRun: true }]]);

    stack.use(program("second"));
    const second = await stack.up();
    assert.equal(second.outputs["verdict"]?.value, "passed");
    assert.deepEqual(asked.slice(1, 2), [["/create", 3]]);
    assert.equal(panel.acceptedPosts(), 4);

    asked = [];
    const order = deleted(await stack.destroy());
    assert.deepEqual(
      order.filter((name) => ["shop-files", "dns", "shop-wave-data"].includes(name)),
      ["shop-files", "dns", "shop-wave-data"],
    );
    assert.deepEqual(asked, [["/delete", 4]]);
  });

  it("let nothing be sent behind one that fails, until it has not", async () => {
    const { panel, stack } = await started();
    isLocked = true;
    const failed = await stack.upFails();
    assert.match(failed.stdout, /the zone is locked/);
    assert.deepEqual([panel.acceptedPosts(42), panel.acceptedPosts(43)], [1, 0]);

    isLocked = false;
    const run = await stack.up();
    assert.equal(run.outputs["verdict"]?.value, "passed with warnings");
    assert.match(
      report(await stack.exportState()).verdict.reasons.join("\n"),
      /wave front: a later `pulumi up` than the one that began the run carried out files/,
    );
    assert.deepEqual([panel.acceptedPosts(42), panel.acceptedPosts(43)], [1, 1]);
    assert.deepEqual(asked, [
      ["/create", 1],
      ["/create", 1],
    ]);
  });

  it("are tried again behind a kill that met one, and no machine is restored twice", async () => {
    const panel = await scene.panel({ speed: 50 });
    posts = () => panel.acceptedPosts();
    const stack = await scene.stack(fixture("between-waves"), { config: { ...config, "e2e:address": address } });
    isSilent = true;
    const killed = await stack.start("up", {}, "ignored");
    await waitUntil(() => asked.length > 0, 60_000, "the step between the waves");
    killed.killCli();
    await killed.ended;
    await stack.cancel();
    assert.equal(report(await stack.exportState()).verdict.result, "incomplete");

    isSilent = false;
    const run = await stack.up();
    assert.equal(run.outputs["verdict"]?.value, "passed with warnings", run.stdout);
    assert.deepEqual(asked, [
      ["/create", 1],
      ["/create", 1],
    ]);
    assert.deepEqual([panel.acceptedPosts(42), panel.acceptedPosts(43)], [1, 1]);
    const [, front] = report(await stack.exportState()).waves;
    assert.deepEqual(
      front?.between?.map(({ name, ranInRun }) => [name, ranInRun]),
      [["dns", true]],
    );
  });

  it("are not constructed by a function that throws, and nothing is sent", async () => {
    const { panel, stack } = await started("first", {}, true);
    // The run has no preview before it.
    const { diagnostics } = await stack.upFails();
    const errors = diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message);
    assert.match(
      errors.join("\n"),
      /^RecoveryPlan "shop" cannot be carried out, and nothing of it was sent:\s+waves\[1\]\.dependsOn, the function of wave "front", threw: no such zone/,
    );
    // Of the step behind the wave too.
    assert.equal(new Set(errors).size, 1, errors.join("\n"));
    assert.deepEqual([panel.acceptedPosts(), asked], [0, []]);
    assert.deepEqual(
      (await stack.resources()).filter(({ urn }) => /shop|dns/.test(urn)),
      [],
    );
  });

  it("do not run behind a failed wave, unless the plan goes on", async () => {
    const { panel, stack } = await started();
    panel.failNext(42, "failed");
    await stack.upFails();
    assert.deepEqual([asked, panel.acceptedPosts()], [[], 1]);

    stack.use(program("first", { onFailure: "continue" }));
    await stack.upFails();
    assert.deepEqual([asked, panel.acceptedPosts()], [[["/create", 1]], 2]);
    assert.equal((await stack.resource("shop-verdict")).outputs?.["verdict"], "failed");
  });

  long.it("are targeted by their own names beside the plan", async () => {
    const { panel, stack } = await started();
    const preview = await stack.previewFails({ target: ["**RecoveryPlan**"] });
    assert.match(preview.stdout, /shop-files-file-intent' depends on '.*::dns' which was/);
    await stack.up({ target: ["**RecoveryPlan**", "**::dns"] });
    assert.deepEqual([asked, panel.acceptedPosts()], [[["/create", 1]], 2]);

    // One that is left out has run in the run before.
    stack.use(program("second"));
    const run = await stack.up({ target: ["**RecoveryPlan**"] });
    assert.equal(run.outputs["verdict"]?.value, "passed");
    assert.deepEqual([asked.length, panel.acceptedPosts()], [1, 4]);
    const [, front] = report(await stack.exportState()).waves;
    assert.deepEqual(
      front?.between?.map(({ name, ranInRun }) => [name, ranInRun]),
      [["dns", false]],
    );
  });
});
