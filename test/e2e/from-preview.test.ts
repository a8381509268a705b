import assert from "node:assert/strict";
import { appendFileSync, copyFileSync } from "node:fs";
import { join } from "node:path";
import type { ReadyResult } from "../../cli/commands";
import { repositoryRoot } from "../../tools/engine/cli";
import { long } from "../support/thorough";
import { Project } from "./support/project";
import { drillOf, panelOptions } from "./support/drill";
import { useScene } from "./support/scene";

const preview = "pulumi preview --json --show-sames";
const ready = "npx pulumi-recovery ready --preview -";

long.describe("a previewed program", () => {
  const scene = useScene();

  it("is judged, and gets a runbook, before it is ever applied", async () => {
    const { scenario, ...options } = panelOptions(100);
    const machines = scenario?.machines?.filter(({ id }) => id !== 305) ?? [];
    const panel = await scene.panel({ ...options, scenario: { ...scenario, machines } });
    const checkout = await drillOf(scene.folder, panel);

    await checkout.run(`${preview} > preview.json`);
    const { code, text: output } = await checkout.script(
      "npx pulumi-recovery ready --preview preview.json --goal-age 24h",
    ).ended;
    assert.equal(code, 1, output);
    const rows = output.split("\n").filter((line) => /^ (?:ok|!!|\?\?) /.test(line));
    assert.equal(rows.length, 12, output);
    assert.match(rows[0] ?? "", /^ !! {2}app-01 +305 .* The panel does not know machine 305/);
    assert.match(output, /^ ok {2}db-01 +301 +7001, the newest +\S+/m);
    assert.match(output, /^1 of 12 restores is not ready\. \d+ GETs, nothing posted\.$/m);

    await checkout.run(`cat preview.json | npx pulumi-recovery runbook --preview -`);
    const page = checkout.read("recovery-report/runbook.md");
    assert.match(page, /^From a preview of drill, project recovery-drill, read at /m);
    const cards = page.split(/^### /m).slice(1);
    assert.equal(cards.length, 12);
    assert.match(
      cards[0] ?? "",
      /^☐ 1\. db-01\n\n- Machine: `301`\n- Restore: the whole machine\n- From: the newest\n/,
    );
    assert.match(page, /^- After wave middle is complete and checked\.\n- After front-is-next /m);
    assert.doesNotMatch(page, /Last (?:run|time)/);

    appendFileSync(join(checkout.folder, "index.ts"), '\nthrow new Error("no such site");\n');
    const thrown = await checkout.script(`set +o pipefail; ${preview} 2>/dev/null | ${ready}`).ended;
    assert.equal(thrown.code, 3, thrown.text);
    assert.match(thrown.text, /the preview failed, so it may not show every restore\. [^]*Error: no such site$/m);
    assert.equal(panel.acceptedPosts(), 0);
    assert.deepEqual([...new Set(panel.requests().map(({ method }) => method))], ["GET"]);
  });

  it("is judged as far as possible when machines, points and passwords are masked", async () => {
    const panel = await scene.panel();
    const checkout = Project.ofExample(scene.folder, "quickstart", panel);
    copyFileSync(join(repositoryRoot, "test", "e2e", "programs", "previewed.ts"), join(checkout.folder, "index.ts"));
    await checkout.run(`pulumi stack init test\n${preview} > preview.json`);
    const found = await judged(checkout, "cat preview.json");
    assert.deepEqual(
      found.restores
        .map((one) => `${one.name} ${one.virtualMachineId} ${one.findings.map(({ code }) => code).join()}`)
        .sort(),
      ["at-site 43 restore.other-provider", "db 43 ", "etc 42 ", "from-new 43 state.point", "shop 42 ", "web 42 "],
    );
    assert.deepEqual(found.unreadable, [
      "The preview does not show the machine of queue, on-new: the id is a secret, or known only during `pulumi up`.",
    ]);

    const refused = await checkout.fails("npx pulumi-recovery ready --preview preview.json --provider site");
    assert.match(refused, /recovery:password of the provider site is a secret, which a preview masks/);
    const asReader = "npx pulumi-recovery ready --preview preview.json --provider site --reader 2>&1 || true";
    assert.match(await checkout.run(asReader), /^ ok {2}at-site +43 +1009, the newest/m);

    await checkout.run("npx pulumi-recovery runbook --preview preview.json");
    const page = checkout.read("recovery-report/runbook.md");
    assert.match(page, /^Not known: The preview does not show the machine of queue, on-new/m);
    for (const shown of [checkout.read("preview.json"), JSON.stringify(found), page])
      assert.doesNotMatch(shown, /s3cret-of-the-site|hush/);
    assert.equal(panel.acceptedPosts(), 0);
  });

  it("is judged as it is now declared, even if its stack was applied before the program changed", async () => {
    const panel = await scene.panel({ speed: 100 });
    const checkout = Project.ofExample(scene.folder, "quickstart", panel);
    const states = async () =>
      (await judged(checkout, preview)).restores
        .map(({ name, state, recoveryPointId = "?", readiness }) => [name, recoveryPointId, state, readiness].join(" "))
        .sort();
    await checkout.run("pulumi stack init test\npulumi up --yes --non-interactive --skip-preview");
    assert.deepEqual(await states(), ["etc 1009 complete ready", "web 1009 complete ready"]);
    const leftOut = await judged(checkout, "pulumi preview --json");
    assert.match(leftOut.unreadable.join(), /leaves out \d unchanged resources: run it again with --show-sames/);
    await checkout.run("pulumi config set run second");
    assert.deepEqual(await states(), ["etc ? not sent cannot be judged", "web 1009 not sent ready"]);
  });
});

async function judged(checkout: Project, previewed: string): Promise<ReadyResult> {
  const { stdout } = await checkout.script(`${previewed} | ${ready} --json`).ended;
  return JSON.parse(stdout) as ReadyResult;
}
