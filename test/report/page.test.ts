import { createHash } from "node:crypto";
import assert from "node:assert/strict";
import { XMLValidator } from "fast-xml-parser";
import { report, toHtml } from "../../report";
import { goldenReports } from "./support/golden";
import * as cases from "./support/cases";
import { stackOfPlan } from "../support/stored/plans";

const styleOf = (page: string): string => /<style>([\s\S]*?)<\/style>/.exec(page)?.[1] ?? "";

const pages: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(goldenReports()).map(([name, made]) => [name, toHtml(made)])),
  fleet: toHtml(report(cases.fleet(100))),
};

const fold = /<details class="fold">[\s\S]*?<\/details>/g;
const namesIn = (text: string): readonly string[] =>
  [...text.matchAll(/<li class="restore" id="restore-\d+">\s*<p class="who">.*?<strong>([^<]+)</g)].map(
    ({ 1: name = "" }) => name,
  );

describe("the report's page", () => {
  for (const [name, page] of Object.entries(pages)) {
    it(`loads no other files, and its content security policy allows only its own style sheet: ${name}`, () => {
      const hash = createHash("sha256").update(styleOf(page)).digest("base64");
      const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1]?.replaceAll("&#39;", "'");
      assert.equal(policy, `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`);
      const isFirst = page.indexOf("Content-Security-Policy") < page.indexOf("<style>");
      assert.ok(isFirst, "the policy comes before the style sheet");
      const bare = page.replaceAll(/="[^"]*"/g, '=""');
      assert.doesNotMatch(bare, /<(?:script|link|img|iframe|object|embed|form|base)\b|<[^>]*\s(?:src|style)=/);
      assert.doesNotMatch(styleOf(page), /@import|url\((?!#)/);
      for (const { 1: href = "" } of page.matchAll(/\shref="([^"]*)"/g)) {
        assert.match(href, /^(?:https?:\/\/|#)/);
        if (href.startsWith("#")) assert.ok(page.includes(`id="${href.slice(1)}"`), `${href} leads somewhere`);
      }
    });

    it(`is well-formed: ${name}`, () => {
      const body = page
        .replace(/^<!doctype html>/, "")
        .replace(/<style>[\s\S]*?<\/style>/, "")
        .replaceAll(/<(meta|br)\b([^>]*)>/g, "<$1$2/>");
      assert.equal(XMLValidator.validate(body), true);
      const ids = [...page.matchAll(/\sid="([^"]+)"/g)].map(({ 1: id }) => id);
      assert.equal(new Set(ids).size, ids.length);
      for (const { 1: id = "" } of page.matchAll(/aria-labelledby="([^"]+)"|url\(#([^)]+)\)/g))
        assert.ok(id === "" || ids.includes(id), id);
    });
  }

  it("shows what went wrong among many restores, folds the rest, and lists each restore once", () => {
    const page = pages["fleet"] ?? "";
    const inSight = namesIn(page.replaceAll(fold, ""));
    const all = namesIn(page);
    assert.equal(new Set(all).size, 100);
    assert.equal(all.length, 100);
    assert.ok(inSight.includes("mq-18"), "an adopted restore is in sight");
    assert.equal(inSight.length, 23);
    assert.match(page, /<summary>18 restores complete and as planned<\/summary>/);
    assert.doesNotMatch(pages["passed"] ?? "", /class="fold"/);
  });

  it("shows at most 250 restores of a wave at once, and folds the rest into parts of at most 250", () => {
    const made = report(cases.fleet(100));
    const [adopted, good] = (made.waves[2]?.restores ?? []).slice(17, 19);
    const restores = [adopted!, good!].flatMap((one) =>
      Array.from({ length: 260 }, (_, copy) => ({ ...one, name: `${one.name}-${String(copy)}` })),
    );
    const page = toHtml({ ...made, waves: [{ name: "queues", restores }] });
    assert.equal(namesIn(page.replaceAll(fold, "")).length, 250);
    const folded = [...page.matchAll(fold)].map(([part]) => namesIn(part).length);
    const counts = folded.filter((count) => count > 0);
    assert.deepEqual(counts, [10, 250, 10]);
  });

  it("does not fold a restore whose check first failed and then passed, even among many restores", () => {
    const { checks = [] } = cases.shop.waves[0]?.restores[0] ?? {};
    const restores = Array.from({ length: 40 }, (_, nth) => ({
      ...{ name: `db-${String(nth)}`, machine: 100 + nth, transaction: String(5_000 + nth) },
      checks: checks.map((one) => ({ ...one, ...(nth === 7 && { failedBefore: true as const }) })),
    }));
    const page = toHtml(report(stackOfPlan({ waves: [{ name: "data", restores }] })));
    const inSight = page.replaceAll(fold, "");
    assert.deepEqual(namesIn(inSight), ["db-7"]);
    assert.match(inSight, /tcp 10\.0\.0\.43: passed in 41s \(failed before\)/);
  });

  it("has a bar for each attempt at a restore, and the bars together span the restore's duration", () => {
    const made = report(cases.waited);
    const page = toHtml(made);
    const steps = made.waves.flatMap(({ restores }) => restores);
    const scales = steps.flatMap(({ name, recoveredSeconds, earlierAttempts = [], state }) => {
      const [, svg = ""] = new RegExp(`<strong>${name}</strong>[^]*?(<svg class="bar"[^]*?)</li>`).exec(page) ?? [];
      const bars = [...svg.matchAll(/<rect class="([^"]+)" x="([\d.]+)%" y="\S+" width="([\d.]+)%"/g)];
      const failed = [...earlierAttempts, { state }].filter((one) => /failed|cancelled/.test(one.state));
      assert.equal(bars.filter(([, kind]) => kind === "r bad").length, failed.length, name);
      if (recoveredSeconds === undefined) return [];
      const starts = [...svg.matchAll(/ x1?="([\d.]+)%"/g)].map(({ 1: at }) => Number(at));
      const ends = bars.map(({ 2: at, 3: width }) => Number(at) + Number(width));
      return [(Math.max(...ends) - Math.min(...starts)) / recoveredSeconds];
    });
    assert.equal(scales.length, 3);
    for (const scale of scales) assert.ok(Math.abs(scale / (scales[0] ?? 0) - 1) < 0.01, scales.join());
    assert.equal(steps.flatMap(({ earlierAttempts = [] }) => earlierAttempts).length, 1);
  });

  it("has a scale of at most eight round times, with the goal if there is room, and has no scale if restores are far apart", () => {
    const made = report(cases.passed);
    const step = { ...made.waves[0]!.restores[0]!, checks: [], recoveredSeconds: undefined as never };
    const at = (seconds: number): string => new Date(seconds * 1_000).toISOString();
    const labelsOf = (targetSeconds: number, ...spans: readonly (readonly [from: number, to: number])[]) => {
      const stamped = spans.map(([from, to]) => ({ requestedAt: at(from), startedAt: at(from), finishedAt: at(to) }));
      const goals = [{ goal: "recoveryTime", targetSeconds, result: "met" } as const];
      const page = toHtml({ ...made, goals, waves: [{ restores: stamped.map((one) => ({ ...step, ...one })) }] });
      return [...page.matchAll(/<text class="[^"]+"[^>]*>([^<]+)/g)].map(([, text = ""]) => text);
    };
    const sizes = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400];
    const labels = sizes.map((size) => labelsOf(1e9, [0, size * 7])).filter(({ length }) => length === 8);
    assert.equal(
      labels.map(([, text]) => text).join(" "),
      "1s 2s 5s 10s 15s 30s 1m 2m 5m 10m 15m 30m 1h 2h 3h 6h 12h 1d",
    );
    assert.deepEqual(labelsOf(1e9, [0, 15]), ["0", "5s", "10s", "15s"]);
    assert.deepEqual(
      [100, 101].map((goal) => labelsOf(goal, [0, 50]).at(-1)),
      ["goal 1m 40s", "50s"],
    );
    assert.deepEqual(
      [990, 991].map((from) => labelsOf(1e9, [0, 10], [from, from + 10]).length),
      [4, 0],
    );
  });

  it("links each reason to its restore, and each transaction to the panel", () => {
    const [made, form] = [report(cases.failed), "https://panel.example.com/transactions/{id}?from=report&x=%22"];
    const page = toHtml(made, { panelLink: form });
    assert.match(page, /<li><a href="#restore-2">search<\/a> failed \(transaction 5017\)<\/li>/);
    const links = [...page.matchAll(/<a href="(https:[^"]*)" rel="noopener noreferrer">/g)].map(({ 1: url }) => url);
    const linkTo = (id: string): string => `https://panel.example.com/transactions/${id}?from=report&amp;x=%22`;
    assert.deepEqual(links, [linkTo("5014"), linkTo("5017")]);
    for (const { 1: url = "" } of toHtml(report(cases.hostile), { panelLink: form }).matchAll(
      /href="(https:\/\/panel[^"]*)"/g,
    ))
      assert.match(
        url,
        /^https:\/\/panel\.example\.com\/transactions\/(?:[\w%.!~*()-]|&#39;)+\?from=report&amp;x=%22$/,
      );
    for (const wrong of [
      ...["javascript:alert({id})", "https://panel.example.com/", "https://{id}.example.com/", "https://[/{id}"],
      ...["https://panel.example.com{id}", "https://user:word@panel.example.com/{id}"],
      ...["https://panel.example.com/{id}/{id}", "https://panel.example.com/a b/{id}"],
    ])
      assert.throws(() => toHtml(made, { panelLink: wrong }), { name: "ReportError", message: /\{id\}/ }, wrong);
  });
});
