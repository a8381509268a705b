import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import lockfile from "proper-lockfile";
import { startTicker } from "../setup/say.mjs";
import { createWhole } from "../setup/whole.mjs";
import { isExecutable } from "./kept.mjs";

/**
 * Runs `work` while no other set-up works for the same place. What set-up makes appears whole, so this saves work rather
 * than correctness.
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
    await release().catch(() => undefined); // somebody has taken it over, and does no harm by that
  }
}

/**
 * An executable in a folder that is made once, or why it cannot be.
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
