import type { RestoreRequest } from "../inputs/intent";
import type { RestoreRecord } from "../inputs/record";
import { logTail } from "../panel/mask";
import { formatElapsed } from "../plain/clock";
import { rowsNotStarted } from "../rows/chains";
import { endOf, type Follow, hasSeenNothing, isNotThis, rowsTaken, takenChains, type Underway } from "./follow";
import { following } from "./following";
import { completeLine, endedBadly, logEnd, sayingNew, unfinished, warningTexts } from "./messages";
import { type RecordExtras, recordOf, tellingRow } from "./outcome";
import { type Done, type RestoreResult, sayingProgress, type Voice } from "./result";
import type { Site } from "./site";
import { waitFor } from "./wait";
import type { Telling, Waiting } from "./waiting";

export interface FollowOptions extends RecordExtras {
  readonly voice: Voice;
  /** For whom transactions are taken. */
  readonly owner: string;
  /** What an earlier run has stored. It stands until the panel shows something else. */
  readonly known?: RestoreRecord;
}

/**
 * Follows a restore that is on the panel, or may be, to its end, and says what that comes to: at its end, or once it is listed where it is
 * not waited for.
 */
export async function followRestore(
  site: Site,
  plan: RestoreRequest,
  start: Underway,
  options: FollowOptions,
): Promise<Done> {
  let isAwaited = true;
  const voice: Voice = {
    progress: (text) => {
      if (isAwaited) options.voice.progress(text);
    },
    warn: (text) => {
      if (isAwaited) options.voice.warn(text);
    },
  };
  let listed: (state: Follow) => void = () => undefined;
  const isListed = new Promise<Follow>((resolve) => (listed = resolve));
  const sayWarnings = sayingNew(voice, start.warnings);
  const waiting = taking(site, plan, options.owner, (state) => {
    sayWarnings(state.warnings);
    if (state.phase === "queued" || state.phase === "running") listed(state);
  });
  const toItsEnd = async (): Promise<Done> => {
    let logOutput: string | undefined;
    const state = await waitFor(site, waiting, start, {
      machine: plan.target.virtualMachineId,
      telling: { ...whileFollowing, say: sayingProgress(voice) },
      beforeLeaving: async (last) => {
        logOutput = await captureLog(site, plan, last);
      },
    });
    const record =
      options.known && hasSeenNothing(state)
        ? { ...options.known, warnings: warningTexts(state.warnings) }
        : recordOf(state, site, options, logOutput);
    return { result: resultOf(site, plan, record, state, voice) };
  };
  const end = toItsEnd();
  if (plan.wait) return end;
  const first = await Promise.race([end, isListed]);
  if ("result" in first) return first;
  isAwaited = false;
  return {
    result: { kind: "good", record: recordOf(first, site, options) },
    ended: end.then(({ result }) => result),
  };
}

function resultOf(site: Site, plan: RestoreRequest, record: RestoreRecord, state: Follow, voice: Voice): RestoreResult {
  const end = endOf(state);
  if (end?.how !== "ended") {
    return end === undefined || end.how === "seen"
      ? { kind: "good", record }
      : { kind: "stored", record, reasons: [unfinished(plan, record, state, end)] };
  }
  if (end.standing === "complete") {
    voice.progress(completeLine(record));
    return { kind: "good", record };
  }
  const neverBegan = takenChains(state).flatMap((chain) => rowsNotStarted(chain, site.words));
  const tail = record.logOutput === undefined ? [] : logTail(record.logOutput, site.redact);
  if (tail.length > 0) voice.warn(logEnd(tail));
  return {
    kind: "stored",
    record,
    reasons: endedBadly(plan, record, { requestTimeoutMs: site.requestTimeoutMs, neverBegan }),
  };
}

/** Transactions are taken for a restore in the same step that finds them, so that no other one of this process can take them too. */
function taking(site: Site, plan: RestoreRequest, owner: string, onStep: (state: Follow) => void): Waiting<Follow> {
  const waiting = following({
    target: plan.target,
    words: site.words,
    timeouts: plan.timeouts,
    isClaimed: (id) => site.claims.isClaimedByAnother(id, owner),
    until: "ended",
  });
  return {
    ...waiting,
    step(state, event, now) {
      const next = waiting.step(state, event, now);
      if (!isNotThis(next) && !hasSeenNothing(next)) site.claims.claim(next.ids, owner);
      onStep(next);
      return next;
    },
  };
}

/** The log of the row that tells most, when it is wanted. A log that cannot be had changes nothing about the restore. */
async function captureLog(
  { feed, words, redact }: Pick<Site, "feed" | "words" | "redact">,
  plan: RestoreRequest,
  state: Follow,
): Promise<string | undefined> {
  const end = endOf(state);
  if (end?.how !== "ended" || plan.captureLog === "never") return undefined;
  if (end.standing === "complete" && plan.captureLog !== "always") return undefined;
  const row = tellingRow(takenChains(state).flat(), words);
  if (row === undefined) return undefined;
  try {
    const log = await feed.logOutput(row.id);
    // Whoever may read a restore's log, perhaps as an output handed on, has not been given the panel by that.
    return log === undefined ? undefined : redact(log);
  } catch {
    return undefined;
  }
}

export const whileFollowing: Telling<Follow> = { describe: describeFollow, topic: topicOfFollow };

/** What an operator reads on the resource's own row while a restore is under way. */
function describeFollow(state: Follow, now: number): string | undefined {
  const spent = formatElapsed(now - state.since);
  const trouble = state.lastTrouble === undefined ? "" : `; the panel cannot be read right now: ${state.lastTrouble}`;
  switch (state.phase) {
    case "unlisted":
      if (state.ids.length > 0)
        return `looking for transaction ${mainId(state)} in the panel's list (${spent})${trouble}`;
      if (state.search.kind === "unaccounted") return `posted by an earlier run, not listed yet (${spent})${trouble}`;
      return state.posted === "accepted"
        ? `accepted, not listed yet (${spent})${trouble}`
        : `the answer to the request was lost, looking for its transaction (${spent})${trouble}`;
    case "queued": {
      const behind = waitsFor(state);
      return behind === undefined
        ? `queued, transaction ${mainId(state)} (${spent})${trouble}`
        : `queued behind transaction ${behind} (${spent})${trouble}`;
    }
    case "running":
      if (state.brokenSince !== undefined) {
        return `a part of it has not completed, waiting a moment for the rest of transactions ${state.ids.join(", ")}${trouble}`;
      }
      return `running ${spent}, transaction ${mainId(state)}${trouble}`;
    case "over":
      return undefined;
  }
}

/** What `describeFollow` speaks of, times and the panel's words apart. */
function topicOfFollow(state: Follow, outage: string | undefined): string {
  return [state.phase, state.posted, mainId(state), waitsFor(state) ?? "", outage ?? ""].join("/");
}

/** The transaction outside the restore that it waits for, if its rows name one. */
function waitsFor(state: Follow): string | undefined {
  const own = new Set(state.ids);
  return rowsTaken(state)
    .map((row) => row.dependentTransactionId)
    .find((id) => id !== undefined && !own.has(id));
}

function mainId(state: Follow): string {
  return state.ids[state.ids.length - 1] ?? "unknown";
}
