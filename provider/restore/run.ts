import type { Earlier } from "./rows/adopt";
import { lookingBack, lookingBackFrom, type LookBackEnd, type LookedBack } from "./waits/earlier";
import { followHolding } from "./follow-restore";
import { lookingFrom, type Follow } from "./waits/follow";
import { markOf } from "./rows/mark";
import { subject, withoutStop } from "./telling/messages";
import type { IntendedPlan } from "./terms/restore-plan";
import { post } from "./post";
import type { Posted } from "./turn/posted";
import { whileLookingBack } from "./telling/while-looking-back";
import { elapsed } from "../time/elapsed";
import { sayingProgress, type RestoreResult, type Voice } from "./terms/result";
import type { Site } from "./site";
import type { Slot } from "./turn/slots";
import { OutOfTime, sayingSo, takeTurn, within } from "./turn/turn";
import { waitFor } from "./waits/wait";
import { findClearWay, type Way } from "./way";

/** Whether this process made the intent itself. Only a later attempt looks for what an earlier one has posted. */
export type Attempt = "first" | "later";

/** One restore from its turn in the machine's lane to its end. The only place from which a restore is posted. */
export async function runRestore(
  site: Site,
  plan: IntendedPlan,
  attempt: Attempt,
  voice: Voice,
): Promise<RestoreResult> {
  const { clock } = site;
  const machine = plan.target.virtualMachineId;
  const began = clock.now();
  const totalUntil = plan.timeouts.totalMs === undefined ? undefined : began + plan.timeouts.totalMs;
  let leaveBehind: Posted | undefined;
  try {
    const sayTurn = (): void => {
      voice.progress(`waiting for its turn: another restore of machine ${machine} is under way`);
    };
    const isTaken = site.lanes.isTaken(machine);
    const itsTurn = within(clock, totalUntil, (signal) => takeTurn(site.lanes, machine, signal));
    const turn = await (isTaken ? sayingSo(clock, sayTurn, itsTurn) : itsTurn);
    try {
      leaveBehind = turn.leftBehind;
      const itsEnd = settleLeftBehind(site, plan, turn.leftBehind, totalUntil);
      const settled = await (turn.leftBehind ? sayingSo(clock, sayTurn, itsEnd) : itsEnd);
      if (!settled) {
        return notPosted(
          plan,
          `another restore of the machine, posted by this run, has not ended within the busy limit of ${elapsed(plan.timeouts.busyMs)}.`,
        );
      }
      leaveBehind = undefined;

      if (attempt === "later" && plan.adopt === "auto") {
        const back = await lookBack(site, plan, totalUntil, voice);
        switch (back.decision.found) {
          case "adoptable": {
            const adopted = await adopt(site, plan, back.decision, totalUntil, voice);
            leaveBehind = adopted.leftBehind;
            return adopted.result;
          }
          case "too-old":
            return { kind: "not-posted", reason: tooOld(plan, back.decision) };
          case "turned-away":
            return notPosted(plan, back.decision.error.message);
          case "out-of-time":
            return notPosted(plan, notFoundOut(site, plan, back.decision, back.seen));
          case "nothing":
        }
      }

      const carriedOut = await postWhenClear(site, plan, totalUntil, voice);
      leaveBehind = carriedOut.leftBehind;
      return carriedOut.result;
    } finally {
      turn.leave(leaveBehind);
    }
  } catch (error) {
    if (error instanceof OutOfTime) {
      return notPosted(plan, `the total limit of ${elapsed(plan.timeouts.totalMs ?? 0)} passed before its turn came.`);
    }
    throw error;
  }
}

interface CarriedOut {
  readonly result: RestoreResult;
  readonly leftBehind?: Posted;
}

/** A runner that is held up between a read and the POST reads again, but not for ever. */
const mostTries = 5;

async function postWhenClear(
  site: Site,
  plan: IntendedPlan,
  totalUntil: number | undefined,
  voice: Voice,
): Promise<CarriedOut> {
  let held: Slot | undefined;
  try {
    for (let tries = 0; tries < mostTries; tries++) {
      const way = await findClearWay(site, plan, totalUntil, voice, held);
      if ("blocked" in way) return { result: notPosted(plan, way.blocked) };
      held = way.slot;
      const carriedOut = await postAndFollow(site, plan, way, totalUntil, voice);
      if (carriedOut !== "stale") return carriedOut;
    }
    return {
      result: notPosted(
        plan,
        `each of ${String(mostTries)} times, what the panel had shown was no longer new when it was to be sent: this runner is too busy, or was suspended.`,
      ),
    };
  } finally {
    // Whoever left with the place, or left the restore behind in it, has given it on; a throw has not.
    held?.release();
  }
}

/** `stale`: nothing was sent, because what decides about it has grown old meanwhile. */
async function postAndFollow(
  site: Site,
  plan: IntendedPlan,
  way: Exclude<Way, { readonly blocked: string }>,
  totalUntil: number | undefined,
  voice: Voice,
): Promise<CarriedOut | "stale"> {
  const mark = markOf(way.head, site.client.address);
  const answer = await post(site, plan, way.head);
  switch (answer.kind) {
    case "stale":
      return "stale";
    case "unwatched":
      return { result: notPosted(plan, "the run that asked for it is gone, and nobody would watch it.") };
    case "refused":
      return {
        result: {
          kind: "not-posted",
          reason: `${subject(plan)} was refused, nothing was carried out: ${answer.error.message}`,
        },
      };
    case "unknown":
      voice.warn(
        `the panel's answer to the restore was lost (${answer.error.message}); it is not sent again, its transaction is looked for`,
      );
      break;
    case "accepted":
  }
  const { warnings } = way;
  for (const warning of warnings) voice.warn(warning);
  const start: Follow = { ...lookingFrom(site.clock.now(), totalUntil), mark, posted: answer.kind, warnings };
  return followHolding(way.slot, site, plan, start, {
    adopted: false,
    postedAfter: mark,
    until: plan.wait ? "ended" : answer.kind === "accepted" ? "accepted" : "listed",
    voice,
    owner: plan.intent.id,
  });
}

function notPosted(plan: IntendedPlan, why: string): RestoreResult {
  return {
    kind: "not-posted",
    reason: `${subject(plan)} was not sent: ${why} Nothing was changed; the next \`pulumi up\` tries again.`,
  };
}

/** True when the machine's previous restore of this process, which nobody waited for, has ended or there is none. */
async function settleLeftBehind(
  site: Site,
  plan: IntendedPlan,
  leftBehind: Posted | undefined,
  totalUntil: number | undefined,
): Promise<boolean> {
  if (leftBehind === undefined || plan.timeouts.busyMs === 0) return true;
  const busyUntil = site.clock.now() + plan.timeouts.busyMs;
  const isCutShort = totalUntil !== undefined && totalUntil < busyUntil;
  const until = isCutShort ? totalUntil : busyUntil;
  try {
    await within(site.clock, until, (signal) =>
      Promise.race([
        leftBehind.settle(),
        new Promise<never>((_resolve, reject) => {
          signal.addEventListener("abort", () => {
            reject(new OutOfTime("out of time"));
          });
        }),
      ]),
    );
    return true;
  } catch (error) {
    if (error instanceof OutOfTime && !isCutShort) return false;
    throw error;
  }
}

async function lookBack(
  site: Site,
  plan: IntendedPlan,
  totalUntil: number | undefined,
  voice: Voice,
): Promise<{ readonly decision: LookBackEnd; readonly seen: LookedBack }> {
  const now = site.clock.now();
  const waiting = lookingBack({
    target: plan.target,
    intent: plan.intent,
    words: site.words,
    adoptWindowMs: site.adoptWindowMs,
    identifiers: site.identifiers,
    isClaimed: (id) => site.claims.isClaimedByAnother(id, plan.intent.id),
    wallAheadMs: site.clock.wallTime().getTime() - now,
  });
  const start = lookingBackFrom(now, now + site.requestTimeoutMs + plan.timeouts.listedMs, totalUntil);
  const state = await waitFor(site, waiting, start, {
    machine: plan.target.virtualMachineId,
    telling: { ...whileLookingBack, say: sayingProgress(voice) },
  });
  if (state.phase !== "decided") throw new Error("a look back ended undecided");
  return state;
}

type Found = Exclude<Earlier, { found: "nothing" }>;

async function adopt(
  site: Site,
  plan: IntendedPlan,
  earlier: Found,
  totalUntil: number | undefined,
  voice: Voice,
): ReturnType<typeof followHolding> {
  const rows = earlier.chains.flat();
  const actions = [...new Set(rows.map((row) => row.action ?? "no action given"))];
  const warning =
    `adopted transaction ${rows.map((row) => row.id).join(", ")} (${actions.join(", ")}, ${elapsed(earlier.ageMs)} ago) as this ` +
    "restore: an earlier run was interrupted after posting it, and nothing was posted again";
  voice.warn(warning);
  const ids = rows.map((row) => row.id);
  site.claims.claim(ids, plan.intent.id);
  return followHolding(
    site.slots.occupy(),
    site,
    plan,
    { ...lookingFrom(site.clock.now(), totalUntil), rows, ids, warnings: [warning] },
    {
      adopted: true,
      postedAfter: plan.intent.mark,
      until: plan.wait ? "ended" : "listed",
      voice,
      owner: plan.intent.id,
    },
  );
}

function notFoundOut(
  { requestTimeoutMs }: Site,
  { timeouts }: IntendedPlan,
  { limit, unjudged }: Extract<LookBackEnd, { found: "out-of-time" }>,
  { lastTrouble }: LookedBack,
): string {
  const trouble = lastTrouble === undefined ? "" : ` (${withoutStop(lastTrouble)})`;
  const unknown = `it could not be found out whether an earlier run has posted it${trouble}`;
  if (limit !== "total") {
    const more = unjudged.length > 5 ? ` and ${String(unjudged.length - 5)} more` : "";
    const doubt =
      unjudged.length === 0
        ? ""
        : ` Neither the list nor the machine's log tells whose transaction ${unjudged.slice(0, 5).join(", ")}${more} is.`;
    return (
      `${unknown}.${doubt} If that stays so, look for it on the panel: adopt: "<transaction id>" takes its transaction, ` +
      'adopt: "never" posts it without looking, and so do new triggers: only when you are sure that none of it runs any more.'
    );
  }
  return (
    `${unknown} within the total limit of ${elapsed(timeouts.totalMs ?? 0)}. Looking for it takes ${elapsed(requestTimeoutMs + timeouts.listedMs)}: ` +
    "give it a longer timeouts.total, or a shorter timeouts.listed."
  );
}

function tooOld(plan: IntendedPlan, { chains, ageMs }: Found): string {
  const ids = chains.flatMap((chain) => chain.map((row) => row.id));
  return (
    `${subject(plan)} was not sent: an earlier run of it seems to have been carried out as transaction ${ids.join(", ")}, complete ` +
    `since ${elapsed(ageMs)}, which is longer than the adopt window. Set adopt: "${ids.at(-1) ?? ""}" to take that as this restore, ` +
    'adopt: "never" to post a new one, or change triggers.'
  );
}
