import { compareIds, type LogItem, type MachineId, type Transaction, type TransactionId } from "../panel/types";
import { pause } from "../plain/clock";
import { messageOf } from "../plain/text";
import { isSlow, type MachineLog, type MachineLogRead, type WaitTools } from "./waiting";

/** Whether a read would have named a transaction that is in the log: one from before its oldest item it would not. */
export function reachesDownTo(log: MachineLog, row: Pick<Transaction, "id" | "createdAt">): boolean {
  if (log.since === Number.NEGATIVE_INFINITY) return true;
  if (log.since !== undefined && log.since <= Date.parse(row.createdAt ?? "")) return true;
  return log.transactionIds.some((id) => (compareIds(id as TransactionId, row.id) ?? 1) <= 0);
}

export interface MachineLogReader {
  /** Reads the machine's newest log items and hands over what they tell; while a read is under way or was just made, does nothing. */
  read(onRead: (read: MachineLogRead) => void): void;
  stop(): void;
}

const itemsRead = 50;
/** Panels may give fewer items than asked for, but none is known to give fewer than its default: then these are all. */
const itemsByDefault = 10;
const firstPauseMs = 5_000;
const longestPauseMs = 30_000;

/**
 * A machine's own log names its transactions (`target_type` Transaction, `target_id`): the second way to learn whose a row
 * is, for panels whose rows do not say. A read takes as long as one request may; after one that failed, the next look asks again.
 */
export function machineLogReader(
  tools: Pick<WaitTools, "client" | "clock" | "requestTimeoutMs">,
  machine: string,
): MachineLogReader {
  const stopped = new AbortController();
  let busy = false;
  let failures = 0;
  let pauseMs = firstPauseMs;
  const rest = (): Promise<void> => {
    const now = pauseMs;
    pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    return pause(tools.clock, now, stopped.signal);
  };
  const readOnce = async (): Promise<MachineLog> => {
    const askedAt = tools.clock.now();
    const page = await tools.client.listLogItems(
      machine as MachineId,
      { perPage: itemsRead },
      { signal: stopped.signal, budgetMs: tools.requestTimeoutMs },
    );
    const transactionIds = transactionsNamed(page.items);
    const since = page.items.length + page.skipped < itemsByDefault ? Number.NEGATIVE_INFINITY : oldest(page.items);
    return { transactionIds, askedAt, ...(since !== undefined && { since }) };
  };
  return {
    read(onRead) {
      if (busy || stopped.signal.aborted) return;
      busy = true;
      readOnce()
        .then(
          (log) => {
            failures = 0;
            onRead({ type: "machine-log", ...log });
          },
          (caught: unknown) => {
            const error = caught instanceof Error ? caught : new Error(messageOf(caught));
            if (stopped.signal.aborted) return;
            if (!isSlow(error)) failures++;
            onRead({ type: "machine-log-trouble", error, inARow: failures });
          },
        )
        .then(rest)
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

/** The transactions that items of a machine's log name. */
export function transactionsNamed(items: readonly LogItem[]): readonly string[] {
  return items.flatMap((item) =>
    item.targetId !== undefined && /^transaction$/i.test(item.targetType ?? "") ? [item.targetId] : [],
  );
}

function oldest(items: readonly LogItem[]): number | undefined {
  const made = items.map(({ createdAt }) => Date.parse(createdAt ?? "")).filter((at) => !Number.isNaN(at));
  return made.length === 0 ? undefined : Math.min(...made);
}
