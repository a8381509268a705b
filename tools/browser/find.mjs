import { isExecutable } from "../cli/kept.mjs";
import { which } from "../cli/on-path.mjs";
import { run } from "../setup/run.mjs";

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

/**
 * Finds a Chromium for the tests of pages: the browser in `PULUMI_RECOVERY_BROWSER`, on `PATH`, or the one that its driver has installed.
 *
 * @returns {Promise<import("../cli/find.mjs").Found>}
 */
export async function findBrowser() {
  const named = process.env.PULUMI_RECOVERY_BROWSER;
  const there = named === undefined || named === "" ? names.map(which).find((path) => path !== undefined) : named;
  // Loaded only now: it takes a third of a second.
  const { chromium } = await import("playwright-core");
  const browser = there ?? chromium.executablePath();
  if (there === undefined && !isExecutable(browser))
    return {
      why: "there is no Chromium: `npx playwright-core install chromium` gets one, or PULUMI_RECOVERY_BROWSER names one",
    };
  const asked = await run(browser, ["--version"], { limitMs: 60_000 });
  return asked.ok ? { path: browser } : { why: `${browser} does not run: ${asked.problem}` };
}
