import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { onInterrupt } from "./interrupt.mjs";
import { isAlive } from "./lock.mjs";

/**
 * Makes a folder that exists whole or not at all: it is filled under another name beside its place, and renamed.
 *
 * @param {string} place
 * @param {(folder: string) => Promise<void>} fill throws when it cannot; nothing is left then
 */
export async function makeWhole(place, fill) {
  sweep(place);
  const folder = `${halfMade(place)}${String(process.pid)}`;
  mkdirSync(folder, { recursive: true });
  const remove = () => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  const forget = onInterrupt(remove);
  try {
    await fill(folder);
    exchange(folder, place);
  } finally {
    remove();
    forget();
  }
}

/** @param {string} place */
function halfMade(place) {
  return join(dirname(place), `.${basename(place)}-half-made-`);
}

/**
 * @param {string} folder
 * @param {string} place
 */
function exchange(folder, place) {
  const old = `${folder}-old`;
  if (existsSync(place)) renameSync(place, old);
  renameSync(folder, place);
  rmSync(old, { recursive: true, force: true });
}

/**
 * Removes what a set-up left that was killed without a chance to clear away.
 *
 * @param {string} place
 */
function sweep(place) {
  const folder = dirname(place);
  if (!existsSync(folder)) return;
  const start = basename(halfMade(place));
  for (const name of readdirSync(folder)) {
    const pid = name.startsWith(start) ? Number.parseInt(name.slice(start.length), 10) : NaN;
    if (pid > 0 && pid !== process.pid && !isAlive(pid)) rmSync(join(folder, name), { recursive: true, force: true });
  }
}
