import { setTimeout as pause } from "node:timers/promises";

/** Looks every 50 ms until `condition` holds. For what happens in other processes, where no clock can be handed in. */
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
