import type { LogItem, MachineId } from "../panel/types";
import { type Stamp, parseStamp } from "../plain/clock";
import { errorMessage } from "../plain/text";
import type { Row } from "../rows/chains";
import { type LogFindings, noLogFindings } from "../rows/match-transactions";
import type { PanelSession } from "./panel-session";
import { isSlow, type MachineLog, type MachineLogRead } from "./poller";

/**
 * The findings of a read of the machine's log about rows that were seen before it began: those it names, and those it would have named. A log
 * that names no transaction excludes none: it may be empty, or of a panel whose items never name any.
 */
export function findingsOf(log: MachineLog, rows: readonly Row[]): LogFindings {
  const named = new Set(log.transactionIds);
  if (named.size === 0) return noLogFindings;
  const excluded = rows.filter((row) => !named.has(row.id) && reachesDownTo(log, row));
  return { named, excluded: new Set(excluded.map(({ id }) => id)) };
}

/** True if the read would have shown the row. A row older than the oldest item read may be in the log unseen. */
function reachesDownTo({ since }: MachineLog, row: Pick<Row, "createdAt">): boolean {
  if (since === "everything") return true;
  const made = parseStamp(row.createdAt);
  return since !== undefined && made !== undefined && made.namesZone === since.namesZone && since.at <= made.at;
}

const itemsRead = 50;
/** A machine that does so much is not read any further down. */
const mostItems = 1_000;
/** Panels may give fewer items than asked for, but none is known to give fewer than its default: then these are all. */
const itemsByDefault = 10;

type LogAccess = Pick<PanelSession, "client" | "clock" | "requestTimeoutMs">;

/**
 * Reads a machine's own log, which names its transactions (`target_type` Transaction, `target_id`): the second way to learn whose a row is. The
 * returned function reads as far down as its rows, and does nothing while a read is under way. After a failed read, the next step of the poll
 * reads again.
 */
export function machineLogReader(
  access: LogAccess,
  machine: string,
  signal: AbortSignal,
  onRead: (read: MachineLogRead) => void,
): (rows: readonly Row[]) => void {
  let isReading = false;
  let failuresInARow = 0;
  const read = async (rows: readonly Row[]): Promise<MachineLogRead> => {
    try {
      const log = await readMachineLog(access, machine, rows, signal);
      failuresInARow = 0;
      return { type: "machine-log", ...log };
    } catch (caught) {
      const error = caught instanceof Error ? caught : new Error(errorMessage(caught));
      if (!isSlow(error)) failuresInARow++;
      return { type: "machine-log-trouble", error, failuresInARow };
    }
  };
  return (rows) => {
    if (isReading) return;
    isReading = true;
    void read(rows).then((event) => {
      isReading = false;
      onRead(event);
    });
  };
}

/** Reads a machine's log once, from its newest item down to these rows or to its end. */
export async function readMachineLog(
  { client, clock, requestTimeoutMs }: LogAccess,
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
