import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { postgresql } from "./stores/postgresql";
import { s3 } from "./stores/s3";
import type { Started, Store } from "./stores/store";
import { Project } from "./support/project";
import { needsProcesses, processesOf, signal } from "./support/processes";
import { useScene } from "./support/scene";
import { waitUntil } from "./support/wait-until";
import { long } from "../support/thorough";

const stores: Readonly<Record<string, () => Promise<Started>>> = { PostgreSQL: postgresql, "an S3 store": s3 };

for (const [name, start] of Object.entries(stores)) {
  long.describe(`a stack's state in ${name}`, () => {
    const scene = useScene();
    let store: Store | undefined;

    needsProcesses();

    before(async function () {
      this.timeout(20 * 60_000);
      const started = await start();
      if ("why" in started) {
        process.stderr.write(`skipped: ${started.why}\n`);
        this.skip();
      }
      store = started.store;
    });

    after(async () => {
      await store?.stop();
    });

    it("lets another computer finish a run, without a second POST, after the first computer has died", async function () {
      this.timeout(10 * 60_000);
      const panel = await scene.panel();
      panel.failNext(42, { seconds: 30 });
      const machine = (folder: string): Project => {
        mkdirSync(join(scene.folder, folder, "user"), { recursive: true });
        const env = { ...store!.env, HOME: join(scene.folder, folder, "user"), STACK: "drill", RUN: "2026-11" };
        return Project.ofExample(join(scene.folder, folder), "quickstart", panel, env);
      };

      const first = machine("first");
      await first.run('pulumi stack init "$STACK"; pulumi config set run "$RUN"');
      const run = first.script("pulumi up --yes --non-interactive --skip-preview");
      await waitUntil(() => panel.restores().some(({ status }) => status === "running"), 240_000, "a restore to run");
      for (const { pid } of processesOf(join(scene.folder, "first", "home"))) signal(pid, "SIGKILL");
      await run.ended;

      const second = machine("second");
      copyFileSync(join(first.folder, "Pulumi.drill.yaml"), join(second.folder, "Pulumi.drill.yaml"));
      rmSync(join(scene.folder, "first"), { recursive: true });
      await assert.rejects(second.run('pulumi up --yes --non-interactive --skip-preview --stack "$STACK"'), /locked/);
      const output = await second.run(
        [
          'pulumi stack select "$STACK"',
          "pulumi cancel --yes",
          "pulumi up --yes --non-interactive --skip-preview",
          "pulumi refresh --yes --non-interactive --clear-pending-creates --suppress-outputs",
          "pulumi up --yes --non-interactive --skip-preview --expect-no-changes",
          "pulumi stack output --json",
        ].join("\n"),
      );

      assert.match(output, /adopted transaction \d+/);
      assert.match(output, /"status": "complete"/);
      const restored = panel.restores().map(({ kind, status }) => `${kind} ${status}`);
      assert.deepEqual(restored, ["machine complete", "files complete"]);
      await second.run("pulumi destroy --yes --non-interactive --skip-preview");
      assert.equal(panel.acceptedPosts(), 2, "the machine once, and its files");
    });
  });
}
