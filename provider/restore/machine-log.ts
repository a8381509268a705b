import type { MachineId } from "../panel/types";
import { pause } from "../time/clock";
import type { Site } from "./site";

export interface MachineLogReader {
  /** Reads the machine's newest log items and hands over the transactions they name; while a read is under way or was just made, does nothing. */
  read(onTransactions: (ids: readonly string[]) => void): void;
  stop(): void;
}

const itemsRead = 50;
const firstPauseMs = 5_000;
const longestPauseMs = 30_000;

/**
 * A machine's own log names its transactions (`target_type` Transaction, `target_id`): the second way to learn whose a row
 * is, for panels whose rows do not say. A read that fails means nothing; the next look asks again.
 */
export function machineLogReader(site: Site, machine: string): MachineLogReader {
  const stopped = new AbortController();
  let busy = false;
  let pauseMs = firstPauseMs;
  const rest = (): Promise<void> => {
    const now = pauseMs;
    pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    return pause(site.clock, now, stopped.signal);
  };
  const read = async (onTransactions: (ids: readonly string[]) => void): Promise<void> => {
    const page = await site.client.listLogItems(
      machine as MachineId,
      { perPage: itemsRead },
      { signal: stopped.signal, budgetMs: site.requestTimeoutMs },
    );
    onTransactions(
      page.items.flatMap((item) =>
        item.targetId !== undefined && /^transaction$/i.test(item.targetType ?? "") ? [item.targetId] : [],
      ),
    );
    await rest();
  };
  return {
    read(onTransactions) {
      if (busy || stopped.signal.aborted) return;
      busy = true;
      read(onTransactions)
        .catch(rest)
        .catch(() => undefined)
        .finally(() => {
          busy = false;
        });
    },
    stop() {
      stopped.abort();
    },
  };
}
