import type { LogItem, MachineId } from "../panel/types";
import { type Stamp, parseStamp } from "../plain/clock";
import { errorMessage } from "../plain/text";
import type { Row } from "../rows/chains";
import type { LogFindings } from "../rows/match-transactions";
import { isSlow, type MachineLog, type MachineLogRead, type PollTools } from "./poller";

/** The findings of a read of the machine's log about rows that were seen before it began: those it names, and those it would have named. */
export function findingsOf(log: MachineLog, rows: readonly Row[]): LogFindings {
  const named = new Set(log.transactionIds);
  const excluded = rows.filter((row) => !named.has(row.id) && reachesDownTo(log, row));
  return { named, excluded: new Set(excluded.map(({ id }) => id)) };
}

/** True if the read would have shown the row. A row older than the oldest item read may be in the log unseen. */
export function reachesDownTo({ since }: MachineLog, row: Pick<Row, "createdAt">): boolean {
  if (since === "everything") return true;
  const made = parseStamp(row.createdAt);
  return since !== undefined && made !== undefined && made.namesZone === since.namesZone && since.at <= made.at;
}

export interface MachineLogReader {
  /** Reads the log as far down as these rows and hands over what it tells. Does nothing while a read is under way. */
  read(rows: readonly Row[], onRead: (read: MachineLogRead) => void): void;
  stop(): void;
}

const itemsRead = 50;
/** A machine that does so much is not read any further down. */
const mostItems = 1_000;
/** Panels may give fewer items than asked for, but none is known to give fewer than its default: then these are all. */
const itemsByDefault = 10;

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
  return {
    read(rows, onRead) {
      if (busy || stopped.signal.aborted) return;
      busy = true;
      void readMachineLog(tools, machine, rows, stopped.signal)
        .then(
          (log): MachineLogRead => {
            failures = 0;
            return { type: "machine-log", ...log };
          },
          (caught: unknown): MachineLogRead => {
            const error = caught instanceof Error ? caught : new Error(errorMessage(caught));
            if (!isSlow(error)) failures++;
            return { type: "machine-log-trouble", error, failuresInARow: failures };
          },
        )
        .then((read) => {
          busy = false;
          if (!stopped.signal.aborted) onRead(read);
        });
    },
    stop() {
      stopped.abort();
    },
  };
}

/** Reads a machine's log once, from its newest item down to these rows or to its end. */
export async function readMachineLog(
  { client, clock, requestTimeoutMs }: Pick<PollTools, "client" | "clock" | "requestTimeoutMs">,
  machine: string,
  rows: readonly Pick<Row, "id" | "createdAt">[],
  signal?: AbortSignal,
): Promise<MachineLog> {
  const askedAt = clock.now();
  const items: LogItem[] = [];
  let skipped = 0;
  const read = (since: MachineLog["since"]): MachineLog => ({
    transactionIds: namedTransactions(items),
    askedAt,
    ...(since !== undefined && { since }),
  });
  const options = { perPage: itemsRead, budgetMs: requestTimeoutMs, ...(signal && { signal }) };
  for await (const page of client.walkLogItems(machine as MachineId, options)) {
    items.push(...page.items);
    skipped += page.skipped;
    if (items.length + skipped < itemsByDefault) break;
    const soFar = read(oldest(items));
    const isEnough = rows.every((row) => soFar.transactionIds.includes(row.id) || reachesDownTo(soFar, row));
    if (isEnough || items.length >= mostItems) return soFar;
  }
  return read("everything");
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
