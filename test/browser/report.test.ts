import assert from "node:assert/strict";
import { report, toHtml } from "../../report";
import { runbookCase } from "../cli/support/runbook-cases";
import { pagesOf } from "../cli/support/runbook-page";
import * as cases from "../report/support/cases";
import { goldenReports } from "../report/support/golden";
import { times } from "../report/support/times";
import { hasNoSidewaysScrolling, inPage, isAccessible, phone, unfold, useBrowser } from "./support/browser";

const { everything, "broken-off": brokenOff, restores } = goldenReports();
const hundred = report(cases.fleet(100));

const pages: Readonly<Record<string, string>> = {
  "all that can happen in one run, with its history": toHtml(everything!),
  "one that broke off": toHtml(brokenOff!),
  "restores without a plan": toHtml(restores!),
  "one of hostile texts": toHtml(report(cases.hostile), { panelLink: "https://panel.example.com/{id}" }),
  "one of a hundred machines": toHtml(hundred),
  "a runbook": pagesOf(runbookCase).html,
};

const ground = "getComputedStyle(document.body).backgroundColor";
const allSeen = (selector: string): string =>
  `[...document.querySelectorAll('${selector}')].filter((one) => one.checkVisibility()).length`;

describe("what people look at of a run, in a browser", function () {
  this.timeout(60_000);
  const browser = useBrowser();

  for (const [name, html] of Object.entries(pages)) {
    it(`${name}: loads nothing, breaks no policy, has its style, and can be read and used by everybody`, async () => {
      const { page, wrong, loaded } = await browser.openFile(html, { colorScheme: "light" });
      // Each of a hundred rows is like those of the other pages.
      if (html.length < 100_000) await unfold(page);
      await isAccessible(page);
      assert.deepEqual([wrong, loaded], [[], []]);
      assert.equal(await inPage(page, ground), "rgb(255, 255, 255)");
      assert.equal(await inPage(page, "document.scripts.length"), 0);
    });

    it(`${name}: can be read in the dark`, async () => {
      const { page } = await browser.openFile(html, { colorScheme: "dark" });
      assert.equal(await inPage(page, ground), "rgb(18, 22, 28)");
      await isAccessible(page, "colours");
    });

    it(`${name}: is no wider than a phone, all of it`, async () => {
      const { page } = await browser.openFile(html, phone);
      await hasNoSidewaysScrolling(page);
      await unfold(page);
      await hasNoSidewaysScrolling(page);
    });

    it(`${name}: is on paper in light colours, with what is folded away, and headings stay with what follows`, async () => {
      const { page } = await browser.openFile(html, { colorScheme: "dark" });
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

  it("leads from a figure to the row, and opens what that is folded away in", async () => {
    const { page } = await browser.openFile(pages["one of a hundred machines"]!);
    const row = page.locator("#restore-90");
    assert.match((await row.textContent()) ?? "", / edge-10 machine 189/);
    assert.equal(await row.isVisible(), false);
    await page.locator(".figures a", { hasText: "edge-10" }).click();
    assert.equal(await row.isVisible(), true);
    const box = await row.boundingBox();
    assert.ok(box !== null && box.y >= 0 && box.y < 720, "it is in sight");
  });

  it("opens ten thousand restores as one page, and one part of them as quickly", async () => {
    const { page, wrong } = await browser.openFile(toHtml(times(hundred, 100)));
    assert.deepEqual(wrong, []);
    assert.equal(await page.locator("li.restore").count(), 10_000);
    const laidOut = await inPage<number>(page, allSeen("li.restore"));
    // Of each of the five waves, a part of those that are not as planned.
    assert.ok(laidOut <= 5 * 250, `${String(laidOut)} rows are laid out`);
    await page.locator(".wave details.fold summary").first().click();
    const opened = await inPage<number>(page, allSeen("details.fold li.restore"));
    assert.ok(opened > 0 && opened <= 250, `${String(opened)} rows are opened`);
  });
});
