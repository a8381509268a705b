/** The setup prints to standard error, because standard output is for the caller's result. */
const out = process.stderr;

export function say(/** @type {string} */ text) {
  out.write(`set-up: ${text}\n`);
}

/**
 * Shows that a long step is still running: on a terminal, with one line that counts the seconds; in a log, with a line now and then.
 *
 * @param {string} what
 * @returns {() => void} stops the display
 */
export function startTicker(what) {
  const startedAt = Date.now();
  const tick = () => {
    const line = `set-up: ${what}, ${String(Math.round((Date.now() - startedAt) / 1_000))} s …`;
    out.write(out.isTTY ? `\r\u001b[K${line}` : `${line}\n`);
  };
  out.write(`set-up: ${what} …${out.isTTY ? "" : "\n"}`);
  const timer = setInterval(tick, out.isTTY ? 1_000 : 20_000);
  return () => {
    clearInterval(timer);
    if (out.isTTY) out.write("\r\u001b[K");
  };
}
