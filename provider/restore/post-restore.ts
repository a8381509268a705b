import type { NewestPage } from "../feed/types";
import { whyNotAllowed } from "../inputs/allowed-machines";
import type { IntendedRequest, Intent, Mark, RestoreRequest, SendableRequest } from "../inputs/intent";
import { decidingInputs, meansSame } from "../inputs/restore-table";
import type { MachineId, RecoveryPointId } from "../panel/types";
import { markOf } from "../rows/mark";
import {
  type Attempt,
  type BeforePostEnd,
  type BeforePostRules,
  initialBeforePost,
  isFreshForPost,
} from "./before-post-state";
import { followRestore } from "./follow-restore";
import { newProgress, type Underway } from "./restore-progress";
import { limitName, subject, warningText } from "./messages";
import {
  answerLostText,
  questionText,
  noPointChosenText,
  notAllowedText,
  notSentText,
  refusedText,
  beforePostProgressText,
  whyBlocked,
} from "./before-post-messages";
import type { ResultSoFar, Warning } from "./result";
import type { RestoreRun } from "./panel-session";
import { OutOfTime, withPlace, withTimeLimit } from "./turn";
import { poll } from "./poll";
import { Ticker } from "./ticker";
import { beforePostPoller } from "./before-post-poller";

/**
 * Carries out one restore, from its turn in the machine's queue to its end. The only way to a POST. A later attempt may have been posted by an
 * earlier run, so its transactions are looked for first. Turn and place are held until the restore has ended.
 */
export async function postRestore(run: RestoreRun<IntendedRequest>, attempt: Attempt): Promise<ResultSoFar> {
  const { session, request, reporter, totalUntil } = run;
  if (!isSendable(request)) return { result: { kind: "not-posted", reason: noPointChosenText(request) } };
  const { clock, queues, places } = session;
  const machine = request.target.virtualMachineId;
  const queue = queues.of(machine);
  const ticker = new Ticker(clock, reporter.progress);
  const say = (text: string): void => {
    ticker.report(text, () => text);
  };
  if (queue.isFull) say(`waiting for its turn: another restore of machine ${machine} is under way`);
  try {
    return await withTimeLimit(clock, totalUntil, (signal) =>
      withPlace(queue, signal, () => {
        if (places.isFull) say("waiting for a place: recovery:maxConcurrent restores are under way");
        return withPlace(places, signal, () => {
          ticker.stop();
          return postOrAdopt({ ...run, request }, attempt);
        });
      }),
    );
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error;
    return notPosted(request, `${limitName(request, "total")} passed before its turn came.`);
  } finally {
    ticker.stop();
  }
}

function notPosted(request: IntendedRequest, why: string): ResultSoFar {
  return { result: { kind: "not-posted", reason: notSentText(request, why) } };
}

/** A runner held up between the read and the POST reads again, but not for ever. */
const mostAttempts = 5;

/** Waits until the restore may be posted, then posts and follows it; or takes what an earlier run posted. */
async function postOrAdopt(run: RestoreRun<SendableRequest>, attempt: Attempt): Promise<ResultSoFar> {
  const { session, request, owner, reporter } = run;
  const { target, intent, timeouts, retryFailed } = request;
  const { clock, claims } = session;
  const mark = attempt.failedTry?.mark ?? intent.mark;
  const rules: BeforePostRules = {
    ...session,
    ...timeouts,
    target,
    mark,
    retryFailed,
    isClaimed: (id) => claims.isClaimedByAnother(id, owner),
    attempt,
  };
  const progressText = { ...beforePostProgressText(rules), say: reporter.progress };
  for (let tries = 0; tries < mostAttempts; tries++) {
    const state = await poll(run, beforePostPoller(rules), initialBeforePost(clock.now()), { progressText });
    const { end } = state;
    switch (end.how) {
      case "clear": {
        const done = await postAndFollow(run, end.newestPage);
        if (done !== "stale") return done;
        break;
      }
      case "found":
      case "run again":
        return adoptChain(run, mark, end);
      case "question":
        return { result: { kind: "not-posted", reason: questionText(request, end.question) } };
      case "limit":
      case "access-denied":
        return notPosted(request, whyBlocked(request, rules, state));
    }
  }
  return notPosted(
    request,
    `${String(mostAttempts)} times in a row, the panel's newest page was too old when the restore was to be sent: this runner is too busy, or was suspended.`,
  );
}

/** A job on the panel becomes this restore. Taken at once, so that nobody else who hears of the same look takes it too. */
function adoptChain(
  run: RestoreRun,
  mark: Mark,
  end: Extract<BeforePostEnd, { how: "found" | "run again" }>,
): Promise<ResultSoFar> {
  const { session, owner, reporter } = run;
  const rows = end.chain;
  const warning: Warning =
    end.how === "found" ? { kind: "adopted", rows, ageMs: end.ageMs } : { kind: "run again", rows };
  const ids = rows.map((row) => row.id);
  session.claims.claim(ids, owner);
  reporter.warn(warningText(warning));
  const start: Underway = {
    ...newProgress({ kind: "known" }, session.clock.now()),
    above: rows,
    ids,
    warnings: [warning],
  };
  return followRestore(run, start, { adopted: end.how === "found", postedAfter: mark });
}

/**
 * The one place that sends a restore. This process outlives a killed engine, and must not post what is still queued then: so it asks right
 * before if the engine still runs. The page that shows the machine free, and becomes the mark, must still be fresh after that. `stale`: it
 * was not, and nothing was sent.
 */
async function postAndFollow(run: RestoreRun<SendableRequest>, newestPage: NewestPage): Promise<ResultSoFar | "stale"> {
  const { session, request, reporter } = run;
  const { client, clock } = session;
  const { target } = request;
  if (!(await session.isWatched())) {
    return notPosted(request, "the run that asked for it is gone, and nobody would watch it.");
  }
  if (!isFreshForPost(newestPage, clock)) return "stale";
  const why = whyNotAllowed(target.virtualMachineId, session.allowedMachines);
  if (why !== undefined) return { result: { kind: "not-posted", reason: notAllowedText(request, why) } };
  const machine = target.virtualMachineId as MachineId;
  const point = target.recoveryPointId as RecoveryPointId;
  const answer =
    target.kind === "VmRestore"
      ? await client.restoreMachine(machine, point)
      : await client.restoreFiles(machine, point, target.paths ?? []);
  if (answer.kind === "refused") {
    return { result: { kind: "not-posted", reason: refusedText(request, answer.error) } };
  }
  if (answer.kind === "unknown") reporter.warn(answerLostText(answer.error));
  const mark = markOf(newestPage, client.address);
  const start = {
    ...newProgress({ kind: "posted", mark, mayQueue: request.timeouts.busyMs === 0 }, clock.now()),
    posted: answer.kind,
  };
  return followRestore(run, start, { adopted: false, postedAfter: mark });
}

/** True if there is a point to restore from. An intent made while `adopt` named a transaction has none. */
function isSendable(request: IntendedRequest): request is SendableRequest {
  return request.target.recoveryPointId !== undefined;
}

/**
 * Checks the intent of a restore before anything is sent. Without it, nobody could tell after a kill if the restore was posted. The mark of
 * an intent made for something else, or on another panel, says nothing about this restore.
 */
export function requireIntent(
  request: RestoreRequest & { readonly intent?: Intent },
  panel: string,
): { readonly request: IntendedRequest } | { readonly refusal: string } {
  const { intent } = request;
  const refusal = (why: string): { readonly refusal: string } => ({
    refusal: `${subject(request)} was not sent: ${why}`,
  });
  if (intent === undefined) {
    return refusal(
      "its RestoreIntent is missing, which happens when a run is limited to this resource. " +
        "Include the RestoreIntent of the same restore in --target as well, or run `pulumi up` without --target.",
    );
  }
  const differing = (["kind", ...decidingInputs] as const).filter(
    (input) => !meansSame(input, request.target[input], intent.madeFor[input]),
  );
  if (differing.length > 0) {
    return refusal(
      `its intent ${intent.urn} was made for another restore (${differing.join(", ")} differ). ` +
        "Include the intent in --target or --replace, take these properties out of ignoreChanges, or change triggers so that both are made anew.",
    );
  }
  if (intent.mark.panel !== panel) {
    return refusal(
      `its intent was made on the panel ${intent.mark.panel}, and the configured panel is ${panel}. ` +
        "Point the configuration back to that panel, or change triggers to restore on this one.",
    );
  }
  return { request: { ...request, intent } };
}
