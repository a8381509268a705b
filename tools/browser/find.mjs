import { readFileSync, symlinkSync } from "node:fs";
import { join, relative } from "node:path";
import { isExecutable } from "../cli/kept.mjs";
import { createOnce } from "../cli/once.mjs";
import { which } from "../cli/on-path.mjs";
import { cacheFolder, root } from "../setup/places.mjs";
import { run } from "../setup/run.mjs";

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

/**
 * Finds a Chromium for the tests of pages: the browser in `PULUMI_RECOVERY_BROWSER`, on `PATH`, or kept by an earlier set-up. With
 * `get`, its driver may download one.
 *
 * @param {{ get: boolean }} options
 * @returns {Promise<import("../cli/find.mjs").Found>}
 */
export async function findBrowser({ get }) {
  const named = process.env.PULUMI_RECOVERY_BROWSER;
  const there = named === undefined || named === "" ? names.map(which).find((path) => path !== undefined) : named;
  if (there !== undefined) {
    const asked = await run(there, ["--version"], { limitMs: 60_000 });
    return asked.ok ? { path: there } : { why: `${there} does not run: ${asked.problem}` };
  }
  const driver = join(root, "node_modules", "playwright-core");
  /** @type {{ version: string }} */
  const { version } = JSON.parse(readFileSync(join(driver, "package.json"), "utf8"));
  const place = join(cacheFolder(), "browser", version);
  const browser = join(place, "chromium");
  if (isExecutable(browser)) return { path: browser };
  if (!get) return { why: "there is no Chromium on PATH, and PULUMI_RECOVERY_BROWSER names none" };
  return createOnce(place, browser, "installing a Chromium for the tests", (made) => install(driver, made));
}

/**
 * @param {string} driver
 * @param {string} made
 */
async function install(driver, made) {
  const env = { ...process.env, PLAYWRIGHT_BROWSERS_PATH: made };
  const args = [join(driver, "cli.js"), "install", "--no-shell", "chromium"];
  const installed = await run(process.execPath, args, { env, limitMs: 10 * 60_000 });
  if (!installed.ok) throw new Error(`Chromium could not be installed: ${installed.problem}`);
  const asked = await run(process.execPath, ["-p", "require('playwright-core').chromium.executablePath()"], {
    cwd: root,
    env,
  });
  const browser = asked.stdout.trim();
  const tried = await run(browser, ["--version"], { limitMs: 60_000 });
  if (!tried.ok) throw new Error(`the Chromium that was installed does not run: ${tried.problem}`);
  symlinkSync(relative(made, browser), join(made, "chromium"));
}
