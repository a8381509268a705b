import type { Head } from "../feed/watching";
import { clearWayFrom, waitingForClearWay, type ClearWay, type ClearWayRules } from "./waits/clear-way";
import { withoutStop } from "./telling/messages";
import type { IntendedPlan, RestorePlan } from "./terms/restore-plan";
import { elapsed } from "../time/elapsed";
import { sayingProgress, type Voice } from "./terms/result";
import { whileBlocked } from "./telling/while-blocked";
import type { Site } from "./site";
import type { Slot } from "./turn/slots";
import { sayingSo, within } from "./turn/turn";
import { waitFor } from "./waits/wait";

export type Way =
  /** The machine was free in a read made a moment ago, and a place among the concurrent restores is held. */
  { readonly head: Head; readonly slot: Slot; readonly warnings: readonly string[] } | { readonly blocked: string };

/**
 * Waits until the machine is free and there is a place for one more restore. Time spent on the one makes what is known of
 * the other old, so after waiting for a place the machine is looked at once more, and a busy machine holds no place. Who holds a
 * place already, but has let too much time pass since the last look, brings it along.
 */
export async function findClearWay(
  site: Site,
  plan: IntendedPlan,
  totalUntil: number | undefined,
  voice: Voice,
  held?: Slot,
): Promise<Way> {
  let began = site.clock.now();
  let slot = held;
  const ignoreBusy = plan.timeouts.busyMs === 0;
  for (;;) {
    if (slot !== undefined) {
      const still = await lookHolding(slot, site, plan, ignoreBusy ? "read" : "look", began, totalUntil, voice);
      if (still.end?.how === "clear") return { head: still.end.head, slot, warnings: doubts(still) };
      if (still.end?.how !== "busy") return { blocked: whyBlocked(site, plan, still) };
    }
    const free = await lookAtMachine(site, plan, ignoreBusy ? "read" : "clear", began, totalUntil, voice);
    if (free.end?.how !== "clear") return { blocked: whyBlocked(site, plan, free) };
    if (!site.slots.full) return { head: free.end.head, slot: site.slots.occupy(), warnings: doubts(free) };

    const asked = site.clock.now();
    slot = await sayingSo(
      site.clock,
      () => {
        voice.progress("waiting for a place: as many restores as recovery:maxConcurrent allows are under way");
      },
      within(site.clock, totalUntil, (signal) => site.slots.acquire(signal)),
    );
    // The busy limit is for the machine: a fleet may wait hours for its places.
    began += site.clock.now() - asked;
  }
}

/** One look by somebody who holds a place, which is given back unless the machine is free. */
async function lookHolding(slot: Slot, ...look: Parameters<typeof lookAtMachine>): Promise<ClearWay> {
  let isFree = false;
  try {
    const state = await lookAtMachine(...look);
    isFree = state.end?.how === "clear";
    return state;
  } finally {
    if (!isFree) slot.release();
  }
}

function lookAtMachine(
  site: Site,
  plan: RestorePlan,
  until: ClearWayRules["until"],
  began: number,
  totalUntil: number | undefined,
  voice: Voice,
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
function doubts(state: ClearWay): readonly string[] {
  if (state.logUnreadable === undefined || state.doubtful.length === 0) return [];
  return [
    `transaction ${idsOf(state)} does not say which machine it is of, and the machine's log, which would tell, cannot be read ` +
      `(${withoutStop(state.logUnreadable)}); it was not waited for`,
  ];
}

function idsOf({ doubtful }: ClearWay): string {
  const ids = doubtful.map(({ row }) => row.id);
  return ids.length > 5 ? `${ids.slice(0, 5).join(", ")} and ${String(ids.length - 5)} more` : ids.join(", ");
}

function whyBlocked({ requestTimeoutMs }: Site, plan: RestorePlan, state: ClearWay): string {
  if (state.end?.how === "turned-away") return state.end.error.message;
  const limit = state.end?.how === "limit" ? state.end.limit : "busy";
  const ms = limit === "total" ? (plan.timeouts.totalMs ?? 0) : plan.timeouts.busyMs;
  const within = `within the ${limit} limit of ${elapsed(ms)}`;
  const open = state.blockers
    .flat()
    .map((row) => `${row.id} (${row.action ?? "no action"}, ${row.status ?? "no status"})`);
  if (open.length > 0) {
    return `transaction ${open.join(", ")} of the machine has not ended ${within}. A longer timeouts.${limit} waits longer, busy: 0 posts without waiting.`;
  }
  if (state.doubtful.length > 0) {
    return (
      `transaction ${idsOf(state)} does not say which machine it is of, and the machine's log, which has to tell, has not answered ` +
      `${within}. A longer timeouts.${limit} waits longer, busy: 0 posts without asking.`
    );
  }
  const trouble = state.lastTrouble === undefined ? "" : ` (${withoutStop(state.lastTrouble)})`;
  const unreadable = `the panel's list could not be read${trouble}`;
  // A busy limit shorter than a request is not what the panel was given.
  return limit === "busy" && ms < requestTimeoutMs
    ? `${unreadable} within ${elapsed(requestTimeoutMs)}.`
    : `${unreadable} ${within}. A longer timeouts.${limit} waits longer.`;
}
