import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import { run } from "./child.mjs";
import { makeWhole } from "./half-made.mjs";
import { root } from "./places.mjs";
import { heartbeat, say } from "./say.mjs";

/** Left out of the package by `files` in package.json. */
const stamp = ".built-from";
const dist = join(root, "dist");

/** Compiles `provider/`, `sandbox/`, `report/` and `cli/` to `dist/`, unless it was made from these very sources. */
export async function buildDist() {
  await compile();
  linkCommand();
}

async function compile() {
  const sources = fingerprint([
    "provider",
    "sandbox",
    "report",
    "cli",
    "tsconfig.json",
    "tsconfig.build.json",
    "package-lock.json",
  ]);
  if (existsSync(join(dist, stamp)) && readFileSync(join(dist, stamp), "utf8") === sources) return;
  const done = heartbeat("building dist/ (tsc)");
  const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
  try {
    await makeWhole(dist, async (folder) => {
      const args = [compiler, "-p", "tsconfig.build.json", "--outDir", folder];
      const outcome = await run(process.execPath, args, { cwd: root });
      if (!outcome.ok) throw new Error(`the build of dist/ failed:\n${outcome.problem}`);
      // What `npm install` does once, and a folder made anew has lost: `npx pulumi-recovery` starts the file itself.
      chmodSync(join(folder, "cli", "main.js"), 0o755);
      writeFileSync(join(folder, stamp), sources);
    });
  } catch (error) {
    done();
    throw error;
  }
  say(`dist/ built in ${done()}`);
}

/**
 * `npx pulumi-recovery` in the folder of an example finds the command here. npm makes this link, and makes none in a new clone: what it
 * would lead to is built only now. On Windows npm makes a script instead, with the next `npm install`.
 */
function linkCommand() {
  if (process.platform === "win32") return;
  const link = join(root, "node_modules", ".bin", "pulumi-recovery");
  if (lstatSync(link, { throwIfNoEntry: false }) === undefined) {
    symlinkSync("../pulumi-recovery/dist/cli/main.js", link);
  }
}

/**
 * A hash of files and of everything in folders.
 *
 * @param {readonly string[]} paths
 */
function fingerprint(paths) {
  const hash = createHash("sha256");
  for (const file of paths.flatMap((path) => files(join(root, path)))) {
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update("\0");
  }
  return hash.digest("hex");
}

/**
 * @param {string} path
 * @returns {string[]}
 */
function files(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
