import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { AxeResults } from "axe-core";
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";
import { needs } from "../../e2e/support/needs";

export interface Opened {
  readonly page: Page;
  /** Console errors, including policy violations, and uncaught exceptions. */
  readonly wrong: readonly string[];
  /** Requests for anything but the page itself. */
  readonly loaded: readonly string[];
}

const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

export function useBrowser() {
  const found = needs("browser");
  const folder = mkdtempSync(join(tmpdir(), "recovery-pages-"));
  let browser: Browser | undefined;
  let opened: Opened[] = [];

  before(async function () {
    this.timeout(60_000);
    browser = await chromium.launch({ executablePath: found.path });
  });

  afterEach(async () => {
    await Promise.all(opened.map(({ page }) => page.context().close()));
    opened = [];
  });

  after(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true });
  });

  const open = async (url: string, options: BrowserContextOptions = {}): Promise<Opened> => {
    if (browser === undefined) throw new Error("there is a browser only while a test runs");
    const page = await (await browser.newContext(options)).newPage();
    const [wrong, loaded]: [string[], string[]] = [[], []];
    page.on("console", (message) => message.type() === "error" && wrong.push(message.text()));
    page.on("pageerror", ({ message }) => wrong.push(message));
    page.on("request", (request) => request.url() !== url && loaded.push(request.url()));
    opened.push({ page, wrong, loaded });
    await page.goto(url);
    return { page, wrong, loaded };
  };
  return {
    open,
    openFile(html: string, options?: BrowserContextOptions): Promise<Opened> {
      const file = join(folder, "page.html");
      writeFileSync(file, html);
      return open(pathToFileURL(file).href, options);
    },
  };
}

export const phone: BrowserContextOptions = { viewport: { width: 390, height: 844 } };

export function inPage<T>(page: Page, expression: string): Promise<T> {
  return page.evaluate(expression);
}

export async function unfold(page: Page): Promise<void> {
  await inPage(page, "document.querySelectorAll('details').forEach((one) => { one.open = true; })");
}

export async function hasNoSidewaysScrolling(page: Page): Promise<void> {
  const [whole, seen] = await inPage<[number, number]>(
    page,
    "[document.documentElement.scrollWidth, window.innerWidth]",
  );
  assert.ok(whole <= seen, `the page is ${String(whole)} pixels wide, but only ${String(seen)} are visible`);
}

/** Asserts that axe finds no serious problems with the page or, if `of` is `colours`, with its colors. */
export async function isAccessible(page: Page, of: "everything" | "colours" = "everything"): Promise<void> {
  // The page's policy blocks all scripts on the page, but the driver may still evaluate code.
  const session = await page.context().newCDPSession(page);
  await session.send("Runtime.evaluate", { expression: axe });
  const options = { resultTypes: ["violations"], ...(of === "colours" && { runOnly: ["color-contrast"] }) };
  const { violations } = await inPage<AxeResults>(page, `axe.run(${JSON.stringify(options)})`);
  const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  assert.deepEqual(
    serious.map(({ id, nodes }) => [id, nodes.slice(0, 3).map(({ html, failureSummary }) => [html, failureSummary])]),
    [],
  );
}
