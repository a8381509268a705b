import { setTimeout as pause } from "node:timers/promises";

/** Checks every 50 ms until `condition` is true, for events in other processes, which have no virtual clock. */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  limitMs: number,
  what: string,
): Promise<void> {
  const limit = Date.now() + limitMs;
  while (!(await condition())) {
    if (Date.now() > limit) throw new Error(`waited ${String(limitMs)} ms in vain for ${what}`);
    await pause(50);
  }
}
