import type { Row } from "./rows/row-chains";
import { endOf, isNotThis, takenChains, type Follow } from "./follow/follow-state";
import type { RestoreRecord } from "./terms/record";
import { chainStanding } from "./rows/standing";
import { timesOf } from "./rows/times";
import { warningTexts } from "./telling/warning-text";
import { hasEnded, mayBeRestore, standingOf, type Words } from "./rows/row-words";

/** What is stored beside what following has shown. */
export interface RecordExtras {
  readonly adopted: boolean;
  /** Where a later run goes on looking; dropped once the restore has ended. */
  readonly postedAfter: RestoreRecord["postedAfter"];
}

/** What following has shown, as the plain data that is stored and resumed from. */
export function recordOf(
  state: Follow,
  words: Words,
  { adopted, postedAfter }: RecordExtras,
  logOutput?: string,
): RestoreRecord {
  const rows = takenChains(state).flat();
  const main = mainRow(rows, words);
  const isOver = endOf(state)?.how === "ended";
  return {
    adopted,
    warnings: warningTexts(state.warnings),
    status: statusOf(state, words),
    ...(main && { transactionId: main.id }),
    // A record that is resumed names transactions that a look may not have met yet.
    transactionIds: rows.length > 0 ? rows.map((row) => row.id) : state.ids,
    ...(main?.action !== undefined && { action: main.action }),
    ...timesOf(rows, isOver ? "ended" : "unfinished"),
    ...(logOutput !== undefined && { logOutput }),
    ...(!isOver && postedAfter && { postedAfter }),
  };
}

function statusOf(state: Follow, words: Words): RestoreRecord["status"] {
  const end = endOf(state);
  if (end?.how === "ended") return end.standing;
  if (end?.how === "differs" || isNotThis(state)) return "unknown";
  const chains = takenChains(state);
  if (chains.length === 0) return state.posted;
  const standings = chains.map((chain) => chainStanding(chain, words));
  return standings.every((standing) => standing === "pending") ? "pending" : "running";
}

/** The row that is the restore: the one whose action says so, else the last of what it consists of. */
export function mainRow(rows: readonly Row[], words: Words): Row | undefined {
  const byAction = rows.filter((row) => row.action !== undefined && mayBeRestore(row, words));
  return byAction[byAction.length - 1] ?? rows[rows.length - 1];
}

/** The row whose log tells most: the first that went wrong, else the restore itself. */
export function tellingRow(rows: readonly Row[], words: Words): Row | undefined {
  const wrong = rows.find((row) => {
    const standing = standingOf(row.status, words);
    return hasEnded(standing) && standing !== "complete";
  });
  return wrong ?? mainRow(rows, words);
}
