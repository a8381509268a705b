import { setTimeout as pause } from "node:timers/promises";

/** Checks every 50 ms until `condition` holds. For events in other processes, which accept no clock. */
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
