import { chmodSync, copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isExecutable } from "../cli/kept.mjs";
import { run } from "../setup/child.mjs";
import { makeWhole } from "../setup/half-made.mjs";
import { withLock } from "../setup/lock.mjs";
import { cacheFolder } from "../setup/places.mjs";
import { heartbeat } from "../setup/say.mjs";

const windows = process.platform === "win32";
const binary = windows ? "node.exe" : "node";

/** The npm package with the binaries for this platform. */
const packageName = `node-${windows ? "win" : process.platform}-${process.arch}`;

/**
 * A Node.js of exactly this version: the one that runs this, the kept one, or the one of the npm package with the binaries.
 * Where the registry has none for this platform, it says so; any other trouble throws.
 *
 * @param {string} version
 * @returns {Promise<{ node: string } | { why: string }>}
 */
export async function findNode(version) {
  if (process.versions.node === version) return { node: process.execPath };
  const place = join(cacheFolder(), "node", version);
  const kept = join(place, "bin", binary);
  if (isExecutable(kept)) return { node: kept };
  return withLock(`${place}.lock`, async () => {
    if (isExecutable(kept)) return { node: kept };
    const done = heartbeat(`installing Node.js ${version} for the tests`);
    try {
      await makeWhole(place, (folder) => install(version, folder));
      return { node: kept };
    } catch (error) {
      const { message } = /** @type {Error} */ (error);
      if (/E404|ETARGET|EBADPLATFORM/.test(message)) return { why: `there is no ${packageName}@${version}` };
      throw error;
    } finally {
      done();
    }
  });
}

/**
 * @param {string} version
 * @param {string} folder
 */
async function install(version, folder) {
  const work = join(folder, "work");
  const bin = join(folder, "bin");
  mkdirSync(work);
  mkdirSync(bin);
  writeFileSync(
    join(work, "package.json"),
    JSON.stringify({ private: true, dependencies: { [packageName]: version } }),
  );
  const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock"];
  const installed = await run(windows ? "npm.cmd" : "npm", args, { cwd: work });
  if (!installed.ok) throw new Error(`Node.js ${version} could not be installed:\n${installed.problem}`);
  copyFileSync(join(work, "node_modules", packageName, "bin", binary), join(bin, binary));
  chmodSync(join(bin, binary), 0o755);
  rmSync(work, { recursive: true });
  const tried = await run(join(bin, binary), ["--version"], { limitMs: 60_000 });
  if (!tried.ok || tried.stdout.trim() !== `v${version}`)
    throw new Error(`Node.js ${version} does not run: ${tried.problem}`);
}
