import type { Earlier } from "./adopt";
import { lookingBack, type LookingBack } from "./earlier";
import { followHolding } from "./follow-restore";
import { lookingFrom, type Follow } from "./follow";
import { markOf } from "./mark";
import { subject } from "./messages";
import type { IntendedPlan } from "./plan";
import { post } from "./post";
import type { Posted } from "./posted";
import { elapsed } from "./progress";
import type { RestoreResult, Voice } from "./result";
import type { Site } from "./site";
import { OutOfTime, takeTurn, within } from "./turn";
import { waitFor } from "./wait";
import { findClearWay } from "./way";

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
  const notPosted = (why: string): RestoreResult => ({
    kind: "not-posted",
    reason: `${subject(plan)} was not sent: ${why} Nothing was changed; the next \`pulumi up\` tries again.`,
  });

  let leaveBehind: Posted | undefined;
  try {
    voice.progress(`waiting for its turn on machine ${machine}`);
    const turn = await within(clock, totalUntil, (signal) => takeTurn(site.lanes, machine, signal));
    try {
      const settled = await settleLeftBehind(site, plan, turn.leftBehind, totalUntil);
      if (!settled) {
        leaveBehind = turn.leftBehind;
        return notPosted(
          `another restore of the machine, posted by this run, has not ended within the busy limit of ${elapsed(plan.timeouts.busyMs)}.`,
        );
      }

      if (attempt === "later" && plan.adopt === "auto") {
        const back = await lookBack(site, plan, totalUntil, voice);
        switch (back.decision?.found) {
          case "adoptable":
            {
              const adopted = await adopt(site, plan, back.decision, totalUntil, voice);
              leaveBehind = adopted.leftBehind;
              return adopted.result;
            }
          case "too-old":
            return { kind: "not-posted", reason: tooOld(plan, back.decision) };
          case "turned-away":
            return notPosted(back.decision.error.message);
          case "out-of-time":
            return notPosted(
              `it could not be found out whether an earlier run has posted it${back.lastTrouble === undefined ? "" : ` (${back.lastTrouble})`}.`,
            );
          case "nothing":
          case undefined:
        }
      }

      const way = await findClearWay(site, plan, totalUntil, voice);
      if ("blocked" in way) return notPosted(way.blocked);

      const mark = markOf(way.head, site.client.address);
      const answer = await post(site, plan);
      if (answer.kind === "refused" || answer.kind === "unwatched") {
        way.slot.release();
        return answer.kind === "unwatched"
          ? notPosted("the run that asked for it is gone, and nobody would watch it.")
          : { kind: "not-posted", reason: `${subject(plan)} was refused, nothing was carried out: ${answer.error.message}` };
      }
      if (answer.kind === "unknown") {
        voice.warn(`the panel's answer to the restore was lost (${answer.error.message}); it is not sent again, its transaction is looked for`);
      }
      const start: Follow = { ...lookingFrom(clock.now(), totalUntil), mark, posted: answer.kind };
      const followed = await followHolding(way.slot, site, plan, start, {
        adopted: false,
        postedAfter: mark,
        until: plan.wait ? "ended" : answer.kind === "accepted" ? "accepted" : "listed",
        voice,
        owner: plan.intent.id,
      });
      leaveBehind = followed.leftBehind;
      return followed.result;
    } finally {
      turn.leave(leaveBehind);
    }
  } catch (error) {
    if (error instanceof OutOfTime) {
      return notPosted(`the total limit of ${elapsed(plan.timeouts.totalMs ?? 0)} passed before its turn came.`);
    }
    throw error;
  }
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
  const until = totalUntil === undefined ? busyUntil : Math.min(busyUntil, totalUntil);
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
    if (error instanceof OutOfTime) return false;
    throw error;
  }
}

function lookBack(site: Site, plan: IntendedPlan, totalUntil: number | undefined, voice: Voice): Promise<LookingBack> {
  const now = site.clock.now();
  const start: LookingBack = {
    since: now,
    until: now + site.requestTimeoutMs + plan.timeouts.listedMs,
    ...(totalUntil !== undefined && { totalUntil }),
    rows: [],
    inMachineLog: [],
    hasSeenAll: false,
  };
  const waiting = lookingBack({
    intent: plan.intent,
    words: site.words,
    adoptWindowMs: site.adoptWindowMs,
    identifiers: site.identifiers,
    isClaimed: (id) => site.claims.isClaimedByAnother(id, plan.intent.id),
  });
  return waitFor(site, waiting, start, {
    machine: plan.target.virtualMachineId,
    onProgress: (text) => {
      voice.progress(text);
    },
  });
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
    { adopted: true, postedAfter: plan.intent.mark, until: plan.wait ? "ended" : "listed", voice, owner: plan.intent.id },
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
