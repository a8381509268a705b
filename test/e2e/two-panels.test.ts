import assert from "node:assert/strict";
import type * as pulumi from "@pulumi/pulumi";
import * as recovery from "pulumi-recovery";
import { useScene, type Sandbox, type Scene } from "./support/scene";
import { inline } from "./support/inline";
import { vm } from "./support/one-restore";

describe("two panels in one program", () => {
  const scene = useScene();

  it("are kept apart in requests, restores, lists and credentials", async () => {
    const [main, site] = await panels(scene);
    const stack = await scene.stack(
      inline(() => {
        const provider = providerOf(site, "site");
        const here = vm("here");
        const there = new recovery.FileRestore(
          "there",
          { virtualMachineId: 42, recoveryPointId: 1008, paths: ["/etc"], timeouts: { settle: 0 } },
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

  it("receive nothing if a provider's setting changes, even its endpoint", async () => {
    const [main, site] = await panels(scene);
    const program = (endpoint: string, requestTimeout: string) =>
      inline(() => {
        const provider = providerOf(site, "site", { endpoint, requestTimeout });
        const web = vm("web", {}, { provider });
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
});

function providerOf(panel: Sandbox, name: string, args: recovery.ProviderArgs = {}): recovery.Provider {
  const { url: endpoint, username, password } = panel;
  return new recovery.Provider(name, { endpoint, username, password, ...args });
}

/** Checks that every request was accepted, so none carried the other panel's password. */
function allLetIn(panel: Sandbox): void {
  assert.deepEqual(
    panel.requests().filter((one) => one.status === 401),
    [],
  );
}

/** Two panels with the same machine, each of which accepts only its own user. */
async function panels(scene: Pick<Scene, "panel">): Promise<[Sandbox, Sandbox]> {
  const main = await scene.panel({ speed: 20, username: "main", password: "main-password" });
  const site = await scene.panel({ speed: 20, username: "site", password: "site-password" });
  // Ids that show which panel a transaction comes from.
  site.addTransaction({ machineId: 42, action: "take_backup", status: "complete", seconds: 1, ageSeconds: 60 });
  return [main, site];
}
