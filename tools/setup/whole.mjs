import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * Makes a folder completely or not at all: `make` fills a folder elsewhere, and the finished folder is then moved to `place`. Two simultaneous runs do no harm.
 * `make` may also use the parent of the folder that it fills.
 */
export async function createWhole(/** @type {string} */ place, /** @type {(made: string) => Promise<void>} */ make) {
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
      // Another setup was faster, and its folder is complete as well.
      if (!existsSync(place)) throw error;
    }
  } finally {
    rmSync(around, { recursive: true, force: true, maxRetries: 5 });
  }
}
