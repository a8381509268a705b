import type { Earlier } from "../rows/identify";
import { type Span, spansOfOthers } from "../rows/of-others";
import { lookingBack } from "./earlier";
import { followRestore } from "./follow-restore";
import { knownByIds, unseen } from "./follow-state";
import { type LookBackEnd, type LookedBack, type LookingBack, lookingBackFrom, whileLookingBack } from "./look-back";
import { warningText } from "./messages";
import { notFoundOut, ratherAnothers, tooOld } from "./not-sent";
import { sayingProgress, type Warning } from "./result";
import { type Done, notPosted, type OneRun } from "./site";
import { onPlace } from "./turn";
import { waitFor } from "./wait";
import type { Waiting } from "./waiting";

/**
 * What an earlier run of the same intent may have posted: looked for, and taken if it is found. Undefined when there is nothing, and
 * the restore may be posted.
 */
export async function adoptEarlier(run: OneRun): Promise<Done | undefined> {
  const { site, plan } = run;
  const { decision, seen } = await lookBack(run);
  switch (decision.found) {
    case "adoptable":
      return adopt(run, decision);
    case "too-old":
      return { result: { kind: "not-posted", reason: tooOld(plan, decision) } };
    case "turned-away":
      return notPosted(plan, decision.error.message);
    case "another's":
      return notPosted(plan, ratherAnothers(decision.transactionIds));
    case "out-of-time":
      return notPosted(plan, notFoundOut(plan, site.requestTimeoutMs, decision, seen));
    case "nothing":
      return undefined;
  }
}

/** Of a restore that does not wait for a free machine nothing is told by when another one was made. */
function madeForOthers({ site, plan: { timeouts, target, intent } }: OneRun): readonly Span[] {
  if (timeouts.busyMs === 0) return [];
  return spansOfOthers(intent.mark, site.claims.othersUnlisted(target.virtualMachineId, intent.id));
}

async function lookBack(run: OneRun): Promise<{ readonly decision: LookBackEnd; readonly seen: LookedBack }> {
  const { site, plan, voice, totalUntil } = run;
  const now = site.clock.now();
  const waiting = lookingBack({
    target: plan.target,
    intent: plan.intent,
    words: site.words,
    adoptWindowMs: site.adoptWindowMs,
    identifiers: site.identifiers,
    isClaimed: (id) => site.claims.isClaimedByAnother(id, plan.intent.id),
    madeForOthers: madeForOthers(run),
    wallAheadMs: site.clock.wallTime().getTime() - now,
  });
  const start = lookingBackFrom(now, now + site.requestTimeoutMs + plan.timeouts.listedMs, totalUntil);
  const state = await waitFor(site, claiming(waiting, run), start, {
    machine: plan.target.virtualMachineId,
    telling: { ...whileLookingBack, say: sayingProgress(voice) },
  });
  if (state.phase !== "decided") throw new Error("a look back ended undecided");
  return state;
}

/** What is found is taken in the same step, so that nobody else who hears of the same look can take it too. */
function claiming(waiting: Waiting<LookingBack>, { site, plan }: OneRun): Waiting<LookingBack> {
  return {
    ...waiting,
    step(state, event, now) {
      const next = waiting.step(state, event, now);
      if (next.phase === "decided" && next.decision.found === "adoptable") {
        const ids = next.decision.chains.flat().map(({ id }) => id);
        site.claims.claim(ids, plan.intent.id);
      }
      return next;
    },
  };
}

function adopt(run: OneRun, { chains, ageMs }: Exclude<Earlier, { found: "nothing" }>): Promise<Done> {
  const { site, plan, voice, totalUntil } = run;
  const rows = chains.flat();
  const ids = rows.map((row) => row.id);
  const warning: Warning = { kind: "adopted", rows, ageMs };
  voice.warn(warningText(warning));
  const start = { ...unseen(knownByIds, site.clock.now(), totalUntil), rows, ids, warnings: [warning] };
  return onPlace(site.slots, () =>
    followRestore(site, plan, start, {
      adopted: true,
      postedAfter: plan.intent.mark,
      until: plan.wait ? "ended" : "listed",
      voice,
      owner: plan.intent.id,
    }),
  );
}
