import type { RestoreRecord } from "../inputs/record";
import {
  chainStatus,
  isFailedOrCancelled,
  mayBeRestore,
  type Row,
  normalizeStatus,
  type ConfiguredWords,
} from "../rows/chains";
import { earliestStamp, latestStamp, secondsBetween } from "../plain/clock";
import { markOf } from "../rows/mark";
import { endOf, type RestoreProgress, isAnotherRestore, ownChains } from "./restore-progress";
import { warningTexts } from "./messages";
import type { PanelSession } from "./panel-session";

/** What is stored beside what following has shown. */
export interface RecordExtras {
  readonly adopted: boolean;
  /** Where a later run goes on looking; absent when not even the panel is known. Of one that has failed the place of its end is stored instead, of every other end none. */
  readonly postedAfter: RestoreRecord["postedAfter"];
}

/** What following has shown, as the plain data that is stored and resumed from. */
export function buildRecord(
  state: RestoreProgress,
  { words, client }: Pick<PanelSession, "words" | "client">,
  { adopted, postedAfter }: RecordExtras,
  logOutput?: string,
): RestoreRecord {
  const rows = ownChains(state).flat();
  const main = mainRow(rows, words);
  const end = endOf(state);
  const isOver = end?.how === "ended";
  const hasFailed = isOver && end.status === "failed";
  const place =
    hasFailed && state.newestPage ? markOf(state.newestPage, client.address) : isOver ? undefined : postedAfter;
  return {
    adopted,
    warnings: warningTexts(state.warnings),
    status: recordStatus(state, words),
    ...(main && { transactionId: main.id }),
    // A record that is resumed names transactions that a look may not have met yet.
    transactionIds: rows.length > 0 ? rows.map((row) => row.id) : state.ids,
    ...(main?.action !== undefined && { action: main.action }),
    ...restoreTimes(rows, isOver ? "ended" : "unfinished"),
    ...(logOutput !== undefined && { logOutput }),
    ...(place && { postedAfter: place }),
  };
}

function recordStatus(state: RestoreProgress, words: ConfiguredWords): RestoreRecord["status"] {
  const end = endOf(state);
  if (end?.how === "ended") return end.status;
  if (end?.how === "differs" || isAnotherRestore(state)) return "unknown";
  const chains = ownChains(state);
  if (chains.length === 0) return state.posted;
  const statuses = chains.map((chain) => chainStatus(chain, words));
  return statuses.every((status) => status === "pending") ? "pending" : "running";
}

/** The row that is the restore: the one whose action says so, else the last of what it consists of. */
export function mainRow(rows: readonly Row[], words: ConfiguredWords): Row | undefined {
  const byAction = rows.filter((row) => row.action !== undefined && mayBeRestore(row, words));
  return byAction[byAction.length - 1] ?? rows[rows.length - 1];
}

/** The row whose log tells most: the first that went wrong, else the restore itself. */
export function rowForLog(rows: readonly Row[], words: ConfiguredWords): Row | undefined {
  return rows.find((row) => isFailedOrCancelled(normalizeStatus(row.status, words))) ?? mainRow(rows, words);
}

/** When a restore was asked for, began and ended, by the panel's own stamps. What the panel does not tell is absent. */
export interface RestoreTimes {
  readonly requestedAt?: string;
  readonly startedAt?: string;
  readonly finishedAt?: string;
  readonly queuedSeconds?: number;
  readonly durationSeconds?: number;
}

/**
 * Both durations are differences of two stamps of the panel, so neither a runner's wrong clock nor its zone changes anything. A negative
 * difference, or stamps of which only one names its zone, tell no duration. `durationSeconds` is the whole time from the request to the
 * end, the queue included: that is how long the machine was not recovered.
 */
export function restoreTimes(rows: readonly Row[], ended: "ended" | "unfinished"): RestoreTimes {
  const requestedAt = earliestStamp(rows.map((row) => row.createdAt));
  const startedAt = earliestStamp(rows.map((row) => row.startedAt));
  // Rows that have ended are not touched again, so without an end stamp of its own the last update is the end.
  const finishedAt = ended === "ended" ? latestStamp(rows.map((row) => row.finishedAt ?? row.updatedAt)) : undefined;
  const queuedSeconds = secondsBetween(requestedAt, startedAt);
  const durationSeconds = secondsBetween(requestedAt, finishedAt);
  return {
    ...(requestedAt !== undefined && { requestedAt }),
    ...(startedAt !== undefined && { startedAt }),
    ...(finishedAt !== undefined && { finishedAt }),
    ...(queuedSeconds !== undefined && { queuedSeconds }),
    ...(durationSeconds !== undefined && { durationSeconds }),
  };
}
