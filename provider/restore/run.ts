import type { NewestPage } from "../feed/types";
import type { IntendedRequest, Intent, RestoreRequest, SendableRequest } from "../inputs/intent";
import { decidingInputs, meansSame } from "../inputs/restore-table";
import type { MachineId, PostAnswer, RecoveryPointId } from "../panel/types";
import { laterAttemptFrom, type LaterAttempt } from "../rows/match-transactions";
import { markOf } from "../rows/mark";
import { type BeforePost, beforePost, type BeforePostEnd, isFreshForPost } from "./before-post";
import { followRestore } from "./follow-restore";
import { unseen } from "./follow";
import { limitName, subject, warningText } from "./messages";
import { answerLost, asked, noPointChosen, notSent, refused, whileWaiting, whyBlocked } from "./not-sent";
import type { Done, Voice, Warning } from "./result";
import { sayingProgress } from "./result";
import { type OneRun, type Site, totalUntilOf } from "./site";
import { OutOfTime, type Place, sayingSo, within } from "./turn";
import { waitFor } from "./wait";
import { waitingBeforePost } from "./waiting-before-post";

/**
 * One restore from its turn in the machine's queue to its end. The only way to a POST. `later`: an earlier run may have posted it, and
 * what it may have left on the panel is looked for first.
 */
export async function runRestore(
  site: Site,
  plan: IntendedRequest,
  later: LaterAttempt | undefined,
  voice: Voice,
): Promise<Done> {
  if (!isSendable(plan)) return { result: { kind: "not-posted", reason: noPointChosen(plan) } };
  const run: OneRun = { site, plan, voice, totalUntil: totalUntilOf(site.clock, plan) };
  const machine = plan.target.virtualMachineId;
  let begin: () => void = () => undefined;
  const itsTurn = new Promise<void>((resolve) => (begin = resolve));
  if (site.queues.isTaken(machine)) {
    const say = (): void => {
      voice.progress(`waiting for its turn: another restore of machine ${machine} is under way`);
    };
    void sayingSo(site.clock, say, itsTurn);
  }
  try {
    return await within(site.clock, run.totalUntil, (signal) =>
      site.queues.inTurn(machine, signal, () => {
        begin();
        return site.slots.with((place) => carryOut(run, place, later));
      }),
    );
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error;
    return notPosted(plan, `${limitName(plan, "total")} passed before its turn came.`);
  } finally {
    begin();
  }
}

function notPosted(plan: IntendedRequest, why: string): Done {
  return { result: { kind: "not-posted", reason: notSent(plan, why) } };
}

/** A runner that is held up between a read and the POST reads again, but not for ever. */
const mostTries = 5;

/** Waits until it may be posted, and posts and follows it; or takes what an earlier run has posted. */
async function carryOut(run: OneRun, place: Place, later: LaterAttempt | undefined): Promise<Done> {
  const { site, plan } = run;
  for (let tries = 0; tries < mostTries; tries++) {
    const end = await untilClear(run, place, later);
    switch (end.how) {
      case "clear": {
        const done = await postAndFollow(run, end.head);
        if (done !== "stale") return done;
        break;
      }
      case "found":
        return adopt(run, place, end);
      case "question":
        return { result: { kind: "not-posted", reason: asked(plan, end.question) } };
      case "blocked":
        return notPosted(plan, whyBlocked(plan, site.requestTimeoutMs, end.state));
    }
  }
  return notPosted(
    plan,
    `each of ${String(mostTries)} times, what the panel had shown was no longer new when it was to be sent: this runner is too busy, or was suspended.`,
  );
}

type BeforeEnd =
  | Extract<BeforePostEnd, { how: "clear" | "found" | "question" }>
  | { readonly how: "blocked"; readonly state: BeforePost };

/**
 * Until the machine is free and there is a place for one more restore. Time spent on the one makes what is known of the other old, so after
 * waiting for a place the machine is looked at once more, and a busy machine holds no place.
 */
async function untilClear(run: OneRun, place: Place, later: LaterAttempt | undefined): Promise<BeforeEnd> {
  const { site, totalUntil } = run;
  let waitedMs = 0;
  for (;;) {
    const began = site.clock.now() - waitedMs;
    const until = place.isHeld ? "look" : "clear";
    const state = await look(run, later, until, began);
    const { end } = state;
    if (end?.how === "found" || end?.how === "question") return end;
    if (end?.how === "busy") place.giveBack();
    else if (end?.how !== "clear") return { how: "blocked", state };
    else if (place.takeFree()) return end;
    else {
      waitedMs = site.clock.now() - began;
      const say = (): void => {
        run.voice.progress("waiting for a place: as many restores as recovery:maxConcurrent allows are under way");
      };
      const wait = within(site.clock, totalUntil, (signal) => place.take(signal));
      await sayingSo(site.clock, say, wait);
    }
  }
}

function look(
  { site, plan, voice, totalUntil }: OneRun,
  later: LaterAttempt | undefined,
  until: "clear" | "look",
  since: number,
): Promise<BeforePost> {
  const { target, intent, timeouts } = plan;
  const rules = {
    target,
    mark: intent.mark,
    words: site.words,
    ...timeouts,
    requestTimeoutMs: site.requestTimeoutMs,
    adoptWindowMs: site.adoptWindowMs,
    retryFailed: plan.retryFailed,
    isClaimed: (id: string) => site.claims.isClaimedByAnother(id, intent.id),
    later,
    until,
  };
  return waitFor(site, waitingBeforePost(rules), beforePost(since, totalUntil), {
    machine: target.virtualMachineId,
    telling: { ...whileWaiting(rules), say: sayingProgress(voice) },
  });
}

/** What an earlier run has posted becomes this restore. Taken at once, so that nobody else who hears of the same look takes it too. */
function adopt(run: OneRun, place: Place, { chain, ageMs }: Extract<BeforePostEnd, { how: "found" }>): Promise<Done> {
  const { site, plan, voice, totalUntil } = run;
  const ids = chain.map((row) => row.id);
  site.claims.claim(ids, plan.intent.id);
  place.occupy();
  const warning: Warning = { kind: "adopted", rows: chain, ageMs };
  voice.warn(warningText(warning));
  const start = { ...unseen({ kind: "known" }, site.clock.now(), totalUntil), rows: chain, ids, warnings: [warning] };
  return followRestore(site, plan, start, {
    adopted: true,
    postedAfter: plan.intent.mark,
    voice,
    owner: plan.intent.id,
  });
}

/** `stale`: nothing was sent, because what decides about it has grown old meanwhile. */
async function postAndFollow({ site, plan, voice, totalUntil }: OneRun, head: NewestPage): Promise<Done | "stale"> {
  const mark = markOf(head, site.client.address);
  const answer = await post(site, plan, head);
  switch (answer.kind) {
    case "stale":
      return "stale";
    case "unwatched":
      return notPosted(plan, "the run that asked for it is gone, and nobody would watch it.");
    case "refused":
      return { result: { kind: "not-posted", reason: refused(plan, answer.error) } };
    case "unknown":
      voice.warn(answerLost(answer.error));
      break;
    case "accepted":
  }
  const start = {
    ...unseen(
      { kind: "posted", mark, ...(mark.newestId === undefined && { later: laterAttemptFrom(mark, false) }) },
      site.clock.now(),
      totalUntil,
    ),
    posted: answer.kind,
    begunBefore: head.rows.flatMap(({ chainId }) => chainId ?? []),
  };
  return followRestore(site, plan, start, { adopted: false, postedAfter: mark, voice, owner: plan.intent.id });
}

/**
 * The one place that sends a restore. The process that carries this code outlives an engine that was killed, and what was still queued in it
 * then would be posted by a run nobody watches, so the engine is asked for right before. After the answer the page by which the machine is
 * free and the mark is made must still be as good as new: else nothing is sent.
 */
async function post(
  site: Site,
  plan: SendableRequest,
  head: NewestPage,
): Promise<PostAnswer | { readonly kind: "unwatched" | "stale" }> {
  if (!(await site.isWatched())) return { kind: "unwatched" };
  if (!isFreshForPost(head, site.clock)) return { kind: "stale" };
  const { target } = plan;
  const machine = target.virtualMachineId as MachineId;
  const point = target.recoveryPointId as RecoveryPointId;
  return target.kind === "VmRestore"
    ? site.client.restoreMachine(machine, point)
    : site.client.restoreFiles(machine, point, target.paths ?? []);
}

/** Whether there is a point to restore from: an intent whose restore named a transaction in `adopt` has chosen none. */
function isSendable(plan: IntendedRequest): plan is SendableRequest {
  return plan.target.recoveryPointId !== undefined;
}

/**
 * Whether a restore may be carried out at all. Without its intent nobody could tell after a kill whether it was posted; with
 * an intent that was made for something else, or on another panel, its mark says nothing about this restore.
 */
export function permit(
  plan: RestoreRequest & { readonly intent?: Intent },
  panel: string,
): { readonly plan: IntendedRequest } | { readonly refusal: string } {
  const { intent } = plan;
  const who = subject(plan);
  if (intent === undefined) {
    return {
      refusal:
        `${who} was not sent: its RestoreIntent is missing, which happens when a run is limited to this resource. ` +
        "Include the RestoreIntent of the same restore in --target as well, or run `pulumi up` without --target.",
    };
  }
  const differing = (["kind", ...decidingInputs] as const).filter(
    (input) => !meansSame(input, plan.target[input], intent.madeFor[input]),
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
  return { plan: { ...plan, intent } };
}
