import assert from "node:assert/strict";
import { historyPage, readReport, report, toHtml, toJson } from "../../report";
import * as cases from "./support/cases";
import { stackOfPlan, type PlayedStep } from "./support/plans";

/** The visible part of a new page, and its folded parts. */
function divided(page: string): { readonly inSight: string; readonly folds: readonly string[] } {
  const fold = /<details class="fold">[\s\S]*?<\/details>/g;
  return { inSight: page.replaceAll(fold, ""), folds: page.match(fold) ?? [] };
}

function rowsIn(text: string): readonly string[] {
  return [...text.matchAll(/<tr id="restore-\d+"><th[^>]*>([^<]+)</g)].map(({ 1: name = "" }) => name);
}

/** Machines of which every tenth is late, each later than the one before. */
function late(machines: number): object {
  const restores = Array.from({ length: machines }, (_, n): PlayedStep => ({
    name: `vm-${String(n)}`,
    machine: n,
    requested: 0,
    ran: n % 10 === 0 ? 700 + n : 300,
    transaction: String(6_000 + n),
  }));
  const goals = { recoveryTimeSeconds: 600 };
  return stackOfPlan({ goals, onMissedGoal: "warn", waves: [{ name: "all", restores }], verdict: "not stored" });
}

describe("a long page", () => {
  const hundred = toHtml(report(late(100)));

  it("shows what is not as planned, folds the rest, and has each restore once", () => {
    const { inSight, folds } = divided(hundred);
    const tens = Array.from({ length: 10 }, (_, index) => `vm-${String(index * 10)}`);
    assert.deepEqual(rowsIn(inSight), tens);
    assert.equal(rowsIn(folds.join("")).length, 90);
    assert.equal(new Set(rowsIn(hundred)).size, 100);
    assert.match(folds[0] ?? "", /<summary>Wave 1: all: 90 restores complete and as planned<\/summary>/);
  });

  it("with few restores folds nothing", () => {
    assert.deepEqual(divided(toHtml(report(late(30)))).folds, []);
    assert.equal(rowsIn(toHtml(report(late(30)))).length, 30);
  });

  it("names every restore that missed its goal, worst first, with a link to its row", () => {
    const findings = /<section aria-labelledby="findings">([\s\S]*?)<\/section>/.exec(hundred)?.[1] ?? "";
    const named = [...findings.matchAll(/<a href="#([^"]+)">([^<]+)<\/a>/g)].map(({ 1: id = "", 2: name = "" }) => {
      assert.ok(hundred.includes(`<tr id="${id}"><th scope="row" class="sticky">${name}<`), `${name} leads to its row`);
      return name;
    });
    assert.deepEqual(
      named,
      Array.from({ length: 10 }, (_, index) => `vm-${String(90 - index * 10)}`),
    );
  });

  it("keeps an adopted restore, one with an earlier try and one with a goal that is not measured in sight", () => {
    const step = (n: number, more: object = {}): PlayedStep => ({
      name: `vm-${String(n)}`,
      machine: n,
      requested: 0,
      ran: 300,
      transaction: String(n),
      ...more,
    });
    const restores = [
      ...Array.from({ length: 40 }, (_, n) => step(n, { takenAt: "2026-11-21T02:00:00Z" })),
      step(40, { takenAt: "2026-11-21T02:00:00Z", adopted: true }),
      step(41, {
        takenAt: "2026-11-21T02:00:00Z",
        earlierTries: [{ status: "failed", transactionIds: ["9"], requestedAt: "2026-11-21T09:58:00Z" }],
      }),
      step(42),
    ];
    const page = toHtml(
      report(
        stackOfPlan({ goals: { dataAgeSeconds: 86_400 }, waves: [{ name: "all", restores }], verdict: "not stored" }),
      ),
    );
    assert.deepEqual(rowsIn(divided(page).inSight), ["vm-40", "vm-41", "vm-42"]);
    assert.match(page, /<tr class="try"><th scope="row" class="sticky">vm-41<span class="sub">earlier try 1</);
  });

  it("with two thousand restores is divided into parts, and draws restores as planned as one bar", () => {
    const page = toHtml(report(late(2_000)));
    const { inSight, folds } = divided(page);
    assert.equal(new Set(rowsIn(page)).size, 2_000);
    for (const part of [inSight, ...folds]) assert.ok(rowsIn(part).length <= 250);
    assert.equal(rowsIn(inSight).length, 200);
    assert.equal([...page.matchAll(/<li class="lane">/g)].length, 201);
    assert.match(page, /<li class="lane"><span>1,800 other restores<\/span>/);
    const findings = /<section aria-labelledby="findings">([\s\S]*?)<\/section>/.exec(page)?.[1] ?? "";
    assert.equal([...findings.matchAll(/<a href="#restore-/g)].length, 200, "all that missed a goal are named");
    assert.match(findings, /<summary>150 more<\/summary>/);
  });

  it("of a history shows machines that failed or missed a goal in any run", () => {
    const page = historyPage([report(late(100)), report(late(100))].map((one) => readReport(toJson(one))));
    const { inSight, folds } = divided(page);
    assert.equal([...inSight.matchAll(/>vm-\d+</g)].length, 10);
    assert.equal([...folds.join("").matchAll(/>vm-\d+</g)].length, 90);
  });
});

describe("links to the panel's pages", () => {
  const form = "https://panel.example.com/transactions/{id}?from=report&x=%22";

  it("lead to every transaction, those of earlier tries too, if an address is given", () => {
    const page = toHtml(report(cases.retried), { panelLink: form });
    for (const id of ["5011", "5014", "5015", "5016"]) {
      assert.ok(
        page.includes(
          `<a href="https://panel.example.com/transactions/${id}?from=report&amp;x=%22" rel="noopener noreferrer">${id}</a>`,
        ),
        id,
      );
    }
    assert.doesNotMatch(toHtml(report(cases.retried)), /panel\.example\.com\/transactions/);
  });

  it("encode the id as one part of the address", () => {
    const page = toHtml(report(cases.hostile), { panelLink: form });
    const links = [...page.matchAll(/href="(https:\/\/panel[^"]*)"/g)].map(({ 1: url = "" }) => url);
    assert.ok(links.length > 0);
    for (const url of links)
      assert.match(
        url,
        /^https:\/\/panel\.example\.com\/transactions\/(?:[\w%.!~*()-]|&#39;)+\?from=report&amp;x=%22$/,
      );
  });

  for (const wrong of [
    "javascript:alert({id})",
    "https://panel.example.com/",
    "https://{id}.example.com/",
    "https://panel.example.com{id}",
    "https://user:word@panel.example.com/{id}",
    "https://panel.example.com/{id}/{id}",
    "https://panel.example.com/a b/{id}",
    "//panel.example.com/{id}",
    "https://[/{id}",
  ]) {
    it(`are refused as ${wrong}`, () => {
      assert.throws(() => toHtml(report(cases.passed), { panelLink: wrong }), {
        name: "ReportError",
        message: /is not the address of a transaction's page: .*\{id\}/,
      });
    });
  }
});
