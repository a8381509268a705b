import type { Head } from "../feed/watching";
import type { OneRun } from "./one-run";
import { whyBlocked } from "./telling/not-sent";
import { whileBlocked } from "./telling/while-blocked";
import { sayingProgress } from "./terms/result";
import type { Warning } from "./terms/warning";
import type { Place } from "./turn/place";
import { sayingSo, within } from "./turn/turn";
import { clearWayFrom, waitingForClearWay, type ClearWay, type ClearWayRules } from "./waits/clear-way";
import { waitFor } from "./waits/wait";

/** The machine was free in a read made a moment ago, and a place among the concurrent restores is held. */
export interface Clear {
  readonly head: Head;
  readonly warnings: readonly Warning[];
}

export type Way = Clear | { readonly blocked: string };

/**
 * Waits until the machine is free and there is a place for one more restore. Time spent on the one makes what is known of
 * the other old, so after waiting for a place the machine is looked at once more, and a busy machine holds no place. Who holds a
 * place already, but has let too much time pass since the last look, comes with it.
 */
export async function findClearWay(run: OneRun, place: Place): Promise<Way> {
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
