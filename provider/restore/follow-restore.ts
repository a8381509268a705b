import type { RestoreRecord } from "../inputs/record";
import { logTail } from "../panel/mask";
import { rowsNotStarted } from "../rows/chains";
import { type Ended, type RestoreProgress, hasSeenNothing, ownChains, type Underway } from "./restore-progress";
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
import type { RestoreRun } from "./panel-session";
import { poll, type PollHooks } from "./poll";

interface FollowOptions extends RecordExtras {
  /** The record that an earlier run stored. It is kept until the panel shows something else. */
  readonly storedRecord?: RestoreRecord;
}

/** Follows a restore that is or may be on the panel to its end. With `wait: false`, it returns once the restore is listed. */
export async function followRestore(run: RestoreRun, start: Underway, options: FollowOptions): Promise<ResultSoFar> {
  const { session, owner } = run;
  let isAwaited = true;
  const say =
    (how: keyof Reporter) =>
    (text: string): void => {
      if (isAwaited) run.reporter[how](text);
    };
  const reporter: Reporter = { progress: say("progress"), warn: say("warn") };
  let listed: (state: RestoreProgress) => void = () => undefined;
  const isListed = new Promise<RestoreProgress>((resolve) => (listed = resolve));
  const sayWarnings = warnOnce(reporter, start.warnings);
  const onStep = (state: RestoreProgress): void => {
    // In the same step that finds them, so that no other restore of this process takes them too.
    if (state.end?.how !== "not-this-machine" && !hasSeenNothing(state)) session.claims.claim(state.ids, owner);
    sayWarnings(state.warnings);
    if (state.phase === "queued" || state.phase === "running") listed(state);
  };
  const followToEnd = async (): Promise<ResultSoFar> => {
    let logOutput: string | undefined;
    const state = await pollProgress(run, start, "ended", {
      onStep,
      progressText: { ...restoreProgressText, say: reporter.progress },
      beforeLeaving: async (last) => {
        logOutput = await captureLog(run, last);
      },
    });
    const record =
      options.storedRecord && hasSeenNothing(state)
        ? { ...options.storedRecord, warnings: warningTexts(state.warnings) }
        : buildRecord(state, session, options, logOutput);
    return { result: resultOf({ ...run, reporter }, record, state) };
  };
  const end = followToEnd();
  if (run.request.wait) return end;
  const first = await Promise.race([end, isListed]);
  if ("result" in first) return first;
  isAwaited = false;
  return {
    result: { kind: "good", record: buildRecord(first, session, options) },
    ended: end.then(({ result }) => result),
  };
}

function resultOf({ session, request, reporter }: RestoreRun, record: RestoreRecord, state: Ended): RestoreResult {
  const { end } = state;
  if (end.how !== "ended") return { kind: "stored", record, reasons: [unfinishedReason(request, record, state)] };
  if (end.status === "complete") {
    reporter.progress(completeLine(record));
    return { kind: "good", record };
  }
  const neverBegan = ownChains(state).flatMap((chain) => rowsNotStarted(chain, session.words));
  const tail = record.logOutput === undefined ? [] : logTail(record.logOutput, session.redact);
  if (tail.length > 0) reporter.warn(logEnd(tail));
  const reason = endedBadlyReason(request, record, session.requestTimeoutMs, neverBegan);
  return { kind: "stored", record, reasons: [reason] };
}

/** Polls a restore that is or may be on the panel. */
export function pollProgress(
  run: Omit<RestoreRun, "reporter">,
  start: Underway,
  until: RestorePollerRules["until"],
  hooks?: PollHooks<RestoreProgress, Ended>,
): Promise<Ended> {
  const { target, timeouts } = run.request;
  const { words, claims } = run.session;
  const isClaimed = (id: string): boolean => claims.isClaimedByAnother(id, run.owner);
  return poll<RestoreProgress, Ended>(run, restorePoller({ target, words, timeouts, isClaimed, until }), start, hooks);
}

/** Reads the log of the row that tells most, if it is wanted. A log that cannot be read changes nothing about the restore. */
async function captureLog(
  { session: { feed, words, redact }, request }: RestoreRun,
  state: Ended,
): Promise<string | undefined> {
  const { end } = state;
  if (end.how !== "ended" || request.captureLog === "never") return undefined;
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
