import type { RestoreRequest } from "../inputs/intent";
import type { RestoreRecord } from "../inputs/record";
import { logTail } from "../panel/mask";
import { formatElapsed } from "../plain/clock";
import { rowsNotStarted } from "../rows/chains";
import {
  endOf,
  type RestoreProgress,
  hasSeenNothing,
  isAnotherRestore,
  ownRows,
  ownChains,
  type Underway,
} from "./restore-progress";
import { restorePoller } from "./restore-poller";
import { completeLine, endedBadlyReasons, logEnd, warnOnce, unfinishedReason, warningTexts } from "./messages";
import { type RecordExtras, buildRecord, rowForLog } from "./build-record";
import { type ResultSoFar, type RestoreResult, progressSink, type Reporter } from "./result";
import type { PanelSession } from "./panel-session";
import { poll } from "./poll";
import type { ProgressText, Poller } from "./poller";

export interface FollowOptions extends RecordExtras {
  readonly reporter: Reporter;
  /** The id of the intent that takes the transactions. */
  readonly owner: string;
  /** The record that an earlier run stored. It is kept until the panel shows something else. */
  readonly storedRecord?: RestoreRecord;
}

/** Follows a restore that is or may be on the panel to its end. With `wait: false`, it returns once the restore is listed. */
export async function followRestore(
  session: PanelSession,
  request: RestoreRequest,
  start: Underway,
  options: FollowOptions,
): Promise<ResultSoFar> {
  let isAwaited = true;
  const reporter: Reporter = {
    progress: (text) => {
      if (isAwaited) options.reporter.progress(text);
    },
    warn: (text) => {
      if (isAwaited) options.reporter.warn(text);
    },
  };
  let listed: (state: RestoreProgress) => void = () => undefined;
  const isListed = new Promise<RestoreProgress>((resolve) => (listed = resolve));
  const sayWarnings = warnOnce(reporter, start.warnings);
  const poller = claimingPoller(session, request, options.owner, (state) => {
    sayWarnings(state.warnings);
    if (state.phase === "queued" || state.phase === "running") listed(state);
  });
  const followToEnd = async (): Promise<ResultSoFar> => {
    let logOutput: string | undefined;
    const state = await poll(session, poller, start, {
      machine: request.target.virtualMachineId,
      progressText: { ...restoreProgressText, say: progressSink(reporter) },
      beforeLeaving: async (last) => {
        logOutput = await captureLog(session, request, last);
      },
    });
    const record =
      options.storedRecord && hasSeenNothing(state)
        ? { ...options.storedRecord, warnings: warningTexts(state.warnings) }
        : buildRecord(state, session, options, logOutput);
    return { result: resultOf(session, request, record, state, reporter) };
  };
  const end = followToEnd();
  if (request.wait) return end;
  const first = await Promise.race([end, isListed]);
  if ("result" in first) return first;
  isAwaited = false;
  return {
    result: { kind: "good", record: buildRecord(first, session, options) },
    ended: end.then(({ result }) => result),
  };
}

function resultOf(
  session: PanelSession,
  request: RestoreRequest,
  record: RestoreRecord,
  state: RestoreProgress,
  reporter: Reporter,
): RestoreResult {
  const end = endOf(state);
  if (end?.how !== "ended") {
    return end === undefined || end.how === "read-enough"
      ? { kind: "good", record }
      : { kind: "stored", record, reasons: [unfinishedReason(request, record, state, end)] };
  }
  if (end.status === "complete") {
    reporter.progress(completeLine(record));
    return { kind: "good", record };
  }
  const neverBegan = ownChains(state).flatMap((chain) => rowsNotStarted(chain, session.words));
  const tail = record.logOutput === undefined ? [] : logTail(record.logOutput, session.redact);
  if (tail.length > 0) reporter.warn(logEnd(tail));
  return {
    kind: "stored",
    record,
    reasons: endedBadlyReasons(request, record, { requestTimeoutMs: session.requestTimeoutMs, neverBegan }),
  };
}

/** Claims transactions in the same step that finds them, so that no other restore of this process takes them too. */
function claimingPoller(
  session: PanelSession,
  request: RestoreRequest,
  owner: string,
  onStep: (state: RestoreProgress) => void,
): Poller<RestoreProgress> {
  const poller = restorePoller({
    target: request.target,
    words: session.words,
    timeouts: request.timeouts,
    isClaimed: (id) => session.claims.isClaimedByAnother(id, owner),
    until: "ended",
  });
  return {
    ...poller,
    step(state, event, now) {
      const next = poller.step(state, event, now);
      if (!isAnotherRestore(next) && !hasSeenNothing(next)) session.claims.claim(next.ids, owner);
      onStep(next);
      return next;
    },
  };
}

/** Reads the log of the row that tells most, if it is wanted. A log that cannot be read changes nothing about the restore. */
async function captureLog(
  { feed, words, redact }: Pick<PanelSession, "feed" | "words" | "redact">,
  request: RestoreRequest,
  state: RestoreProgress,
): Promise<string | undefined> {
  const end = endOf(state);
  if (end?.how !== "ended" || request.captureLog === "never") return undefined;
  if (end.status === "complete" && request.captureLog !== "always") return undefined;
  const row = rowForLog(ownChains(state).flat(), words);
  if (row === undefined) return undefined;
  try {
    const log = await feed.logOutput(row.id);
    // The log may be handed on as an output, and its readers must not get at the panel.
    return log === undefined ? undefined : redact(log);
  } catch {
    return undefined;
  }
}

export const restoreProgressText: ProgressText<RestoreProgress> = { describe: describeProgress, topic: progressTopic };

/** The text on the resource's row while a restore is under way. */
function describeProgress(state: RestoreProgress, now: number): string | undefined {
  const spent = formatElapsed(now - state.since);
  const trouble = state.lastTrouble === undefined ? "" : `; the panel cannot be read right now: ${state.lastTrouble}`;
  switch (state.phase) {
    case "unlisted":
      if (state.ids.length > 0)
        return `looking for transaction ${mainId(state)} in the panel's list (${spent})${trouble}`;
      if (state.search.kind === "unconfirmed") return `posted by an earlier run, not listed yet (${spent})${trouble}`;
      return state.posted === "accepted"
        ? `accepted, not listed yet (${spent})${trouble}`
        : `the answer to the request was lost, looking for its transaction (${spent})${trouble}`;
    case "queued": {
      const behind = outsideDependency(state);
      return behind === undefined
        ? `queued, transaction ${mainId(state)} (${spent})${trouble}`
        : `queued behind transaction ${behind} (${spent})${trouble}`;
    }
    case "running":
      if (state.brokenOffSince !== undefined) {
        return `a part of it failed or was cancelled, waiting a moment for the rest of transactions ${state.ids.join(", ")}${trouble}`;
      }
      return `running ${spent}, transaction ${mainId(state)}${trouble}`;
    case "over":
      return undefined;
  }
}

/** The subject of `describeProgress`, without times and the panel's words. */
function progressTopic(state: RestoreProgress, outage: string | undefined): string {
  return [state.phase, state.posted, mainId(state), outsideDependency(state) ?? "", outage ?? ""].join("/");
}

/** The transaction outside the restore that it waits for, if its rows name one. */
function outsideDependency(state: RestoreProgress): string | undefined {
  const own = new Set(state.ids);
  return ownRows(state)
    .map((row) => row.dependentTransactionId)
    .find((id) => id !== undefined && !own.has(id));
}

function mainId(state: RestoreProgress): string {
  return state.ids[state.ids.length - 1] ?? "unknown";
}
