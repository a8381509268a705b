import assert from "node:assert/strict";
import { report, toHtml, type Report } from "../../report";
import { startSandbox, type Sandbox } from "../../sandbox";
import { runbookCase } from "../cli/support/runbook-cases";
import { pagesOf } from "../cli/support/runbook-page";
import * as cases from "../report/support/cases";
import { goldenReports } from "../report/support/golden";
import { hasNoSidewaysScrolling, inPage, isAccessible, phone, unfold, useBrowser } from "./support/browser";

const { everything, "broken-off": brokenOff, restores } = goldenReports();
const hundred = report(cases.fleet(100));

/** Forty restores. Their names, and the names of their waves and checks, are wider than a phone's screen. */
const long = "accounts-receivable-postgresql-primary-production-frankfurt-on-the-old-storage";
const longNames = JSON.parse(
  JSON.stringify(report(cases.fleet(40))).replaceAll('"name":"', `"name":"${long}-`),
) as Report;

const pages: Readonly<Record<string, string | Promise<string>>> = {
  "the report of an eventful run, with its history": toHtml(everything!),
  "the report of an interrupted run": toHtml(brokenOff!),
  "the report of restores without a plan": toHtml(restores!),
  "a report with hostile text": toHtml(report(cases.hostile), { panelLink: "https://panel.example.com/{id}" }),
  "a report on a hundred machines": toHtml(hundred),
  "a report with long names": toHtml(longNames),
  "a runbook": pagesOf(runbookCase).then((page) => page.html),
};

const ground = "getComputedStyle(document.body).backgroundColor";
const allSeen = (selector: string): string =>
  `[...document.querySelectorAll('${selector}')].filter((one) => one.checkVisibility()).length`;

describe("a page in a browser", function () {
  this.timeout(60_000);
  const browser = useBrowser();

  for (const [name, made] of Object.entries(pages)) {
    it(`makes no requests, logs no errors, is styled and is accessible: ${name}`, async () => {
      const html = await made;
      const { page, wrong, loaded } = await browser.openFile(html, { colorScheme: "light" });
      // On a long page, checking the visible rows is enough, because the folded rows look the same.
      if (html.length < 100_000) await unfold(page);
      await isAccessible(page);
      assert.deepEqual([wrong, loaded], [[], []]);
      assert.equal(await inPage(page, ground), "rgb(255, 255, 255)");
      assert.equal(await inPage(page, "document.scripts.length"), 0);
    });

    it(`is readable in dark mode: ${name}`, async () => {
      const { page } = await browser.openFile(await made, { colorScheme: "dark" });
      assert.equal(await inPage(page, ground), "rgb(18, 22, 28)");
      await isAccessible(page, "colours");
    });

    it(`fits on a phone and on paper, without cutting off the verdict: ${name}`, async () => {
      const { page } = await browser.openFile(await made, phone);
      const offTheEdge =
        "[...document.querySelectorAll('.verdict, .verdict *')].filter((one) => one.getBoundingClientRect().right > innerWidth)";
      const isWhole = async (): Promise<void> => {
        await hasNoSidewaysScrolling(page);
        assert.deepEqual(await inPage(page, `${offTheEdge}.map((one) => one.textContent)`), []);
      };
      await isWhole();
      await unfold(page);
      await isWhole();
      await page.emulateMedia({ media: "print" });
      await isWhole();
    });

    it(`prints in light colors with folded sections open, and keeps headings with their text: ${name}`, async () => {
      const { page } = await browser.openFile(await made, { colorScheme: "dark" });
      await page.emulateMedia({ media: "print" });
      assert.equal(await inPage(page, ground), "rgb(255, 255, 255)");
      assert.equal(await page.locator("nav").isVisible(), false);
      const rows = await page.locator("tbody tr, li.restore").count();
      assert.deepEqual([rows, await inPage(page, allSeen("tbody tr, li.restore"))], [rows, rows]);
      const alone =
        "[...document.querySelectorAll('h2[id], h3, summary')].filter((one) => getComputedStyle(one).breakAfter !== 'avoid')";
      assert.deepEqual(await inPage(page, `${alone}.map((one) => one.textContent)`), []);
      const size = (of: string): string => `parseFloat(getComputedStyle(${of}).fontSize)`;
      const larger = `[...document.querySelectorAll('table *')].filter((one) => ${size("one")} > ${size("one.closest('table')")})`;
      assert.deepEqual(await inPage(page, `${larger}.map((one) => one.textContent)`), []);
    });
  }

  it("jumps from a figure to its row, and unfolds the section that contains the row", async () => {
    const { page } = await browser.openFile(toHtml(hundred));
    const row = page.locator("#restore-90");
    assert.match((await row.textContent()) ?? "", / edge-10 machine 189/);
    assert.equal(await row.isVisible(), false);
    await page.locator(".figures a", { hasText: "edge-10" }).click();
    assert.equal(await row.isVisible(), true);
    const box = await row.boundingBox();
    assert.ok(box !== null && box.y >= 0 && box.y < 720, "it is in sight");
  });

  it("shows a runbook for twelve machines on at most twelve phone screens", async () => {
    const { page } = await browser.openFile((await pagesOf(cases.fleet(12))).html, phone);
    assert.equal(await page.locator("article.card").count(), 12);
    const height = await inPage<number>(page, "document.documentElement.scrollHeight");
    assert.ok(height < 12 * 844, `${String(height)} pixels`);
    for (const card of await page.locator("article.card").all())
      assert.ok(((await card.boundingBox())?.height ?? 0) < 844);
  });
});

describe("the sandbox's page in a browser", function () {
  this.timeout(60_000);
  const browser = useBrowser();
  let sandbox: Sandbox;

  beforeEach(async () => (sandbox = await startSandbox({ control: true })));
  afterEach(() => sandbox.stop());

  for (const colorScheme of ["light", "dark"] as const)
    it(`is accessible on a phone in ${colorScheme} mode`, async () => {
      sandbox.postRestoreAsSomebodyElse(42, 1007);
      const { page, wrong } = await browser.open(`${sandbox.controlUrl ?? ""}/`, { ...phone, colorScheme });
      await page.getByText(/^Up to date at/).waitFor();
      await isAccessible(page);
      await hasNoSidewaysScrolling(page);
      const status = await page.locator("#transactions .status").first().boundingBox();
      assert.ok(status !== null && status.x + status.width <= 390, "the status of a transaction is in sight");
      assert.deepEqual(wrong, []);
    });
});
