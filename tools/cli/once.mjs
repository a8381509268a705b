import { startTicker } from "../setup/say.mjs";
import { createWhole } from "../setup/whole.mjs";
import { isExecutable } from "./kept.mjs";

/**
 * Makes a folder with an executable once, or says why it cannot.
 *
 * @param {string} place the folder
 * @param {string} executable in it
 * @param {string} doing for people
 * @param {(made: string) => Promise<void>} make
 * @returns {Promise<import("./find.mjs").Found>}
 */
export async function createOnce(place, executable, doing, make) {
  if (isExecutable(executable)) return { path: executable };
  const done = startTicker(doing);
  try {
    await createWhole(place, make);
    return { path: executable };
  } catch (error) {
    return { why: /** @type {Error} */ (error).message };
  } finally {
    done();
  }
}
