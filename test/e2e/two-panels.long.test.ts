import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import * as recovery from "pulumi-recovery";
import { useScene } from "./support/scene";
import { inline } from "./support/inline";
import { allLetIn, panels, providerOf } from "./support/two-panels";

/** A component as a user writes one: it knows nothing of panels. */
class Drill extends pulumi.ComponentResource {
  readonly status: pulumi.Output<string>;
  readonly last: pulumi.Output<string | undefined>;

  constructor(name: string, opts?: pulumi.ComponentResourceOptions) {
    super("e2e:index:Drill", name, {}, opts);
    const web = new recovery.VmRestore(
      `${name}-web`,
      { virtualMachineId: 42, recoveryPointId: 1007 },
      { parent: this },
    );
    this.status = web.status;
    this.last = recovery
      .getVmLogsOutput({ virtualMachineId: 42, limit: 1 }, { parent: this, dependsOn: web })
      .items.apply((items) => items[0]?.targetId);
    this.registerOutputs();
  }
}

describe("two panels in one program, through components", () => {
  const scene = useScene();

  it("reach what is inside a component, through provider and providers", async () => {
    const [main, site] = await panels(scene);
    const stack = await scene.stack(
      inline(() => {
        const provider = providerOf(site, "site");
        const drills = [
          new Drill("plain"),
          new Drill("one", { provider }),
          new Drill("many", { providers: [provider] }),
        ];
        return { statuses: drills.map((one) => one.status), last: drills.map((one) => one.last) };
      }),
    );

    const { outputs } = await stack.up();

    assert.deepEqual(outputs.statuses?.value, ["complete", "complete", "complete"]);
    assert.equal(main.acceptedPosts(), 1);
    assert.equal(site.acceptedPosts(), 2);
    const last = outputs.last?.value as string[];
    assert.equal(last[0], main.transactions().at(-1)?.id);
    assert.ok(site.restores().some((one) => one.transactionIds.includes(last[1] ?? "")));
    allLetIn(main);
    allLetIn(site);
  });
});
