import { accessSync, constants, existsSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { cacheFolder } from "../setup/places.mjs";
import { startTicker } from "../setup/say.mjs";
import { createWhole } from "../setup/whole.mjs";

export const windows = process.platform === "win32";

/** The path of an executable, or the reason why there is none. @typedef {{ path: string } | { why: string }} Found */

/**
 * Makes a folder in the cache once, or returns why that failed. A kept folder is complete, so it need not be checked again.
 *
 * @param {readonly string[]} place the folder's path within the cache, as a list of names
 * @param {readonly string[]} executable the path of the executable in the folder
 * @param {string} doing what to show in the meantime
 * @param {(made: string) => Promise<void>} make
 * @returns {Promise<Found>}
 */
export async function keep(place, executable, doing, make) {
  const folder = join(cacheFolder(), ...place);
  const path = join(folder, ...executable);
  if (isExecutable(path)) return { path };
  const done = startTicker(doing);
  try {
    await createWhole(folder, make);
    return { path };
  } catch (error) {
    return { why: /** @type {Error} */ (error).message };
  } finally {
    done();
  }
}

export function isExecutable(/** @type {string} */ path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export function which(/** @type {string} */ name) {
  return (process.env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => folder !== "")
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path) && statSync(path).isFile() && isExecutable(path));
}
