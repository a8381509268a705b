import { createHash } from "node:crypto";
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { npm } from "../setup/dependencies.mjs";
import { run } from "../setup/run.mjs";
import { isExecutable, keep, which, windows } from "./kept.mjs";
import { versions } from "./version.mjs";

/** @typedef {import("./kept.mjs").Found} Found */

const chromiums = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

/**
 * Finds a Chromium for the page tests: the browser named by `PULUMI_RECOVERY_BROWSER`, a browser on `PATH`, or the browser that Playwright has installed.
 *
 * @returns {Promise<Found>}
 */
export async function findBrowser() {
  const named = process.env.PULUMI_RECOVERY_BROWSER;
  const there = named === undefined || named === "" ? chromiums.map(which).find((path) => path !== undefined) : named;
  // Loaded only here, because loading takes a third of a second.
  const { chromium } = await import("playwright-core");
  const browser = there ?? chromium.executablePath();
  const how = "install it with `npx playwright-core install chromium`, or set PULUMI_RECOVERY_BROWSER";
  if (there === undefined && !isExecutable(browser)) return { why: `there is no Chromium: ${how}` };
  const asked = await run(browser, ["--version"], { limitMs: 60_000 });
  return asked.ok ? { path: browser } : { why: `${browser} does not run: ${asked.problem}` };
}

const nodeBinary = windows ? "node.exe" : "node";
/** The npm package with the Node.js binary for this platform. */
const nodePackage = `node-${windows ? "win" : process.platform}-${process.arch}`;

/** Finds a Node.js of exactly this version: the running Node.js, or the binary from the npm package. @param {string} version @returns {Promise<Found>} */
export async function findNode(version) {
  if (process.versions.node === version) return { path: process.execPath };
  const doing = `installing Node.js ${version} for the tests`;
  return keep(["node", version], ["bin", nodeBinary], doing, async (made) => {
    const work = dirname(made);
    const path = join(made, "bin", nodeBinary);
    mkdirSync(dirname(path), { recursive: true });
    const manifest = { private: true, dependencies: { [nodePackage]: version } };
    writeFileSync(join(work, "package.json"), JSON.stringify(manifest));
    const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock", "--prefix", work];
    const installed = await npm(args, work);
    if (!installed.ok) throw new Error(`Node.js ${version} could not be installed:\n${installed.problem}`);
    copyFileSync(join(work, "node_modules", nodePackage, "bin", nodeBinary), path);
    chmodSync(path, 0o755);
    const tried = await run(path, ["--version"], { limitMs: 60_000 });
    if (tried.stdout.trim() !== `v${version}`) throw new Error(`Node.js ${version} does not run: ${tried.problem}`);
  });
}

const pythonBinary = windows ? ["Scripts", "python.exe"] : ["bin", "python"];

/** Finds a Python with the packages that tests need, in a virtual environment shared by all clones. @returns {Promise<Found>} */
export async function findPython() {
  const asked = await run("python3", ["--version"], { limitMs: 60_000 });
  if (!asked.ok) return { why: `python3 does not run: ${asked.problem}` };
  const digest = createHash("sha256").update(versions.python.join("\n")).digest("hex").slice(0, 12);
  const place = ["python", `${asked.stdout.trim().replace("Python ", "")}-${digest}`];
  return keep(place, pythonBinary, "installing what programs in Python need, for the tests", async (made) => {
    const venv = await run("python3", ["-m", "venv", made], { limitMs: 5 * 60_000 });
    if (!venv.ok) throw new Error(`python3 -m venv: ${venv.problem}`);
    const args = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", ...versions.python];
    const installed = await run(join(made, ...pythonBinary), args, { limitMs: 20 * 60_000 });
    if (!installed.ok) throw new Error(`pip install: ${installed.problem}`);
  });
}
