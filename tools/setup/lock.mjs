import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { onInterrupt } from "./interrupt.mjs";
import { heartbeat } from "./say.mjs";

/** A holder shows every few seconds that it lives; one that has not for this long is gone, whatever its pid says. */
const silentMs = 60_000;
const touchMs = 5_000;

/**
 * Runs `work` while no other set-up holds the same lock. What set-up makes appears by a rename and is whole
 * whenever it appears, so the lock saves work rather than correctness: a rare second holder does no harm.
 *
 * @template T
 * @param {string} path
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(path, work) {
  mkdirSync(dirname(path), { recursive: true });
  await take(path);
  const release = () => {
    rmSync(path, { force: true });
  };
  const forget = onInterrupt(release);
  const touch = setInterval(() => {
    touchFile(path);
  }, touchMs);
  try {
    return await work();
  } finally {
    clearInterval(touch);
    release();
    forget();
  }
}

/** @param {string} path */
async function take(path) {
  /** @type {(() => string) | undefined} */
  let waiting;
  while (!tryTake(path)) {
    const holder = read(path);
    if (holder === undefined) continue;
    if (isStale(holder, Date.now(), hostname(), isAlive)) {
      putAside(path, holder);
      continue;
    }
    waiting ??= heartbeat(`waiting for another set-up (process ${String(holder.pid)}) to end`);
    await pause(250);
  }
  waiting?.();
}

/**
 * @typedef {object} Holder
 * @property {number} pid
 * @property {string} host
 * @property {number} seenAt when it last showed that it lives
 * @property {string} text the file as read
 */

/**
 * @param {Pick<Holder, "pid" | "host" | "seenAt">} holder
 * @param {number} now
 * @param {string} host
 * @param {(pid: number) => boolean} alive
 */
export function isStale(holder, now, host, alive) {
  return now - holder.seenAt > silentMs || (holder.host === host && !alive(holder.pid));
}

/**
 * Makes the lock file in one step, content included: nobody ever reads half of it.
 *
 * @param {string} path
 */
function tryTake(path) {
  const own = `${path}.${String(process.pid)}`;
  writeFileSync(own, JSON.stringify({ pid: process.pid, host: hostname(), since: new Date().toISOString() }));
  try {
    linkSync(own, path);
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(own, { force: true });
  }
}

/**
 * Takes a dead set-up's lock away. Two may try at once: the one that finds that it moved a fresh lock puts it back.
 *
 * @param {string} path
 * @param {Holder} stale
 */
function putAside(path, stale) {
  const aside = `${path}.stale-${String(process.pid)}`;
  try {
    renameSync(path, aside);
    if (readFileSync(aside, "utf8") !== stale.text) linkSync(aside, path);
  } catch (error) {
    const code = /** @type {NodeJS.ErrnoException} */ (error).code;
    if (code !== "ENOENT" && code !== "EEXIST") throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

/**
 * @param {string} path
 * @returns {Holder | undefined}
 */
function read(path) {
  try {
    const text = readFileSync(path, "utf8");
    const seenAt = statSync(path).mtimeMs;
    return { .../** @type {{ pid: number, host: string }} */ (JSON.parse(text)), seenAt, text };
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === "ENOENT") return undefined;
    throw error;
  }
}

/** @param {string} path */
function touchFile(path) {
  try {
    utimesSync(path, new Date(), new Date());
  } catch {
    // Somebody took the lock away by hand; the work goes on all the same.
  }
}

/** @param {number} pid */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === "EPERM";
  }
}
