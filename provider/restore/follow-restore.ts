import type { RestoreRequest } from "../inputs/intent";
import type { RestoreRecord } from "../inputs/record";
import { logTail } from "../panel/mask";
import { rowsNotStarted } from "../rows/chains";
import { type RestoreProgress, hasSeenNothing, ownChains, type Underway } from "./restore-progress";
import { restorePoller, type RestorePollerRules } from "./restore-poller";
import {
  completeLine,
  endedBadlyReason,
  logEnd,
  restoreProgressText,
  warnOnce,
  unfinishedReason,
  warningTexts,
} from "./messages";
import { type RecordExtras, buildRecord, rowForLog } from "./build-record";
import { type ResultSoFar, type RestoreResult, type Reporter } from "./result";
import type { PanelSession } from "./panel-session";
import { poll, type PollHooks } from "./poll";

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
  const say =
    (how: keyof Reporter) =>
    (text: string): void => {
      if (isAwaited) options.reporter[how](text);
    };
  const reporter: Reporter = { progress: say("progress"), warn: say("warn") };
  let listed: (state: RestoreProgress) => void = () => undefined;
  const isListed = new Promise<RestoreProgress>((resolve) => (listed = resolve));
  const sayWarnings = warnOnce(reporter, start.warnings);
  const onStep = (state: RestoreProgress): void => {
    // In the same step that finds them, so that no other restore of this process takes them too.
    if (state.end?.how !== "not-this-machine" && !hasSeenNothing(state)) session.claims.claim(state.ids, options.owner);
    sayWarnings(state.warnings);
    if (state.phase === "queued" || state.phase === "running") listed(state);
  };
  const followToEnd = async (): Promise<ResultSoFar> => {
    let logOutput: string | undefined;
    const state = await pollProgress(session, request, start, options.owner, {
      until: "ended",
      onStep,
      progressText: { ...restoreProgressText, say: reporter.progress },
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
  const end = state.end;
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
    reasons: [endedBadlyReason(request, record, { requestTimeoutMs: session.requestTimeoutMs, neverBegan })],
  };
}

interface ProgressHooks extends Omit<PollHooks<RestoreProgress>, "machine">, Pick<RestorePollerRules, "until"> {
  readonly onStep?: (state: RestoreProgress) => void;
}

/** Polls a restore that is or may be on the panel. */
export function pollProgress(
  session: PanelSession,
  { target, timeouts }: Pick<RestoreRequest, "target" | "timeouts">,
  start: Underway,
  owner: string,
  { until, onStep, ...hooks }: ProgressHooks,
): Promise<RestoreProgress> {
  const isClaimed = (id: string): boolean => session.claims.isClaimedByAnother(id, owner);
  const poller = restorePoller({ target, words: session.words, timeouts, isClaimed, until });
  const step: typeof poller.step = (state, event, now) => {
    const next = poller.step(state, event, now);
    onStep?.(next);
    return next;
  };
  return poll(session, { ...poller, step }, start, { machine: target.virtualMachineId, ...hooks });
}

/** Reads the log of the row that tells most, if it is wanted. A log that cannot be read changes nothing about the restore. */
async function captureLog(
  { feed, words, redact }: Pick<PanelSession, "feed" | "words" | "redact">,
  request: RestoreRequest,
  state: RestoreProgress,
): Promise<string | undefined> {
  const end = state.end;
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
