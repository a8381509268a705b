import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isExecutable } from "../cli/kept.mjs";
import { run } from "../setup/child.mjs";
import { makeWhole } from "../setup/half-made.mjs";
import { withLock } from "../setup/lock.mjs";
import { cacheFolder, root } from "../setup/places.mjs";
import { heartbeat } from "../setup/say.mjs";
import { isUnreachable } from "./unreachable.mjs";

const requirements = join(root, "tools", "languages", "requirements.txt");
const inPlace = process.platform === "win32" ? ["Scripts", "python.exe"] : ["bin", "python"];

/**
 * A Python with what the tests of programs in Python need, in an environment of its own that is kept between clones. Where there is
 * no Python, or no way to its packages, it says so; any other trouble throws.
 *
 * @returns {Promise<{ python: string } | { why: string }>}
 */
export async function findPython() {
  const asked = await run("python3", ["--version"], { limitMs: 60_000 });
  if (!asked.ok) return { why: `python3 does not run: ${asked.problem}` };
  const version = asked.stdout.trim().replace("Python ", "");
  const digest = createHash("sha256").update(readFileSync(requirements)).digest("hex").slice(0, 12);
  const place = join(cacheFolder(), "python", `${version}-${digest}`);
  const python = join(place, ...inPlace);
  if (isExecutable(python)) return { python };
  return withLock(`${place}.lock`, async () => {
    if (isExecutable(python)) return { python };
    const done = heartbeat(`installing what programs in Python need, for the tests`);
    try {
      await makeWhole(place, install);
      return { python };
    } catch (error) {
      const { message } = /** @type {Error} */ (error);
      if (isUnreachable(message)) return { why: `the registry of Python's packages cannot be reached:\n${message}` };
      throw error;
    } finally {
      done();
    }
  });
}

/** @param {string} folder */
async function install(folder) {
  const made = await run("python3", ["-m", "venv", folder], { limitMs: 5 * 60_000 });
  if (!made.ok) throw new Error(`python3 -m venv: ${made.problem}`);
  const args = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement", requirements];
  const installed = await run(join(folder, ...inPlace), args, { limitMs: 20 * 60_000 });
  if (!installed.ok) throw new Error(`pip install: ${installed.problem}`);
}
