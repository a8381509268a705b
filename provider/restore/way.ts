import type { Head } from "../feed/types";
import { waitingForClearWay, type ClearWay, type ClearWayRules } from "./clear-way";
import { withoutStop } from "./messages";
import type { IntendedPlan, RestorePlan } from "./plan";
import { elapsed } from "./progress";
import type { Voice } from "./result";
import type { Site } from "./site";
import type { Slot } from "./slots";
import { sayingSo, within } from "./turn";
import { waitFor } from "./wait";

export type Way =
  /** The machine was free in a read made a moment ago, and a place among the concurrent restores is held. */
  { readonly head: Head; readonly slot: Slot } | { readonly blocked: string };

/**
 * Waits until the machine is free and there is a place for one more restore. Time spent on the one makes what is known of
 * the other old, so after waiting for a place the machine is looked at once more, and a busy machine holds no place.
 */
export async function findClearWay(
  site: Site,
  plan: IntendedPlan,
  totalUntil: number | undefined,
  voice: Voice,
): Promise<Way> {
  let began = site.clock.now();
  const ignoreBusy = plan.timeouts.busyMs === 0;
  for (;;) {
    const free = await lookAtMachine(site, plan, ignoreBusy ? "read" : "clear", began, totalUntil, voice);
    if (free.end?.how !== "clear") return { blocked: whyBlocked(site, plan, free) };
    if (!site.slots.full) return { head: free.end.head, slot: site.slots.occupy() };

    const asked = site.clock.now();
    const slot = await sayingSo(
      site.clock,
      () => {
        voice.progress("waiting for a place: as many restores as recovery:maxConcurrent allows are under way");
      },
      within(site.clock, totalUntil, (signal) => site.slots.acquire(signal)),
    );
    // The busy limit is for the machine: a fleet may wait hours for its places.
    began += site.clock.now() - asked;
    let isHandedOn = false;
    try {
      const still = await lookAtMachine(site, plan, ignoreBusy ? "read" : "look", began, totalUntil, voice);
      if (still.end?.how === "clear") {
        isHandedOn = true;
        return { head: still.end.head, slot };
      }
      if (still.end?.how !== "busy") return { blocked: whyBlocked(site, plan, still) };
    } finally {
      if (!isHandedOn) slot.release();
    }
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
  const start: ClearWay = {
    since: now,
    // However short the limit, the panel gets the time of one request to answer.
    until: Math.max(began + plan.timeouts.busyMs, now + site.requestTimeoutMs),
    ...(totalUntil !== undefined && { totalUntil }),
    blockers: [],
    inMachineLog: [],
    untold: "not looked",
  };
  const waiting = waitingForClearWay({ machine, words: site.words, identifiers: site.identifiers, until });
  return waitFor(site, waiting, start, {
    machine,
    onProgress: (text) => {
      voice.progress(text);
    },
  });
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
  const trouble = state.lastTrouble === undefined ? "" : ` (${withoutStop(state.lastTrouble)})`;
  const unreadable = `the panel's list could not be read${trouble}`;
  // A busy limit shorter than a request is not what the panel was given.
  return limit === "busy" && ms < requestTimeoutMs
    ? `${unreadable} within ${elapsed(requestTimeoutMs)}.`
    : `${unreadable} ${within}. A longer timeouts.${limit} waits longer.`;
}
