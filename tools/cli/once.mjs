import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import lockfile from "proper-lockfile";
import { startTicker } from "../setup/say.mjs";
import { createWhole } from "../setup/whole.mjs";
import { isExecutable } from "./kept.mjs";

/**
 * Runs `work` while no other set-up works on the same place. This only saves work: set-up creates folders completely or not at all.
 *
 * @template T
 * @param {string} place
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function oneAtATime(place, work) {
  mkdirSync(dirname(place), { recursive: true });
  const options = { realpath: false, stale: 60_000, onCompromised: () => undefined };
  const waiting = (await lockfile.check(place, options)) ? startTicker("waiting for another set-up to end") : undefined;
  const release = await lockfile.lock(place, { ...options, retries: { forever: true, maxTimeout: 2_000 } });
  waiting?.();
  try {
    return await work();
  } finally {
    await release().catch(() => undefined); // another set-up has taken it over, which does no harm
  }
}

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
  return oneAtATime(place, async () => {
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
  });
}
