import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createOnce } from "../cli/once.mjs";
import { npm } from "../setup/dependencies.mjs";
import { cacheFolder } from "../setup/places.mjs";
import { run } from "../setup/run.mjs";

const windows = process.platform === "win32";
const binary = windows ? "node.exe" : "node";

/** The npm package with the binaries for this platform. */
const packageName = `node-${windows ? "win" : process.platform}-${process.arch}`;

/**
 * Finds a Node.js of exactly this version: the running Node.js, the kept Node.js, or the binary from the npm package.
 *
 * @param {string} version
 * @returns {Promise<import("../cli/find.mjs").Found>}
 */
export async function findNode(version) {
  if (process.versions.node === version) return { path: process.execPath };
  const place = join(cacheFolder(), "node", version);
  const make = (/** @type {string} */ made) => install(version, made);
  return createOnce(place, join(place, "bin", binary), `installing Node.js ${version} for the tests`, make);
}

/**
 * @param {string} version
 * @param {string} made
 */
async function install(version, made) {
  const work = dirname(made);
  const bin = join(made, "bin");
  mkdirSync(bin, { recursive: true });
  const manifest = { private: true, dependencies: { [packageName]: version } };
  writeFileSync(join(work, "package.json"), JSON.stringify(manifest));
  const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock", "--prefix", work];
  const installed = await npm(args, work);
  if (!installed.ok) throw new Error(`Node.js ${version} could not be installed:\n${installed.problem}`);
  copyFileSync(join(work, "node_modules", packageName, "bin", binary), join(bin, binary));
  chmodSync(join(bin, binary), 0o755);
  const tried = await run(join(bin, binary), ["--version"], { limitMs: 60_000 });
  if (!tried.ok || tried.stdout.trim() !== `v${version}`)
    throw new Error(`Node.js ${version} does not run: ${tried.problem}`);
}
