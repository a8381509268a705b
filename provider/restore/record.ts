import type { RestoreRequest } from "../inputs/intent";
import { isFinished, type RestoreRecord } from "../inputs/record";
import { masked } from "../panel/secrets";
import { earliestStamp, latestStamp, measuredSeconds, secondsBetween } from "../plain/clock";
import { omitUndefined } from "../plain/plain";
import { hasFailed, hasStarted, mainRow } from "../rows/jobs";
import type { Mark, Row } from "../rows/order";
import { pointsIn } from "../rows/whose";
import { differText, endedText, goneText, notListedText, unclearText, unfinishedText } from "./messages";
import type { Guess } from "./recognise";
import type { Run } from "./session";
import type { Ended, Following, Seen } from "./state";

/** What is stored and told of a restore. */

/** What is known about a restore apart from its rows. */
export interface Extras {
  readonly adopted: boolean;
  /** The restore is searched for above this mark; an attempt after a failure searches there too. */
  readonly mark: Mark | undefined;
  readonly warnings: readonly string[];
  readonly failedBefore?: readonly string[] | undefined;
}

export function recordOf(
  request: RestoreRequest,
  { jobs, rows, end, closed }: Seen,
  { by, ids, guess }: { readonly by: Following["by"]; readonly ids: readonly string[]; readonly guess: Guess },
  { adopted, mark, warnings, failedBefore = [] }: Extras,
  logOutput?: string,
): RestoreRecord {
  const isOver = isFinished(end);
  const unfinished = rows.some(hasStarted) ? "running" : "pending";
  const status = isOver ? end : rows.length === 0 && by !== "ids" ? "sent" : unfinished;
  const isShown = (id: string): boolean => rows.some((row) => row.id === id);
  // What came since a person named it is asked about by the next attempt.
  const isNamed = request.adopt !== undefined && isShown(request.adopt);
  const later = status === "failed" && !isNamed ? (closed ?? mark) : mark;
  const restored = status === "failed" ? jobs.find(({ failedPart }) => failedPart) : undefined;
  const failedPart = restored?.failedPart;
  const main = mainRow((restored?.rows ?? rows).filter((row) => row !== failedPart));
  const isLast = status === "complete" || status === "cancelled";
  return omitUndefined<RestoreRecord>({
    adopted,
    warnings,
    status,
    transactionId: main?.id,
    transactionIds: [...(by === "ids" ? ids.filter((id) => !isShown(id)) : []), ...rows.map(({ id }) => id)],
    action: main?.action,
    ...restoreTimes(rows, isOver),
    logOutput,
    failedPart: failedPart?.id,
    isGuess: (guess !== "none" && !isOver) || undefined,
    mark: isLast ? undefined : later,
    failedBefore: isLast || failedBefore.length === 0 ? undefined : failedBefore,
  });
}

export function whyNotComplete(
  { request, session: { words } }: Run,
  record: RestoreRecord,
  { own, why = "", trouble, maybe = [], isGone = false }: Ended,
  panelTime: number,
): string {
  if (isFinished(record.status)) return endedText(request, record);
  if (own.end === "differs") return differText(request, own.jobs, panelTime);
  if (own.end === "unclear") return unclearText(request, own, words, panelTime);
  if (isGone && record.transactionIds.length > 0) return goneText(request, record);
  return record.transactionIds.length === 0
    ? notListedText(request, maybe, panelTime, why, trouble)
    : unfinishedText(request, record, why, trouble);
}

export function pointsOf(rows: readonly Row[], { request, session }: Run): readonly string[] {
  const { recoveryPointId = "0" } = request.target;
  const named = new Set(rows.flatMap((row) => pointsIn(row, recoveryPointId)));
  return [...named].map((id) => (id === recoveryPointId ? id : masked(id, session.redact)));
}

/** When a restore was requested, began and ended, by the panel's own stamps. Unknown times are undefined. */
type RestoreTimes = {
  readonly [Name in "requestedAt" | "startedAt" | "finishedAt" | "queuedSeconds" | "durationSeconds"]:
    RestoreRecord[Name] | undefined;
};

/**
 * Both durations are differences of two stamps of the panel, so the runner's clock and zone do not matter. `durationSeconds` includes the queue: for
 * that long the machine was not recovered. A row is not touched again after its end, so its last update may serve as a missing end stamp.
 */
function restoreTimes(rows: readonly Row[], isOver: boolean): RestoreTimes {
  const requestedAt = earliestStamp(rows.map((row) => row.createdAt));
  const startedAt = earliestStamp(rows.map((row) => row.startedAt));
  const finishedAt = isOver ? latestStamp(rows.map((row) => row.finishedAt ?? row.updatedAt)) : undefined;
  const queuedSeconds = secondsBetween(requestedAt, startedAt);
  return {
    requestedAt,
    startedAt,
    finishedAt,
    queuedSeconds,
    durationSeconds: measuredSeconds({ requestedAt, finishedAt }),
  };
}

/** The log of the part that failed, else of the restore itself. A log is optional. */
export async function readLog({ session, request }: Run, { rows, end }: Seen): Promise<string | undefined> {
  if (end === undefined || request.captureLog === "never") return undefined;
  if (end === "complete" && request.captureLog !== "always") return undefined;
  const { client } = session;
  const row = rows.find(hasFailed) ?? mainRow(rows);
  if (row === undefined) return undefined;
  try {
    let pages = 0;
    for await (const { items } of client.walkTransactions({ perPage: 10, detailed: true })) {
      const found = items.find(({ id }) => id === row.id);
      if (found) return found.logOutput;
      if (items.length === 0 || ++pages >= mostLogPages) return undefined;
    }
  } catch {
    return undefined;
  }
  return undefined;
}

/** A log further down is not worth the requests. */
const mostLogPages = 100;
