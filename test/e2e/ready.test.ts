import assert from "node:assert/strict";
import type { ReadyResult } from "../../cli/commands";
import { readMetrics } from "../cli/support/prometheus";
import { readyScripts } from "../docs/support/pipeline-files";
import { long } from "../support/thorough";
import { drillOf, panelOptions } from "./support/drill";
import { useScene } from "./support/scene";

long.describe("pulumi-recovery ready on the real engine", () => {
  const scene = useScene();

  it("reports that a machine, another machine's points and new backups are gone the morning after a drill, and posts nothing", async () => {
    const panel = await scene.panel(panelOptions(100));
    const checkout = await drillOf(scene.folder, panel);
    const [github, gitlab] = readyScripts();
    await checkout.run('pulumi config set run "$RUN"\npulumi up --yes --non-interactive --skip-preview --parallel 64');
    const posted = panel.acceptedPosts();
    const all = JSON.parse(await checkout.run(`${gitlab} --proven-within 90d --json 2>/dev/null`)) as ReadyResult;
    assert.deepEqual([all.verdict, all.counts.ready, all.restores.length], ["ready", 12, 12], JSON.stringify(all));
    assert.ok(all.restores.every(({ provenAt, provenIn }) => provenAt !== undefined && provenIn !== undefined));
    const proven = readMetrics(checkout.read("recovery-ready/ready.prom")).filter(({ name }) =>
      name.endsWith("restore_proven_timestamp_seconds"),
    );
    assert.equal(proven.length, 12);
    assert.equal(panel.acceptedPosts(), posted);
    const port = Number(new URL(panel.url).port);
    await panel.stop();

    const { scenario, ...options } = panelOptions(100);
    const machines = (scenario?.machines ?? [])
      .filter(({ id }) => id !== 302)
      .map((machine) => {
        if (machine.id === 305) return { ...machine, recoveryPoints: [{ id: 9_999, state: "failed" }] };
        return machine.id === 309 ? { ...machine, recoveryPoints: [{ id: 7_009, ageSeconds: 9 * 86_400 }] } : machine;
      });
    const later = await scene.panel({ ...options, scenario: { ...scenario, machines }, port });
    const { code, text: output } = await checkout.script(`${github} --json 2>/dev/null`).ended;

    assert.equal(code, 1, output);
    const found = JSON.parse(output) as ReadyResult;
    assert.deepEqual(
      found.restores
        .filter(({ findings }) => findings.length > 0)
        .map(({ name, findings }) => `${name}: ${String(findings[0]?.code)}`)
        .sort(),
      ["app-01: point.none-usable", "db-02: machine.unknown", "web-01: point.too-old"],
    );
    assert.deepEqual(found.counts, { ready: 9, notReady: 3, cannotBeJudged: 0, accepted: 0 });
    assert.deepEqual([...new Set(later.requests().map(({ method }) => method))], ["GET"]);

    assert.match(checkout.read("../summary.md"), /^### ❌ Ready\? drill: not ready$/m);
    assert.match(checkout.read("recovery-ready/ready.md"), /\| ❌ \| db-02 \|/);
  });
});
