import assert from "node:assert/strict";
import type * as pulumi from "@pulumi/pulumi";
import * as recovery from "pulumi-recovery";
import { useScene, type Sandbox } from "./support/scene";
import { inline } from "./support/inline";
import { allLetIn, panels, providerOf } from "./support/two-panels";

describe("two panels in one program", () => {
  const scene = useScene();

  it("do not mix: requests, restores, lists, credentials", async () => {
    const [main, site] = await panels(scene);
    const stack = await scene.stack(
      inline(() => {
        const provider = providerOf(site, "site");
        const here = new recovery.VmRestore("here", { virtualMachineId: 42, recoveryPointId: 1007 });
        const there = new recovery.FileRestore(
          "there",
          { virtualMachineId: 42, recoveryPointId: 1008, paths: ["/etc"] },
          { provider },
        );
        const newest = (result: pulumi.Output<recovery.GetTransactionsResult>) => result.transactions[0]!.id;
        return {
          here: here.transactionId,
          there: there.transactionId,
          newestHere: newest(recovery.getTransactionsOutput({ limit: 1 }, { dependsOn: here })),
          newestThere: newest(recovery.getTransactionsOutput({ limit: 1, provider }, { dependsOn: there })),
        };
      }),
    );

    const { outputs } = await stack.up();

    assert.deepEqual(
      [main, site].map((panel) => panel.restores().map((one) => `${one.kind} ${one.recoveryPointId}`)),
      [[`${main.restores()[0]!.kind} 1007`], [`${site.restores()[0]!.kind} 1008`]],
    );
    assert.equal(outputs.here?.value, main.restores()[0]?.transactionId);
    assert.equal(outputs.there?.value, site.restores()[0]?.transactionId);
    assert.equal(outputs.newestHere?.value, outputs.here?.value);
    assert.equal(outputs.newestThere?.value, outputs.there?.value);
    assert.notEqual(outputs.here?.value, outputs.there?.value);
    allLetIn(main);
    allLetIn(site);
  });

  it("have limits of their own: one restore at a time here holds up none there", async () => {
    const [main, site] = await panels(scene);
    const machines = [42, 43, 44];
    const stack = await scene.stack(
      inline(() => {
        const one = providerOf(main, "one-at-a-time", { maxConcurrent: 1 });
        const free = providerOf(site, "free");
        for (const provider of [one, free]) {
          for (const virtualMachineId of machines) {
            const name = `${provider === one ? "one" : "free"}-${String(virtualMachineId)}`;
            new recovery.VmRestore(name, { virtualMachineId, recoveryPointId: 1007 }, { provider });
          }
        }
        return {};
      }),
    );

    const run = await stack.up();

    const overlaps = (panel: Sandbox): boolean => {
      const spans = [...panel.restores()].sort((a, b) => a.requestedAt - b.requestedAt);
      return spans.some((span, index) => index > 0 && span.requestedAt < (spans[index - 1]?.endedAt ?? Infinity));
    };
    assert.equal(main.restores().length, 3);
    assert.equal(overlaps(main), false, "never two at a time");
    assert.equal(overlaps(site), true);
    assert.match(run.stdout, /maxConcurrent/, "those that wait say so");
  });

  it("posts nothing when settings of a provider change, not even its endpoint", async () => {
    const [main, site] = await panels(scene);
    const program = (endpoint: string, requestTimeout: string) =>
      inline(() => {
        const provider = providerOf(site, "site", { endpoint, requestTimeout });
        const web = new recovery.VmRestore("web", { virtualMachineId: 42, recoveryPointId: 1007 }, { provider });
        return { status: web.status };
      });
    const stack = await scene.stack(program(site.url, "30s"), { connection: "none" });
    await stack.up();

    stack.use(program(site.url, "20s"));
    const timeout = await stack.up();
    stack.use(program(main.url, "20s"));
    const endpoint = await stack.up();

    assert.deepEqual(timeout.changes, { same: 3, update: 1 });
    assert.deepEqual(endpoint.changes, { same: 3, update: 1 });
    assert.equal(endpoint.outputs.status?.value, "complete");
    assert.equal(site.acceptedPosts() + main.acceptedPosts(), 1);
    assert.equal(main.requests().length, 0);
  });

  it("says of a restore in flight on which panel it is when the endpoint changes, and posts nothing", async () => {
    const main = await scene.panel({ username: "ops", password: "same" });
    const site = await scene.panel({ username: "ops", password: "same" });
    const program = (panel: Sandbox, wait: boolean) =>
      inline(() => {
        const provider = providerOf(panel, "site");
        new recovery.VmRestore("web", { virtualMachineId: 42, recoveryPointId: 1007, wait }, { provider });
        return {};
      });
    const stack = await scene.stack(program(site, false), { connection: "none" });
    await stack.up();

    stack.use(program(main, true));
    const { error = "" } = await stack.upFails();

    assert.ok(error.includes(site.url) && error.includes(main.url), error);
    assert.equal(main.acceptedPosts(), 0);
    assert.equal(site.acceptedPosts(), 1);
  });
});
