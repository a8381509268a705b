import type { Head } from "../feed/watching";
import { decidingInputs, type IntendedPlan, type Intent, meansSame, type RestorePlan } from "../inputs/intent";
import type { MachineId, PostAnswer, RecoveryPointId } from "../panel/types";
import { elapsed } from "../plain/clock";
import { markOf, noLowerThan } from "../rows/mark";
import { adoptEarlier } from "./adopt-earlier";
import {
  type ClearWay,
  clearWayFrom,
  type ClearWayRules,
  isFreshForPost,
  waitingForClearWay,
  whileBlocked,
} from "./clear-way";
import { followRestore } from "./follow-restore";
import { lookingAbove, unseen } from "./follow-state";
import { subject, warningText } from "./messages";
import { answerLost, refused, whyBlocked } from "./not-sent";
import { type RestoreResult, sayingProgress, type Voice, type Warning } from "./result";
import { type Done, notPosted, type OneRun, type Site, totalUntilOf } from "./site";
import {
  type LaneTurn,
  orAborted,
  OutOfTime,
  type Place,
  sayingSo,
  takeTurn,
  within,
  withPlace,
  withTurn,
} from "./turn";
import { waitFor } from "./wait";

/** Whether this process made the intent itself. Only a later attempt looks for what an earlier one has posted. */
export type Attempt = "first" | "later";

/** One restore from its turn in the machine's lane to its end. The only way to a POST. */
export async function runRestore(
  site: Site,
  plan: IntendedPlan,
  attempt: Attempt,
  voice: Voice,
): Promise<RestoreResult> {
  const run: OneRun = { site, plan, voice, totalUntil: totalUntilOf(site.clock, plan) };
  try {
    const turn = await itsTurn(run);
    const { result } = await withTurn(turn, () => inItsTurn(run, turn, attempt));
    return result;
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error;
    const limit = elapsed(plan.timeouts.totalMs ?? 0);
    return notPosted(plan, `the total limit of ${limit} passed before its turn came.`).result;
  }
}

async function inItsTurn(run: OneRun, turn: LaneTurn, attempt: Attempt): Promise<Done> {
  const { plan } = run;
  if (!(await isFreeOfOurs(run, turn))) {
    const limit = elapsed(plan.timeouts.busyMs);
    return notPosted(
      plan,
      `another restore of the machine, posted by this run, has not ended within the busy limit of ${limit}.`,
    );
  }
  const earlier = attempt === "later" && plan.adopt === "auto" ? await adoptEarlier(run) : undefined;
  return earlier ?? postWhenClear(run);
}

function itsTurn(run: OneRun): Promise<LaneTurn> {
  const { lanes, clock } = run.site;
  const machine = run.plan.target.virtualMachineId;
  const isTaken = lanes.isTaken(machine);
  const turn = within(clock, run.totalUntil, (signal) => takeTurn(lanes, machine, signal));
  return isTaken ? sayingTurn(run, turn) : turn;
}

/** True when the machine's previous restore of this process, which nobody waited for, has ended, or is not to be waited for. */
async function isFreeOfOurs(run: OneRun, turn: LaneTurn): Promise<boolean> {
  if (turn.leftBehind === undefined) return true;
  return sayingTurn(run, run.plan.timeouts.busyMs === 0 ? Promise.resolve(true) : hasSettled(run, turn));
}

/** False when the busy limit passes first. The total limit, when that comes before it, ends the run. */
async function hasSettled({ site: { clock }, plan, totalUntil }: OneRun, turn: LaneTurn): Promise<boolean> {
  const busyUntil = clock.now() + plan.timeouts.busyMs;
  const isCutShort = totalUntil !== undefined && totalUntil < busyUntil;
  try {
    await within(clock, isCutShort ? totalUntil : busyUntil, (signal) => orAborted(signal, turn.settle()));
    return true;
  } catch (error) {
    if (error instanceof OutOfTime && !isCutShort) return false;
    throw error;
  }
}

function sayingTurn<T>({ site, plan, voice }: OneRun, wait: Promise<T>): Promise<T> {
  const say = (): void => {
    voice.progress(`waiting for its turn: another restore of machine ${plan.target.virtualMachineId} is under way`);
  };
  return sayingSo(site.clock, say, wait);
}

/** A runner that is held up between a read and the POST reads again, but not for ever. */
const mostTries = 5;

/** Waits for a free machine and a place, posts, and follows what was posted. */
function postWhenClear(run: OneRun): Promise<Done> {
  return withPlace(run.site.slots, async (place) => {
    for (let tries = 0; tries < mostTries; tries++) {
      const way = await findClearWay(run, place);
      if ("blocked" in way) return notPosted(run.plan, way.blocked);
      const done = await postAndFollow(run, way);
      if (done !== "stale") return done;
    }
    return notPosted(
      run.plan,
      `each of ${String(mostTries)} times, what the panel had shown was no longer new when it was to be sent: this runner is too busy, or was suspended.`,
    );
  });
}

/** `stale`: nothing was sent, because what decides about it has grown old meanwhile. */
async function postAndFollow({ site, plan, voice, totalUntil }: OneRun, way: Clear): Promise<Done | "stale"> {
  const mark = noLowerThan(plan.intent.mark, markOf(way.head, site.client.address));
  const answer = await post(site, plan, way.head);
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
  site.searches.posted({ machine: plan.target.virtualMachineId, mark });
  const { warnings } = way;
  for (const warning of warnings) voice.warn(warningText(warning));
  const search = lookingAbove(mark, "this run");
  const start = { ...unseen(search, site.clock.now(), totalUntil), posted: answer.kind, warnings };
  return followRestore(site, plan, start, {
    adopted: false,
    postedAfter: mark,
    until: plan.wait ? "ended" : answer.kind === "accepted" ? "accepted" : "listed",
    voice,
    owner: plan.intent.id,
  });
}

/** The machine was free in a read made a moment ago, and a place among the concurrent restores is held. */
interface Clear {
  readonly head: Head;
  readonly warnings: readonly Warning[];
}

export type Way = Clear | { readonly blocked: string };

/**
 * Waits until the machine is free and there is a place for one more restore. Time spent on the one makes what is known of
 * the other old, so after waiting for a place the machine is looked at once more, and a busy machine holds no place. Who holds a
 * place already, but has let too much time pass since the last look, comes with it.
 */
async function findClearWay(run: OneRun, place: Place): Promise<Way> {
  const { site, plan } = run;
  const asksNobody = plan.timeouts.busyMs === 0;
  let began = site.clock.now();
  for (;;) {
    if (place.isHeld) {
      const still = await lookAtMachine(run, asksNobody ? "read" : "look", began);
      if (still.end?.how === "clear") return { head: still.end.head, warnings: doubts(still) };
      place.giveBack();
      if (still.end?.how !== "busy") return { blocked: whyBlocked(plan, site.requestTimeoutMs, still) };
    }
    const free = await lookAtMachine(run, asksNobody ? "read" : "clear", began);
    if (free.end?.how !== "clear") return { blocked: whyBlocked(plan, site.requestTimeoutMs, free) };
    if (place.takeFree()) return { head: free.end.head, warnings: doubts(free) };

    const asked = site.clock.now();
    await waitForPlace(run, place);
    // The busy limit is for the machine: a fleet may wait hours for its places.
    began += site.clock.now() - asked;
  }
}

function waitForPlace({ site, voice, totalUntil }: OneRun, place: Place): Promise<void> {
  const say = (): void => {
    voice.progress("waiting for a place: as many restores as recovery:maxConcurrent allows are under way");
  };
  return sayingSo(
    site.clock,
    say,
    within(site.clock, totalUntil, (signal) => place.take(signal)),
  );
}

function lookAtMachine(
  { site, plan, voice, totalUntil }: OneRun,
  until: ClearWayRules["until"],
  began: number,
): Promise<ClearWay> {
  const machine = plan.target.virtualMachineId;
  const now = site.clock.now();
  // However short the limit, the panel gets the time of one request to answer.
  const busyUntil = Math.max(began + plan.timeouts.busyMs, now + site.requestTimeoutMs);
  const waiting = waitingForClearWay({ machine, words: site.words, identifiers: site.identifiers, until });
  return waitFor(site, waiting, clearWayFrom(now, busyUntil, totalUntil), {
    machine,
    telling: { ...whileBlocked(site.words), say: sayingProgress(voice) },
  });
}

/** What may keep the machine busy, and was passed over because nothing tells. */
function doubts({ doubtful, logUnreadable }: ClearWay): readonly Warning[] {
  if (logUnreadable === undefined || doubtful.length === 0) return [];
  return [{ kind: "not waited for", transactionIds: doubtful.map(({ row }) => row.id), trouble: logUnreadable }];
}

/**
 * Whether a restore may be carried out at all. Without its intent nobody could tell after a kill whether it was posted; with
 * an intent that was made for something else, or on another panel, its mark says nothing about this restore.
 */
export function permit(
  plan: RestorePlan & { readonly intent?: Intent },
  panel: string,
): { readonly plan: IntendedPlan } | { readonly refusal: string } {
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

/**
 * The one place that sends a restore. The process that carries this code outlives an engine that was killed, and what was
 * still queued in it then would be posted by a run nobody watches, so the engine is asked for right before. After the answer
 * the page by which the machine is free and the mark is made must still be as good as new: else nothing is sent.
 */
async function post(
  site: Site,
  plan: IntendedPlan,
  head: Head,
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
