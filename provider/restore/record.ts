import type { RestoreRequest } from "../inputs/intent";
import { isFinished, type RestoreRecord } from "../inputs/record";
import { masked } from "../panel/secrets";
import { earliestStamp, latestStamp, measuredSeconds, secondsBetween } from "../plain/clock";
import { omitUndefined } from "../plain/plain";
import { hasFailed, hasStarted, mainRow } from "../rows/jobs";
import type { Mark, Row } from "../rows/order";
import { pointsIn } from "../rows/whose";
import { differText, endedText, goneText, notListedText, unclearText, unfinishedText } from "./messages";
import type { Run } from "./session";
import type { Seen } from "./recognise";
import type { EndAction, Following } from "./state";

export type Extras = Pick<RestoreRecord, "adopted" | "warnings"> & {
  readonly mark?: Mark | undefined;
  readonly adoptedPoint?: string | undefined;
  readonly failedBefore?: readonly string[] | undefined;
};

export function recordOf(
  request: RestoreRequest,
  { by, ids, isGuess, own: { jobs, rows, end, nextMark } }: Following,
  { adopted, adoptedPoint, mark, warnings, failedBefore = [] }: Extras,
  logOutput?: string,
): RestoreRecord {
  const isOver = isFinished(end);
  const unfinished = rows.some(hasStarted) ? "running" : "pending";
  const status = isOver ? end : rows.length === 0 && by !== "ids" ? "sent" : unfinished;
  const isShown = (id: string): boolean => rows.some((row) => row.id === id);
  const failed = failedBefore.filter((id) => !isShown(id));
  // After `adopt`, the mark is kept, so that the next attempt asks the user about jobs that have appeared since.
  const isNamed = request.adopt !== undefined && isShown(request.adopt);
  const later = status === "failed" && !isNamed ? (nextMark ?? mark) : mark;
  const restored = status === "failed" ? jobs.find(({ failedPart }) => failedPart) : undefined;
  const failedPart = restored?.failedPart;
  const main = mainRow((restored?.rows ?? rows).filter((row) => row !== failedPart));
  // Measured by the panel's own timestamps. The time in the queue counts, because the machine is not recovered until the restore ends.
  const requestedAt = earliestStamp(rows.map((row) => row.createdAt));
  const startedAt = earliestStamp(rows.map((row) => row.startedAt));
  // A row does not change after its end, so the time of its last update can stand in for a missing end time.
  const finishedAt = isOver ? latestStamp(rows.map((row) => row.finishedAt ?? row.updatedAt)) : undefined;
  return omitUndefined<RestoreRecord>({
    ...{ adopted, adoptedPoint, warnings, status },
    transactionId: main?.id,
    transactionIds: [...(by === "ids" ? ids.filter((id) => !isShown(id)) : []), ...rows.map(({ id }) => id)],
    action: main?.action,
    ...{ requestedAt, startedAt, finishedAt },
    queuedSeconds: secondsBetween(requestedAt, startedAt),
    durationSeconds: measuredSeconds({ requestedAt, finishedAt }),
    logOutput,
    failedPart: failedPart?.id,
    isGuess: (isGuess && !isOver) || undefined,
    mark: status === "complete" || status === "cancelled" ? undefined : later,
    failedBefore: failed.length > 0 ? failed : undefined,
  });
}

export function whyNotComplete(
  { request, session: { words } }: Run,
  record: RestoreRecord,
  { state: { own }, why = "", trouble, maybe = [], isGone = false }: EndAction,
): string {
  if (isFinished(record.status)) return endedText(request, record);
  if (own.end === "differs") return differText(request, own.jobs);
  if (own.end === "unclear") return unclearText(request, own, words);
  if (isGone && record.transactionIds.length > 0) return goneText(request, record);
  return record.transactionIds.length === 0
    ? notListedText(request, words, maybe, why, trouble)
    : unfinishedText(request, record, [own.rows, words], why, trouble);
}

export function pointsOf(rows: readonly Row[], { request, session }: Run): readonly string[] {
  const { recoveryPointId = "0" } = request.target;
  const named = new Set(rows.flatMap((row) => pointsIn(row, recoveryPointId)));
  return [...named].map((id) => (id === recoveryPointId ? id : masked(id, session.redact)));
}

/** The log of the failed part or, if no part failed, of the restore itself. Undefined if the log is not requested or cannot be read. */
export async function readLog({ session, request }: Run, { rows, end }: Seen): Promise<string | undefined> {
  const row = rows.find(hasFailed) ?? mainRow(rows);
  if (row === undefined || end === undefined || request.captureLog === "never") return undefined;
  if (end === "complete" && request.captureLog !== "always") return undefined;
  let pages = 0;
  try {
    for await (const { items } of session.client.walkTransactions({ perPage: 10, detailed: true })) {
      const found = items.find(({ id }) => id === row.id);
      if (found || items.length === 0 || ++pages >= mostLogPages) return found?.logOutput;
    }
  } catch {
    // Nothing depends on the log.
  }
  return undefined;
}

const mostLogPages = 100;
