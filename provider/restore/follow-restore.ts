import type { TransactionId } from "../panel/terms/types";
import { following, isNotThis, takenChains, type Follow, type FollowRules } from "./waits/follow";
import type { Mark } from "./terms/intent";
import { logTail } from "./telling/mask";
import { completeLine, endedBadly, logEnd, unfinished } from "./telling/messages";
import { recordOf, tellingRow, type RecordExtras } from "./outcome";
import type { RestorePlan } from "./terms/restore-plan";
import { postedUnwatched, type Posted } from "./turn/posted";
import type { RestoreRecord } from "./terms/record";
import { sayingProgress, type RestoreResult, type Voice } from "./terms/result";
import { whileFollowing } from "./telling/while-following";
import type { Site } from "./site";
import type { Slot } from "./turn/slots";
import { notBegun } from "./rows/standing";
import { waitFor } from "./waits/wait";
import type { Waiting } from "./waits/waiting";
import { without } from "../plain/without";

export interface FollowOptions {
  readonly adopted: boolean;
  readonly postedAfter: Mark;
  /** `accepted`: not even its listing is waited for. */
  readonly until: "accepted" | "listed" | "ended";
  readonly voice: Voice;
  /** For whom transactions are taken. */
  readonly owner: string;
  /** What an earlier run has stored. It stands until the panel shows something else. */
  readonly known?: RestoreRecord;
}

export interface Followed {
  readonly result: RestoreResult;
  readonly state: Follow;
  /** Set when it has not ended and nobody wanted to wait: waits to the end after all, for somebody who needs the machine or the place. */
  readonly goOn?: () => Promise<unknown>;
}

/** Follows a restore while it holds a place among the concurrent ones, and hands the place on with it when it is left open. */
export async function followHolding(
  slot: Slot,
  ...follow: Parameters<typeof followRestore>
): Promise<Followed & { readonly leftBehind?: Posted }> {
  try {
    const followed = await followRestore(...follow);
    if (!followed.goOn) return followed;
    const leftBehind = postedUnwatched(followed.goOn);
    slot.release(leftBehind);
    return { ...followed, leftBehind };
  } finally {
    slot.release();
  }
}

/** Follows a restore that is on the panel, or may be, as far as it is to be waited for, and says what that comes to. */
export async function followRestore(
  site: Site,
  plan: RestorePlan,
  start: Follow,
  options: FollowOptions,
): Promise<Followed> {
  const rules: FollowRules = {
    target: plan.target,
    words: site.words,
    timeouts: plan.timeouts,
    identifiers: site.identifiers,
    isClaimed: (id) => site.claims.isClaimedByAnother(id, options.owner),
    until: options.until === "listed" ? "listed" : "ended",
  };
  const hooks = { machine: plan.target.virtualMachineId };
  const goOn = (from: Follow) => () => {
    const waiting = claiming(following({ ...rules, until: "ended" }), site, options.owner);
    return waitFor(site, waiting, reopened(from, site.clock.now()), hooks);
  };
  if (options.until === "accepted") {
    const record = recordOf(start, site.words, extras(options, start));
    return { result: { kind: "good", record }, state: start, goOn: goOn(start) };
  }

  let logOutput: string | undefined;
  let warned: readonly string[] = start.warnings;
  const sayWarnings = (state: Follow): void => {
    for (const warning of state.warnings) if (!warned.includes(warning)) options.voice.warn(warning);
    warned = state.warnings;
  };
  const watched = claiming(following(rules), site, options.owner, sayWarnings);
  const state = await waitFor(site, watched, start, {
    ...hooks,
    telling: { ...whileFollowing, say: sayingProgress(options.voice) },
    beforeLeaving: async (last) => {
      logOutput = await capture(site, plan, last);
    },
  });
  const record =
    options.known && hasSeenNothing(state)
      ? { ...options.known, warnings: state.warnings }
      : recordOf(state, site.words, { ...extras(options, state), ...(logOutput !== undefined && { logOutput }) });
  const result = resultOf(site, plan, record, state, options.voice);
  return state.end?.how === "seen" ? { result, state, goOn: goOn(state) } : { result, state };
}

function extras({ adopted, postedAfter }: FollowOptions, { warnings }: Follow): RecordExtras {
  return { adopted, postedAfter, warnings };
}

function resultOf(site: Site, plan: RestorePlan, record: RestoreRecord, state: Follow, voice: Voice): RestoreResult {
  const { end } = state;
  if (end === undefined || end.how === "seen") return { kind: "good", record };
  if (end.how !== "ended") return { kind: "stored", record, reasons: [unfinished(plan, record, state, end)] };
  if (end.standing === "complete") {
    voice.progress(completeLine(record));
    return { kind: "good", record };
  }
  const neverBegan = takenChains(state).flatMap((chain) => notBegun(chain, site.words));
  const tail = record.logOutput === undefined ? [] : logTail(record.logOutput, site.redact);
  if (tail.length > 0) voice.warn(logEnd(tail));
  return {
    kind: "stored",
    record,
    reasons: endedBadly(plan, record, { requestTimeoutMs: site.requestTimeoutMs, neverBegan }),
  };
}

/** Transactions are taken for a restore in the same step that finds them, so that no other one of this process can take them too. */
function claiming(
  waiting: Waiting<Follow>,
  site: Site,
  owner: string,
  onStep?: (state: Follow) => void,
): Waiting<Follow> {
  return {
    ...waiting,
    step(state, event, now) {
      const next = waiting.step(state, event, now);
      const isOurs = !isNotThis(next.end) && !hasSeenNothing(next);
      if (isOurs && (next.ids !== state.ids || next.phase !== state.phase)) site.claims.claim(next.ids, owner);
      onStep?.(next);
      return next;
    },
  };
}

/** None of its transactions has been met. */
export function hasSeenNothing(state: Follow): boolean {
  return !state.rows.some((row) => state.ids.includes(row.id));
}

function reopened(state: Follow, now: number): Follow {
  return { ...without(state, "end"), phase: "looking", since: now };
}

/** The log of the row that tells most, when it is wanted. A log that cannot be had changes nothing about the restore. */
async function capture(site: Site, plan: RestorePlan, state: Follow): Promise<string | undefined> {
  if (state.end?.how !== "ended" || plan.captureLog === "never") return undefined;
  if (state.end.standing === "complete" && plan.captureLog !== "always") return undefined;
  const row = tellingRow(takenChains(state).flat(), site.words);
  if (row === undefined) return undefined;
  try {
    const log = await site.feed.logOutput(row.id satisfies TransactionId);
    // Whoever may read a restore's log, perhaps as an output handed on, has not been given the panel by that.
    return log === undefined ? undefined : site.redact(log);
  } catch {
    return undefined;
  }
}
