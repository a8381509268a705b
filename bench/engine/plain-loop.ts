import { setTimeout as pause } from "node:timers/promises";
import { startSandbox } from "../../sandbox";
import { instantPanel } from "./timed-up";

const places = 8;

/** Measures the panel's own time, from the first request to the end of the last restore. A loop sends the same requests, a fixed number at a time. */
export async function plainLoop(machines: readonly number[]): Promise<number> {
  const panel = await startSandbox(instantPanel(machines));
  const authorization = `Basic ${Buffer.from(`${panel.username}:${panel.password}`).toString("base64")}`;
  const post = async (machine: number): Promise<void> => {
    const path = `/virtual_machines/${String(machine)}/backups/recovery_points/1007/restore.json`;
    const response = await fetch(panel.url + path, { method: "POST", headers: { authorization } });
    if (!response.ok) throw new Error(`POST ${path}: ${String(response.status)}`);
    await response.text();
  };
  try {
    // All workers share one iterator, so each takes the next machine.
    const left = machines.values();
    await Promise.all(
      Array.from({ length: places }, async () => {
        for (const machine of left) await post(machine);
      }),
    );
    while (panel.restores().some(({ endedAt }) => endedAt === undefined)) await pause(50);
    const restores = panel.restores();
    const ends = restores.map(({ endedAt }) => endedAt ?? Number.NaN);
    return Math.max(...ends) - Math.min(...restores.map(({ requestedAt }) => requestedAt));
  } finally {
    await panel.stop();
  }
}
