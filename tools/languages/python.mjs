import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createOnce } from "../cli/once.mjs";
import { cacheFolder, root } from "../setup/places.mjs";
import { run } from "../setup/run.mjs";

const requirements = join(root, "tools", "languages", "requirements.txt");
const inPlace = process.platform === "win32" ? ["Scripts", "python.exe"] : ["bin", "python"];

/**
 * Finds a Python with the packages that tests need, in its own environment, which is kept for all clones.
 *
 * @returns {Promise<import("../cli/find.mjs").Found>}
 */
export async function findPython() {
  const asked = await run("python3", ["--version"], { limitMs: 60_000 });
  if (!asked.ok) return { why: `python3 does not run: ${asked.problem}` };
  const version = asked.stdout.trim().replace("Python ", "");
  const digest = createHash("sha256").update(readFileSync(requirements)).digest("hex").slice(0, 12);
  const place = join(cacheFolder(), "python", `${version}-${digest}`);
  const python = join(place, ...inPlace);
  return createOnce(place, python, "installing what programs in Python need, for the tests", install);
}

/** @param {string} made */
async function install(made) {
  const venv = await run("python3", ["-m", "venv", made], { limitMs: 5 * 60_000 });
  if (!venv.ok) throw new Error(`python3 -m venv: ${venv.problem}`);
  const args = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement", requirements];
  const installed = await run(join(made, ...inPlace), args, { limitMs: 20 * 60_000 });
  if (!installed.ok) throw new Error(`pip install: ${installed.problem}`);
}
