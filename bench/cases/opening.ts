import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium, type Browser } from "playwright-core";
import { report, toHtml } from "../../report";
import { fleet } from "../../test/report/support/cases";
import { times } from "../../test/report/support/times";
import { count, milliseconds, type Case } from "../report";
import { median } from "../statistics";

const runs = 5;
const mostMs = 2_000;

export const opening: Case = {
  name: "opening",
  async run() {
    const { find } = await import("../../tools/cli/find.mjs");
    const found = await find("browser");
    if ("why" in found) throw new Error(found.why);
    const folder = mkdtempSync(join(tmpdir(), "recovery-opening-"));
    const browser = await chromium.launch({ executablePath: found.path });
    try {
      const hundred = report(fleet(100));
      const measured: { readonly restores: number; readonly ms: number; readonly ownMs: number }[] = [];
      for (const copies of [1, 100]) {
        const file = join(folder, `${String(copies)}.html`);
        writeFileSync(file, toHtml(times(hundred, copies)));
        const all: (readonly [number, number])[] = [];
        for (let run = 0; run < runs; run++) all.push(await measure(browser, pathToFileURL(file).href));
        measured.push({
          restores: 100 * copies,
          ms: median(all.map(([ms]) => ms)),
          ownMs: median(all.map(([, ownMs]) => ownMs)),
        });
      }
      return {
        title: "The report's page in a browser",
        about: `From the request to the first frame after the page is loaded, in Chromium ${browser.version()}; median of ${String(runs)}. Beside it the processor time of the page's own thread, which does not depend on what else the machine does.`,
        columns: ["restores", "opened in", "processor time"],
        rows: measured.map(({ restores, ms, ownMs }) => [count(restores), milliseconds(ms), milliseconds(ownMs)]),
        bars: measured.map(({ restores, ownMs }) => ({
          claim: `${count(restores)} restores within ${String(mostMs / 1_000)} s of processor time`,
          measured: milliseconds(ownMs),
          met: ownMs < mostMs,
        })),
      };
    } finally {
      await browser.close();
      rmSync(folder, { recursive: true });
    }
  },
};

async function measure(browser: Browser, url: string): Promise<readonly [ms: number, ownMs: number]> {
  const page = await browser.newPage();
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const startedAt = performance.now();
  await page.goto(url);
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))");
  const ms = performance.now() - startedAt;
  const { metrics } = await session.send("Performance.getMetrics");
  await page.close();
  return [ms, (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0) * 1_000];
}
