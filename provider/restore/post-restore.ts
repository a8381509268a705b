import type { NewestPage } from "../feed/types";
import { whyNotAllowed } from "../inputs/allowed-machines";
import type { IntendedRequest, Intent, RestoreRequest, SendableRequest } from "../inputs/intent";
import { decidingInputs, meansSame } from "../inputs/restore-table";
import type { MachineId, PostAnswer, RecoveryPointId } from "../panel/types";
import { laterAttemptFrom, type LaterAttempt } from "../rows/match-transactions";
import { markOf } from "../rows/mark";
import { type BeforePostState, initialBeforePost, type BeforePostEnd, isFreshForPost } from "./before-post-state";
import { followRestore } from "./follow-restore";
import { newProgress } from "./restore-progress";
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
import type { ResultSoFar, Reporter, Warning } from "./result";
import { progressSink } from "./result";
import { type RestoreRun, type PanelSession, totalUntilOf } from "./panel-session";
import { OutOfTime, type Place, sayWhileWaiting, withTimeLimit } from "./turn";
import { poll } from "./poll";
import { beforePostPoller } from "./before-post-poller";

/**
 * Carries out one restore, from its turn in the machine's queue to its end. The only way to a POST. `later`: an earlier run may have posted
 * it, so its transactions are looked for first.
 */
export async function postRestore(
  session: PanelSession,
  request: IntendedRequest,
  later: LaterAttempt | undefined,
  reporter: Reporter,
): Promise<ResultSoFar> {
  if (!isSendable(request)) return { result: { kind: "not-posted", reason: noPointChosenText(request) } };
  const run: RestoreRun = { session, request, reporter, totalUntil: totalUntilOf(session.clock, request) };
  const machine = request.target.virtualMachineId;
  let begin: () => void = () => undefined;
  const itsTurn = new Promise<void>((resolve) => (begin = resolve));
  if (session.queues.isTaken(machine)) {
    const say = (): void => {
      reporter.progress(`waiting for its turn: another restore of machine ${machine} is under way`);
    };
    void sayWhileWaiting(session.clock, say, itsTurn);
  }
  try {
    return await withTimeLimit(session.clock, run.totalUntil, (signal) =>
      session.queues.inTurn(machine, signal, () => {
        begin();
        return session.slots.withPlace((place) => postOrAdopt(run, place, later));
      }),
    );
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error;
    return notPosted(request, `${limitName(request, "total")} passed before its turn came.`);
  } finally {
    begin();
  }
}

function notPosted(request: IntendedRequest, why: string): ResultSoFar {
  return { result: { kind: "not-posted", reason: notSentText(request, why) } };
}

/** A runner held up between the read and the POST reads again, but not for ever. */
const mostAttempts = 5;

/** Waits until the restore may be posted, then posts and follows it; or takes what an earlier run posted. */
async function postOrAdopt(run: RestoreRun, place: Place, later: LaterAttempt | undefined): Promise<ResultSoFar> {
  const { session, request } = run;
  for (let tries = 0; tries < mostAttempts; tries++) {
    const end = await waitUntilClear(run, place, later);
    switch (end.how) {
      case "clear": {
        const done = await postAndFollow(run, end.newestPage);
        if (done !== "stale") return done;
        break;
      }
      case "found":
        return adoptChain(run, place, end);
      case "question":
        return { result: { kind: "not-posted", reason: questionText(request, end.question) } };
      case "blocked":
        return notPosted(request, whyBlocked(request, session.requestTimeoutMs, end.state));
    }
  }
  return notPosted(
    request,
    `${String(mostAttempts)} times in a row, the panel's newest page was too old when the restore was to be sent: this runner is too busy, or was suspended.`,
  );
}

type BeforePostOutcome =
  | Extract<BeforePostEnd, { how: "clear" | "found" | "question" }>
  | { readonly how: "blocked"; readonly state: BeforePostState };

/**
 * Waits until the machine is free and a place for one more restore is there. After a wait for a place the machine is read once more,
 * because the last read is old by then. A busy machine holds no place.
 */
async function waitUntilClear(
  run: RestoreRun,
  place: Place,
  later: LaterAttempt | undefined,
): Promise<BeforePostOutcome> {
  const { session, totalUntil } = run;
  let waitedMs = 0;
  for (;;) {
    const began = session.clock.now() - waitedMs;
    const until = place.isHeld ? "one read" : "clear";
    const state = await pollBeforePost(run, later, until, began);
    const { end } = state;
    if (end?.how === "found" || end?.how === "question") return end;
    if (end?.how === "busy") place.giveBack();
    else if (end?.how !== "clear") return { how: "blocked", state };
    else if (place.takeIfFree()) return end;
    else {
      waitedMs = session.clock.now() - began;
      const say = (): void => {
        run.reporter.progress("waiting for a place: as many restores as recovery:maxConcurrent allows are under way");
      };
      const wait = withTimeLimit(session.clock, totalUntil, (signal) => place.take(signal));
      await sayWhileWaiting(session.clock, say, wait);
    }
  }
}

function pollBeforePost(
  { session, request, reporter, totalUntil }: RestoreRun,
  later: LaterAttempt | undefined,
  until: "clear" | "one read",
  since: number,
): Promise<BeforePostState> {
  const { target, intent, timeouts } = request;
  const rules = {
    target,
    mark: intent.mark,
    words: session.words,
    ...timeouts,
    requestTimeoutMs: session.requestTimeoutMs,
    adoptWindowMs: session.adoptWindowMs,
    retryFailed: request.retryFailed,
    isClaimed: (id: string) => session.claims.isClaimedByAnother(id, intent.id),
    later,
    until,
  };
  return poll(session, beforePostPoller(rules), initialBeforePost(since, totalUntil), {
    machine: target.virtualMachineId,
    progressText: { ...beforePostProgressText(rules), say: progressSink(reporter) },
  });
}

/** Takes an earlier run's POST as this restore. It is claimed at once, so that no other poll of the same read takes it too. */
function adoptChain(
  run: RestoreRun,
  place: Place,
  { chain, ageMs }: Extract<BeforePostEnd, { how: "found" }>,
): Promise<ResultSoFar> {
  const { session, request, reporter, totalUntil } = run;
  const ids = chain.map((row) => row.id);
  session.claims.claim(ids, request.intent.id);
  place.occupy();
  const warning: Warning = { kind: "adopted", rows: chain, ageMs };
  reporter.warn(warningText(warning));
  const start = {
    ...newProgress({ kind: "known" }, session.clock.now(), totalUntil),
    rows: chain,
    ids,
    warnings: [warning],
  };
  return followRestore(session, request, start, {
    adopted: true,
    postedAfter: request.intent.mark,
    reporter,
    owner: request.intent.id,
  });
}

/** `stale`: nothing was sent, because the page that decides has grown old meanwhile. */
async function postAndFollow(
  { session, request, reporter, totalUntil }: RestoreRun,
  newestPage: NewestPage,
): Promise<ResultSoFar | "stale"> {
  const mark = markOf(newestPage, session.client.address);
  const answer = await sendPost(session, request, newestPage);
  switch (answer.kind) {
    case "stale":
      return "stale";
    case "unwatched":
      return notPosted(request, "the run that asked for it is gone, and nobody would watch it.");
    case "not-allowed":
      return { result: { kind: "not-posted", reason: notAllowedText(request, answer.why) } };
    case "refused":
      return { result: { kind: "not-posted", reason: refusedText(request, answer.error) } };
    case "unknown":
      reporter.warn(answerLostText(answer.error));
      break;
    case "accepted":
  }
  const start = {
    ...newProgress(
      { kind: "posted", mark, ...(mark.newestId === undefined && { later: laterAttemptFrom(mark, false) }) },
      session.clock.now(),
      totalUntil,
    ),
    posted: answer.kind,
    olderChainIds: newestPage.rows.flatMap(({ chainId }) => chainId ?? []),
  };
  return followRestore(session, request, start, {
    adopted: false,
    postedAfter: mark,
    reporter,
    owner: request.intent.id,
  });
}

/**
 * The one place that sends a restore. This process outlives a killed engine, and must not post what is still queued then: so it asks right
 * before if the engine still runs. The page that shows the machine free, and becomes the mark, must still be fresh after that; else nothing
 * is sent.
 */
async function sendPost(
  session: PanelSession,
  request: SendableRequest,
  newestPage: NewestPage,
): Promise<
  PostAnswer | { readonly kind: "unwatched" | "stale" } | { readonly kind: "not-allowed"; readonly why: string }
> {
  if (!(await session.isWatched())) return { kind: "unwatched" };
  if (!isFreshForPost(newestPage, session.clock)) return { kind: "stale" };
  const { target } = request;
  const why = whyNotAllowed(target.virtualMachineId, session.allowedMachines);
  if (why !== undefined) return { kind: "not-allowed", why };
  const machine = target.virtualMachineId as MachineId;
  const point = target.recoveryPointId as RecoveryPointId;
  return target.kind === "VmRestore"
    ? session.client.restoreMachine(machine, point)
    : session.client.restoreFiles(machine, point, target.paths ?? []);
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
  const who = subject(request);
  if (intent === undefined) {
    return {
      refusal:
        `${who} was not sent: its RestoreIntent is missing, which happens when a run is limited to this resource. ` +
        "Include the RestoreIntent of the same restore in --target as well, or run `pulumi up` without --target.",
    };
  }
  const differing = (["kind", ...decidingInputs] as const).filter(
    (input) => !meansSame(input, request.target[input], intent.madeFor[input]),
  );
  if (differing.length > 0) {
    return {
      refusal:
        `${who} was not sent: its intent ${intent.urn} was made for another restore (${differing.join(", ")} differ). ` +
        "Include the intent in --target or --replace, take these properties out of ignoreChanges, or change triggers so that both are made anew.",
    };
  }
  if (intent.mark.panel !== panel) {
    return {
      refusal:
        `${who} was not sent: its intent was made on the panel ${intent.mark.panel}, and the configured panel is ${panel}. ` +
        "Point the configuration back to that panel, or change triggers to restore on this one.",
    };
  }
  return { request: { ...request, intent } };
}
