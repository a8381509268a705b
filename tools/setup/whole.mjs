import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * Makes a folder completely or not at all: the folder is created beside its place and then renamed. Two at once do no harm.
 *
 * @param {string} place
 * @param {(made: string) => Promise<void>} make makes the folder under this name; the folder around it is free to use
 */
export async function createWhole(place, make) {
  const beside = dirname(place);
  mkdirSync(beside, { recursive: true });
  const around = mkdtempSync(join(beside, `.${basename(place)}-half-made-`));
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
