import { captureLog } from "./capture-log";
import {
  endOf,
  hasSeenNothing,
  isNotThis,
  reopened,
  takenChains,
  type Follow,
  type FollowRules,
  type Underway,
} from "./follow/follow-state";
import { following } from "./follow/following";
import { recordOf } from "./outcome";
import { notBegun } from "./rows/standing";
import type { Site } from "./site";
import { logTail } from "./telling/mask";
import { completeLine, endedBadly, logEnd, unfinished } from "./telling/messages";
import { sayingNew, warningTexts } from "./telling/warning-text";
import { whileFollowing } from "./telling/while-following";
import type { RestoreRecord } from "./terms/record";
import type { RestorePlan } from "./terms/restore-plan";
import { sayingProgress, type RestoreResult, type Voice } from "./terms/result";
import type { Leaving } from "./turn/leaving";
import { postedUnwatched } from "./turn/posted";
import { waitFor } from "./waits/wait";
import type { Waiting } from "./waits/waiting";

export interface FollowOptions {
  readonly adopted: boolean;
  /** Absent when not even the panel is known. */
  readonly postedAfter: RestoreRecord["postedAfter"];
  /** `accepted`: not even its listing is waited for. */
  readonly until: "accepted" | "listed" | "ended";
  readonly voice: Voice;
  /** For whom transactions are taken. */
  readonly owner: string;
  /** What an earlier run has stored. It stands until the panel shows something else. */
  readonly known?: RestoreRecord;
}

/** One that nobody wanted to wait for to the end is left behind: whoever needs its machine or its place waits for it after all. */
export interface Followed extends Leaving {
  readonly result: RestoreResult;
  readonly state: Follow;
}

/** Follows a restore that is on the panel, or may be, as far as it is to be waited for, and says what that comes to. */
export async function followRestore(
  site: Site,
  plan: RestorePlan,
  start: Underway,
  options: FollowOptions,
): Promise<Followed> {
  const { voice, owner } = options;
  const rules: FollowRules = {
    target: plan.target,
    words: site.words,
    timeouts: plan.timeouts,
    identifiers: site.identifiers,
    isClaimed: (id) => site.claims.isClaimedByAnother(id, owner),
    isOfALater: (row, mark) => site.searches.isOfALater(row, { machine: plan.target.virtualMachineId, mark }),
    until: options.until === "listed" ? "listed" : "ended",
  };
  const machine = plan.target.virtualMachineId;
  const leftOpen = (state: Follow) =>
    postedUnwatched(() => {
      const waiting = claiming(following({ ...rules, until: "ended" }), site, owner);
      return waitFor(site, waiting, reopened(state, site.clock.now()), { machine });
    });
  if (options.until === "accepted") {
    const record = recordOf(start, site.words, options);
    return { result: { kind: "good", record }, state: start, leftBehind: leftOpen(start) };
  }

  let logOutput: string | undefined;
  const sayWarnings = sayingNew(voice, start.warnings);
  const state = await waitFor(site, claiming(following(rules), site, owner, sayWarnings), start, {
    machine,
    telling: { ...whileFollowing, say: sayingProgress(voice) },
    beforeLeaving: async (last) => {
      logOutput = await captureLog(site, plan, last);
    },
  });
  const record =
    options.known && hasSeenNothing(state)
      ? { ...options.known, warnings: warningTexts(state.warnings) }
      : recordOf(state, site.words, options, logOutput);
  const result = resultOf(site, plan, record, state, voice);
  return endOf(state)?.how === "seen" ? { result, state, leftBehind: leftOpen(state) } : { result, state };
}

function resultOf(site: Site, plan: RestorePlan, record: RestoreRecord, state: Follow, voice: Voice): RestoreResult {
  const end = endOf(state);
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
  onWarnings?: (warnings: Follow["warnings"]) => void,
): Waiting<Follow> {
  return {
    ...waiting,
    step(state, event, now) {
      const next = waiting.step(state, event, now);
      const isOurs = !isNotThis(next) && !hasSeenNothing(next);
      if (isOurs && (next.ids !== state.ids || next.phase !== state.phase)) site.claims.claim(next.ids, owner);
      if (next.warnings !== state.warnings) onWarnings?.(next.warnings);
      return next;
    },
  };
}
