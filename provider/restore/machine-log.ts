import type { LogItem, MachineId } from "../panel/types";
import { pause, type Stamp, parseStamp } from "../plain/clock";
import { errorMessage } from "../plain/text";
import { mergeRows, type Row } from "../rows/chains";
import type { LogFindings } from "../rows/match-transactions";
import { isSlow, type MachineLog, type MachineLogRead, type PollTools } from "./poller";

/** A row that does not say whose it is. `since`: when it was first seen; an older read of the log does not settle it. */
export interface UnattributedRow {
  readonly row: Row;
  readonly since: number;
}

/** The rows that do not say whose they are now. A row known before keeps its `since`. */
export function updateUnattributed(
  before: readonly UnattributedRow[],
  rows: readonly Row[],
  now: number,
): readonly UnattributedRow[] {
  return mergeRows([], rows).map((row) => ({ row, since: before.find((one) => one.row.id === row.id)?.since ?? now }));
}

/** Adds a read of the machine's log to the findings: the transactions that it names, and those that it would have named. */
export function applyLog(known: LogFindings, unattributed: readonly UnattributedRow[], log: MachineLog): LogFindings {
  const denied = unattributed
    .filter(({ row, since }) => since <= log.askedAt && reachesDownTo(log, row) && !log.transactionIds.includes(row.id))
    .map(({ row }) => row.id);
  return {
    named: [...new Set([...known.named, ...log.transactionIds])],
    excluded: [...new Set([...known.excluded, ...denied])],
  };
}

/** True if the read would have shown the row. A row older than the oldest item read may be in the log unseen. */
export function reachesDownTo({ since }: MachineLog, row: Pick<Row, "createdAt">): boolean {
  if (since === "everything") return true;
  const made = parseStamp(row.createdAt);
  return since !== undefined && made !== undefined && made.namesZone === since.namesZone && since.at <= made.at;
}

export interface MachineLogReader {
  /** Reads the machine's newest log items. Does nothing while a read is under way or was just made. */
  read(onRead: (read: MachineLogRead) => void): void;
  stop(): void;
}

const itemsRead = 50;
/** Panels may give fewer items than asked for, but none is known to give fewer than its default: fewer means that these are all. */
const itemsByDefault = 10;
const firstPauseMs = 5_000;
const longestPauseMs = 30_000;

/**
 * Reads a machine's own log, which names its transactions (`target_type` Transaction, `target_id`): the second way to learn whose a row is.
 * After a failed read, the next step of the poll reads again.
 */
export function machineLogReader(
  tools: Pick<PollTools, "client" | "clock" | "requestTimeoutMs">,
  machine: string,
): MachineLogReader {
  const stopped = new AbortController();
  let busy = false;
  let failures = 0;
  let pauseMs = firstPauseMs;
  const pauseAfterRead = (): Promise<void> => {
    const now = pauseMs;
    pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    return pause(tools.clock, now, stopped.signal);
  };
  return {
    read(onRead) {
      if (busy || stopped.signal.aborted) return;
      busy = true;
      readMachineLog(tools, machine, stopped.signal)
        .then(
          (log) => {
            failures = 0;
            onRead({ type: "machine-log", ...log });
          },
          (caught: unknown) => {
            const error = caught instanceof Error ? caught : new Error(errorMessage(caught));
            if (stopped.signal.aborted) return;
            if (!isSlow(error)) failures++;
            onRead({ type: "machine-log-trouble", error, failuresInARow: failures });
          },
        )
        .then(pauseAfterRead)
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

/** Reads a machine's newest log items once. */
export async function readMachineLog(
  { client, clock, requestTimeoutMs }: Pick<PollTools, "client" | "clock" | "requestTimeoutMs">,
  machine: string,
  signal?: AbortSignal,
): Promise<MachineLog> {
  const askedAt = clock.now();
  const options = { budgetMs: requestTimeoutMs, ...(signal && { signal }) };
  const page = await client.listLogItems(machine as MachineId, { perPage: itemsRead }, options);
  const since = page.items.length + page.skipped < itemsByDefault ? "everything" : oldest(page.items);
  return { transactionIds: namedTransactions(page.items), askedAt, ...(since !== undefined && { since }) };
}

/** The transactions that items of a machine's log name. */
export function namedTransactions(items: readonly LogItem[]): readonly string[] {
  return items.flatMap((item) =>
    item.targetId !== undefined && /^transaction$/i.test(item.targetType ?? "") ? [item.targetId] : [],
  );
}

/** The oldest stamp. Absent unless all items have one, and all of them name a zone or none does. */
function oldest(items: readonly LogItem[]): Stamp | undefined {
  const stamps = items.flatMap(({ createdAt }) => parseStamp(createdAt) ?? []);
  const [first, ...others] = stamps;
  const isAlike = stamps.length === items.length && others.every(({ namesZone }) => namesZone === first?.namesZone);
  return first && isAlike ? others.reduce((low, stamp) => (stamp.at < low.at ? stamp : low), first) : undefined;
}
