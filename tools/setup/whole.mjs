import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** No step of set-up takes this long: an older folder was left by a killed set-up. */
const abandonedAfterMs = 6 * 3_600_000;

/**
 * Makes a folder completely or not at all: the folder is created beside its place and then renamed. Two at once do no harm.
 *
 * @param {string} place
 * @param {(made: string) => Promise<void>} make makes the folder under this name; the folder around it is free to use
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
      // Another set-up was quicker, and its folder is complete as well.
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
