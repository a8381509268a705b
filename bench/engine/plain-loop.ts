import { setTimeout as pause } from "node:timers/promises";
import { startSandbox } from "../../sandbox";
import { instantPanel } from "./timed-up";

const places = 8;

/** The panel's own time: a loop sends the same requests without an engine, a fixed number at a time. Measured from the first request until the last end. */
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
    // One iterator for all workers: each takes the next machine.
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
