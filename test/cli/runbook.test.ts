import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { plan, resourcesOf, stackOfPlan } from "../support/stored/plans";
import { complete, pendingOn, restore } from "../support/stored/restores";
import { type Exported, exportedStack } from "../support/stored/stack";
import { inDirectory } from "../sandbox/support/temporary-directory";
import { assertGolden } from "../support/golden";
import { assertRefused, call } from "./support/call";
import { address } from "./support/panel";
import { runbookCase } from "./support/runbook-cases";
import { blocksOf, inBash, pagesOf } from "./support/runbook-page";

const plain = (text: string): string =>
  text.replaceAll(/&#(\d+);/g, (_, unit: string) => String.fromCharCode(Number(unit))).replaceAll("\u2060", "");

/** Runs commands in bash with a fake curl, which records its arguments, one per line. */
const sentBy = (script: string, answers: readonly string[]) =>
  inDirectory(async (folder) => {
    const curl = `#!/bin/sh\nfor one in "$@"; do printf '%s\\n' "$one"; done >> ${folder}/sent\n`;
    writeFileSync(join(folder, "curl"), curl, { mode: 0o755 });
    const PATH = `${folder}${delimiter}${process.env["PATH"] ?? ""}`;
    const { status } = await inBash(`set -e\ntouch ${folder}/sent\n${script}`, answers, { PATH });
    return { status, args: readFileSync(join(folder, "sent"), "utf8").split("\n") };
  });

/** The same stack with an explicit provider, set up for an XML panel older than version 5.9. */
function inXml({ deployment: { resources } }: Exported): object {
  const urn = "urn:pulumi:drill::shop::pulumi:providers:pulumi-nodejs::dr-site";
  const outputs = { "recovery:format": "xml", "recovery:apiVersion": "5.0" };
  const all = resources.map((one) => ({ ...one, provider: `${urn}::1` }));
  return { deployment: { resources: [...all, { urn, type: "pulumi:providers:pulumi-nodejs", outputs }] } };
}

describe("pulumi-recovery runbook", () => {
  let [html, markdown] = ["", ""];
  let cards: readonly string[] = [];
  before(async () => {
    ({ html, markdown } = await pagesOf(runbookCase));
    cards = plain(markdown).split(/^### /m).slice(1);
  });

  it("matches its golden file, both as HTML and as Markdown (npm run golden)", () => {
    assertGolden("runbook.txt", "in Markdown", plain(markdown));
    const body = html.replace(/<style>[^]*<\/style>/, "").replace(/'sha256-[^']+'|&#39;sha256-.+?&#39;/, "");
    assertGolden("runbook.txt", "as a page", body);
  });

  it("does not say which point the rule chose if the adopted transaction restored a different point, or if the point was taken after the incident", async () => {
    for (const [showing, more] of [[{}], [{ point: "1008" }], [{}, { incidentAt: "2026-11-20T01:00:00Z" }]] as const) {
      const db = { rule: { pick: "newest" }, adopted: true, showing, ...complete("5015") } as const;
      const page = await pagesOf(exportedStack(plan({ data: { db } }, more)));
      assert.equal(plain(page.markdown).includes("the last run chose `1007`"), !("point" in showing) && !more);
      assert.match(plain(page.markdown), /^- Last run: 2026-Q4, drill$/m);
    }
  });

  it("has a card for each restore, in the order in which the restores run", () => {
    const titles = cards.map((card) => card.split("\n")[0]);
    assert.deepEqual(titles, ["☐ 1. mail", "☐ 2. db", "☐ 3. web", "☐ 4. content", "☐ 5. etc"]);
  });

  it("begins with what is under way, even from an earlier run, and how to stop it", async () => {
    const db = { name: "db", machine: "43", status: "running", transaction: "5012", requested: 0 } as const;
    const front = { name: "front", came: "asked for", restores: [{ name: "web", machine: "42" }] } as const;
    const waves = [{ name: "data", restores: [db] }, front].map((wave) => ({ ...wave, run: "2026-Q3" }));
    assert.match(
      plain((await pagesOf(stackOfPlan({ waves }))).markdown),
      /when the state was written:\s+- db of .* run, machine 43: transaction 5012\s+- web of .* 42: no transaction known/,
    );
    assert.match(plain(markdown).split(/^## /m)[1] ?? "", /^Stop what is under way[^]*An `up` was interrupted/);
  });

  it("shows each of the two restore requests once, and a line for each step", async () => {
    const { before, steps } = blocksOf(markdown);
    assert.equal(before.filter((block) => block.includes("-X POST")).length, 2);
    assert.equal(steps.flat().filter((block) => block.includes("curl")).length, 0);
    const [connection = "", , machine = "", files = ""] = before;
    const db = await sentBy([connection, steps[1]?.[0], machine].join("\n"), ["restorer", "p w"]);
    assert.equal(db.status, 0);
    assert.ok(db.args.includes("restorer:p w"));
    assert.ok(db.args.includes(`${address}/virtual_machines/43/backups/recovery_points/1008/restore.json`));
    const content = await sentBy([connection, steps[3]?.[0], files].join("\n"), ["restorer", "p"]);
    assert.ok(content.args.includes('{"paths":["/var/www","/it\'s here"]}'), content.args.join("\n"));
    const byRule = await sentBy([connection, steps[2]?.[0], machine].join("\n"), ["restorer", "p", "1999"]);
    assert.ok(byRule.args.some((arg) => arg.endsWith("/recovery_points/1999/restore.json")));
    // Without the line that sets a step's variables, nothing is sent.
    assert.notEqual((await sentBy([connection, machine].join("\n"), ["restorer", "p"])).status, 0);
  });

  it("keeps apart two plans that have the same name under different parents", async () => {
    const resourcesOf = (owner: string, host: string): readonly object[] => {
      const checks = [{ name: `tcp ${host}`, kind: "tcp" as const, result: "passed" as const }];
      const made = exportedStack(plan({ data: { db: { checks, ...complete("5014") } } }, { notes: { owner } }));
      const below = JSON.stringify(made).replaceAll("recovery:index", `my:${owner}$recovery:index`);
      return (JSON.parse(below) as Exported).deployment.resources;
    };
    const deployment = { resources: [...resourcesOf("Anna", "a.example"), ...resourcesOf("Bert", "b.example")] };
    const { markdown: both } = await pagesOf({ version: 3, deployment });
    const found = [...plain(both).matchAll(/Owner: (\w+)|Check tcp (\w)\.example/g)].map((one) => one[1] ?? one[2]);
    assert.deepEqual(found, ["Anna", "a", "Bert", "b"]);
  });

  it("is readable on a phone and on paper: it has no tables, splits no card across pages and loads nothing", () => {
    assert.doesNotMatch(html, /<table|<script|<img|https?:\/\/(?!panel\.example|shop\.example)/);
    assert.equal(html.match(/<article class="card">/g)?.length, 5);
    assert.match(html, /break-inside: avoid/);
  });

  it("names one panel if the plan stopped before its last wave, but several if a restore was sent to another panel", async () => {
    const data = { name: "data", restores: [{ name: "db", machine: "43", ...complete("5014") }] };
    const front = { name: "front", came: "not begun", restores: [{ name: "web", machine: "42" }] } as const;
    const stopped = resourcesOf({ waves: [data, front] });
    const elsewhere = restore({ machine: "44", panel: "https://other.example.com", status: "complete" });
    for (const [state, panels] of [
      [exportedStack(stopped), 1],
      [inXml(exportedStack(stopped)), 1],
      [exportedStack([...stopped, ...elsewhere]), 3],
    ] as const) {
      const page = (await pagesOf(state)).markdown;
      assert.deepEqual([page.match(/-X POST/g)?.length, page.includes("Panel 2:")], [2 * panels, panels > 1], page);
    }
  });

  it("escapes every value from the state, in markup and in commands", async () => {
    const evil = "<b>\u202e$(touch x)`'";
    const web = { machine: "42", paths: [`/${evil}\u2066`], point: "1; rm -rf /" };
    const elsewhere = restore({ name: evil, panel: "https://x.example.com/$(touch y)" });
    const state = exportedStack(
      [...plan({ data: { web } }, { notes: { owner: evil } }), ...elsewhere],
      [pendingOn("web")],
    );
    const pages = await pagesOf(state);
    const withoutCode = pages.markdown.replaceAll(/`{3}[^]*?`{3}|``.*?``/g, "");
    for (const page of [pages.html, withoutCode]) assert.doesNotMatch(page, /<b>/);
    for (const page of [pages.html, pages.markdown]) assert.doesNotMatch(page, /[\u202e\u2066]/);
    const { before, steps } = blocksOf(pages.markdown);
    assert.ok(steps.flat().join("\n").includes("\\u202e"));
    const { before: inOldXml, steps: ofXml } = blocksOf((await pagesOf(inXml(state))).markdown);
    assert.ok(ofXml.flat().join("\n").includes("&#8238;"));
    assert.match(inOldXml.join("\n"), /\/virtual_servers\/\S+\/restore\.xml"/);
    await inDirectory(async (folder) => {
      const script = `cd ${folder}\n${[...before, ...steps.flat()].join("\n")}`;
      const { args } = await sentBy(script, Array(20).fill("a") as string[]);
      assert.ok(args.length > 0);
      assert.equal((await inBash(`ls ${folder}`, [])).out, "");
    });
  });

  it("writes its files to a folder, and exits with 3 if nothing can be written", () =>
    inDirectory(async (folder) => {
      const write = (state: object, ...args: string[]) =>
        call(["runbook", "--state", "-", "--out", folder, ...args], {}, JSON.stringify(state));
      assert.equal((await write(runbookCase)).code, 0);
      assert.equal(readFileSync(join(folder, "runbook.html"), "utf8"), html);
      assert.equal((await write(runbookCase, "--plan", "shop")).code, 0);
      assert.doesNotMatch(readFileSync(join(folder, "runbook.html"), "utf8"), /mail/);
      for (const [state, args, says] of [
        [exportedStack([]), [], /the state contains no restores/],
        [runbookCase, ["--plan", "other"], /no plan other; it contains shop/],
        [runbookCase, ["--out", "-"], /--out needs a folder/],
        [runbookCase, ["--format", "pdf"], /Unknown option '--format'/],
      ] as const)
        assertRefused(await write(state, ...args), says);
    }));
});
