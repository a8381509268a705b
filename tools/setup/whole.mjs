import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** Nothing that set-up makes takes this long: what is older was left by one that was killed. */
const abandonedAfterMs = 6 * 3_600_000;

/**
 * Makes a folder that exists whole or not at all: it is made elsewhere, beside its place, and renamed. Two that make the same
 * do each other no harm.
 *
 * @param {string} place
 * @param {(made: string) => Promise<void>} make makes the folder under this name, and may use the one around it as it likes
 */
export async function createWhole(place, make) {
  const beside = dirname(place);
  const start = `.${basename(place)}-half-made-`;
  mkdirSync(beside, { recursive: true });
  removeAbandoned(beside, start);
  const around = mkdtempSync(join(beside, start));
  try {
    const made = join(around, basename(place));
    await make(made);
    if (existsSync(place)) renameSync(place, join(around, "old"));
    try {
      renameSync(made, place);
    } catch (error) {
      // Another set-up was quicker, and what it has made is whole as well.
      if (!existsSync(place)) throw error;
    }
  } finally {
    rmSync(around, { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * @param {string} folder
 * @param {string} start
 */
function removeAbandoned(folder, start) {
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(start)) continue;
    const path = join(folder, name);
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity);
    if (age > abandonedAfterMs) rmSync(path, { recursive: true, force: true });
  }
}
