/**
 * What has to be undone when set-up is stopped from outside. Signals are taken over only while there is
 * something to undo, so a test run or a demo that follows set-up in the same process handles its own.
 */

/** @type {Set<() => void | Promise<void>>} newest last */
const undos = new Set();

/** @type {Partial<Record<NodeJS.Signals, number>>} */
const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };
const signals = /** @type {NodeJS.Signals[]} */ (Object.keys(exitCodes));

/**
 * Has `undo` called when the process is told to stop, before it ends.
 *
 * @param {() => void | Promise<void>} undo
 * @returns {() => void} call it when there is nothing to undo any more
 */
export function onInterrupt(undo) {
  if (undos.size === 0) for (const signal of signals) process.on(signal, onSignal);
  undos.add(undo);
  return () => {
    undos.delete(undo);
    if (undos.size === 0) for (const signal of signals) process.off(signal, onSignal);
  };
}

let stopping = false;

/** @param {NodeJS.Signals} signal */
function onSignal(signal) {
  void stop(signal);
}

/** @param {NodeJS.Signals} signal */
async function stop(signal) {
  if (stopping) return;
  stopping = true;
  process.stderr.write("\nset-up: stopped; clearing away what was half-made\n");
  for (const undo of [...undos].reverse()) {
    await Promise.resolve(undo()).catch((/** @type {unknown} */ error) => {
      process.stderr.write(`set-up: ${String(error)}\n`);
    });
  }
  process.exit(exitCodes[signal]);
}
