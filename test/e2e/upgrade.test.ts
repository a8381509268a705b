import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FileRestore, RecoveryPlan, VmRestore } from "pulumi-recovery";
import { holding } from "../cli/support/panel";
import { serve } from "../small-panels/serve";
import { inline } from "./support/inline";
import { planTimeouts as timeouts, quick } from "./support/plans";
import { useScene } from "./support/scene";
import type { StoredResource } from "./support/stored";

/** The state that a release left behind, and what the panel listed at the time. Until 1.0.0 is released, `WRITE_STATE=yes` rewrites it. */
interface Kept {
  readonly panel: string;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly deployment: { readonly resources: readonly StoredResource[] };
}

const file = join(__dirname, "upgrade", "1.0.0.json");

const machine = (virtualMachineId: number) => ({ virtualMachineId, recoveryPointId: 1007, timeouts });
const plan = { run: "first", waves: [{ name: "data", restores: { vm: machine(51) } }] };

/** A complete restore, a file restore, a failed restore, a plan, and optionally a restore that is sent but never listed. */
const program = (isAllThere: boolean) =>
  inline(() => {
    new VmRestore("web", machine(42));
    new FileRestore("etc", { ...machine(42), paths: ["/etc"] });
    new VmRestore("db", { ...machine(43), retryFailed: false });
    new RecoveryPlan("shop", plan);
    if (isAllThere) new VmRestore("lost", machine(44));
  });
const goOn = { continueOnError: true } as const;

describe("a state from version 1.0.0", () => {
  const scene = useScene();

  it("is read correctly when this version refreshes, previews and updates the stack", async () => {
    const { panel: endpoint, ...kept } = JSON.parse(readFileSync(file, "utf8")) as Kept;
    const panel = await serve(() => holding({ rows: kept.rows }));
    try {
      const connection = {
        "recovery:endpoint": panel.url,
        "recovery:username": "operator",
        "recovery:password": { secret: "sandbox" },
      };
      const stack = await scene.stack(program(true), { connection: "none", config: { ...connection, ...quick } });
      const own = await stack.exportState();
      const { secrets_providers: keys } = own.deployment as { readonly secrets_providers?: object };
      const there = JSON.parse(JSON.stringify(kept.deployment).replaceAll(endpoint, panel.url)) as object;
      await stack.importState({ ...own, deployment: { ...there, ...(keys && { secrets_providers: keys }) } });
      const outputs = async () => {
        const { resources } = (await stack.exportState()).deployment as Kept["deployment"];
        return resources.map(({ urn, outputs: stored }) => [urn, stored]);
      };
      const before = await outputs();
      assert.equal(before.length, kept.deployment.resources.length);

      await stack.refresh();
      assert.deepEqual(await outputs(), before);
      // Only the failed restore and the unlisted restore need an update.
      assert.deepEqual((await stack.preview()).changes, { same: 12, update: 2 });
      const again = await stack.upFails(goOn);
      assert.match(again.stdout, /retryFailed is false/);
      assert.match(again.stdout, /restore "lost".*was sent, but the panel has not listed it/);
      assert.deepEqual([...new Set(panel.requests.map(({ method }) => method))], ["GET"]);
    } finally {
      await panel.stop();
    }
  });

  if (process.env["WRITE_STATE"] === "yes")
    it("is recorded when WRITE_STATE is yes", async () => {
      const panel = await scene.panel({ speed: 50 });
      panel.addMachine({ id: 51, recoveryPoints: [1007] });
      panel.failNext(43, "failed");
      const stack = await scene.stack(program(false), { config: quick });
      await stack.upFails(goOn);
      panel.setFaults({ post: { timeout: true } });
      stack.use(program(true));
      await stack.upFails(goOn);
      const authorization = `Basic ${Buffer.from(`${panel.username}:${panel.password}`).toString("base64")}`;
      const listed = await fetch(`${panel.url}/transactions.json`, { headers: { authorization } });
      const rows = ((await listed.json()) as { transaction: object }[]).map(({ transaction }) => transaction);
      const { resources } = (await stack.exportState()).deployment as Kept["deployment"];
      writeFileSync(file, `${JSON.stringify({ panel: panel.url, rows, deployment: { resources } }, undefined, 2)}\n`);
    });
});
