import type { RestoreRecord } from "../inputs/record";
import { chainStatus, type Row } from "../rows/chains";
import { isFailedOrCancelled, mayBeRestore, normalizeStatus, type ConfiguredWords } from "../rows/words";
import { earliestStamp, latestStamp, secondsBetween } from "../plain/clock";
import { omitUndefined } from "../plain/plain";
import { isMark } from "../rows/mark";
import { type RestoreProgress, ownChains } from "./restore-progress";
import { warningTexts } from "./messages";
import type { PanelSession } from "./panel-session";

/** The parts of a record that do not come from the rows. */
export interface RecordExtras {
  readonly adopted: boolean;
  /**
   * The place where a later run looks further; absent if not even the panel is known. After a failure, the mark at its end is stored
   * instead; after any other end, none.
   */
  readonly postedAfter: RestoreRecord["postedAfter"];
}

/** Builds the record that is stored and resumed from. */
export function buildRecord(
  state: RestoreProgress,
  { words }: Pick<PanelSession, "words">,
  { adopted, postedAfter }: RecordExtras,
  logOutput?: string,
): RestoreRecord {
  const rows = ownChains(state).flat();
  const main = mainRow(rows, words);
  const end = state.end;
  const isOver = end?.how === "ended";
  const tryMark = isOver && end.status === "failed" && postedAfter && isMark(postedAfter) ? postedAfter : undefined;
  return {
    adopted,
    warnings: warningTexts(state.warnings),
    status: recordStatus(state, words),
    ...(main && { transactionId: main.id }),
    // A resumed record names transactions that no read may have shown yet.
    transactionIds: rows.length > 0 ? rows.map((row) => row.id) : state.ids,
    ...(main?.action !== undefined && { action: main.action }),
    ...restoreTimes(rows, isOver ? "ended" : "unfinished"),
    ...(logOutput !== undefined && { logOutput }),
    ...(!isOver && postedAfter && { postedAfter }),
    ...(tryMark && { tryMark }),
  };
}

function recordStatus(state: RestoreProgress, words: ConfiguredWords): RestoreRecord["status"] {
  const end = state.end;
  if (end?.how === "ended") return end.status;
  if (end?.how === "differs" || end?.how === "not-this-machine") return "unknown";
  const chains = ownChains(state);
  if (chains.length === 0) return state.posted;
  const statuses = chains.map((chain) => chainStatus(chain, words));
  return statuses.every((status) => status === "pending") ? "pending" : "running";
}

/** The row that is the restore: the last one whose action says so, else the last row. */
function mainRow(rows: readonly Row[], words: ConfiguredWords): Row | undefined {
  const byAction = rows.filter((row) => row.action !== undefined && mayBeRestore(row, words));
  return byAction[byAction.length - 1] ?? rows[rows.length - 1];
}

/** The row whose log tells most: the first one that went wrong, else the restore itself. */
export function rowForLog(rows: readonly Row[], words: ConfiguredWords): Row | undefined {
  return rows.find((row) => isFailedOrCancelled(normalizeStatus(row.status, words))) ?? mainRow(rows, words);
}

/** When a restore was requested, began and ended, by the panel's own stamps. Unknown times are absent. */
type RestoreTimes = Pick<
  RestoreRecord,
  "requestedAt" | "startedAt" | "finishedAt" | "queuedSeconds" | "durationSeconds"
>;

/**
 * Both durations are differences of two stamps of the panel, so the runner's clock and zone do not matter. A negative difference is no
 * duration, nor is one of two stamps of which only one names its zone. `durationSeconds` includes the queue: for that long the machine was
 * not recovered.
 */
export function restoreTimes(rows: readonly Row[], ended: "ended" | "unfinished"): RestoreTimes {
  const requestedAt = earliestStamp(rows.map((row) => row.createdAt));
  const startedAt = earliestStamp(rows.map((row) => row.startedAt));
  // A row is not touched again after its end, so the last update stands in for a missing end stamp.
  const finishedAt = ended === "ended" ? latestStamp(rows.map((row) => row.finishedAt ?? row.updatedAt)) : undefined;
  return omitUndefined<RestoreTimes>({
    requestedAt,
    startedAt,
    finishedAt,
    queuedSeconds: secondsBetween(requestedAt, startedAt),
    durationSeconds: secondsBetween(requestedAt, finishedAt),
  });
}
