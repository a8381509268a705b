import { setTimeout as pause } from "node:timers/promises";
import { startSandbox } from "../../sandbox";
import { atATime } from "./at-a-time";
import { panelFor } from "./timed-up";

const places = 8;
const everyMs = 1_000;

/**
 * Measures the panel alone: a loop sends the same requests without an engine, as many at a time as the engine would, beside one poller.
 * The time runs from the first request to the last end, by the panel's own record.
 */
export async function plainLoop(machines: readonly number[], restoreSeconds: number): Promise<number> {
  const panel = await startSandbox(panelFor(machines, restoreSeconds));
  const authorization = `Basic ${Buffer.from(`${panel.username}:${panel.password}`).toString("base64")}`;
  const ask = async (method: string, path: string): Promise<string> => {
    const response = await fetch(panel.url + path, { method, headers: { authorization } });
    if (!response.ok) throw new Error(`${method} ${path}: ${String(response.status)}`);
    return response.text();
  };
  try {
    await atATime(places, machines, async (machine) => {
      await ask("POST", `/virtual_machines/${String(machine)}/backups/recovery_points/1007/restore.json`);
    });
    for (;;) {
      const list = await ask("GET", `/transactions.json/per_page/${String(machines.length)}`);
      if (list.split('"status":"complete"').length > machines.length) break;
      await pause(everyMs);
    }
    const restores = panel.restores();
    const ends = restores.map(({ endedAt }) => endedAt ?? Number.NaN);
    return Math.max(...ends) - Math.min(...restores.map(({ requestedAt }) => requestedAt));
  } finally {
    await panel.stop();
  }
}
