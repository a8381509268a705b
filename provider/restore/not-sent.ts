import type { IntendedPlan, RestorePlan } from "../inputs/intent";
import { elapsed } from "../plain/clock";
import type { Earlier } from "../rows/identify";
import type { ClearWay } from "./clear-way";
import type { LookBackEnd, LookedBack } from "./look-back";
import { firstFew, subject, withoutStop } from "./messages";

/** What the operator reads when nothing was sent, and why. */

export function notSent(plan: RestorePlan, why: string): string {
  return `${subject(plan)} was not sent: ${why} Nothing was changed; the next \`pulumi up\` tries again.`;
}

export function refused(plan: RestorePlan, { message }: Error): string {
  return `${subject(plan)} was refused, nothing was carried out: ${message}`;
}

/** It was sent, and nothing tells whether it arrived. */
export function answerLost({ message }: Error): string {
  return `the panel's answer to the restore was lost (${message}); it is not sent again, its transaction is looked for`;
}

export function notFoundOut(
  { timeouts }: IntendedPlan,
  requestTimeoutMs: number,
  { limit, unjudged }: Extract<LookBackEnd, { found: "out-of-time" }>,
  { lastTrouble }: LookedBack,
): string {
  const trouble = lastTrouble === undefined ? "" : ` (${withoutStop(lastTrouble)})`;
  const unknown = `it could not be found out whether an earlier run has posted it${trouble}`;
  if (limit !== "total") {
    const doubt =
      unjudged.length === 0
        ? ""
        : ` Neither the list nor the machine's log tells whose transaction ${firstFew(unjudged)} is.`;
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

export function ratherAnothers(transactionIds: readonly string[]): string {
  return (
    `transaction ${firstFew(transactionIds)} was made when another restore of this machine had been posted that nobody waited for, ` +
    "and is rather that one's than of an earlier run of this one. `pulumi refresh` finds out; the `pulumi up` after it posts this one if so. " +
    `adopt: "${transactionIds.at(-1) ?? ""}" takes it as this one, adopt: "never" posts this one without looking.`
  );
}

export function tooOld(plan: IntendedPlan, { chains, ageMs }: Exclude<Earlier, { found: "nothing" }>): string {
  const ids = chains.flatMap((chain) => chain.map((row) => row.id));
  return (
    `${subject(plan)} was not sent: an earlier run of it seems to have been carried out as transaction ${ids.join(", ")}, complete ` +
    `since ${elapsed(ageMs)}, which is longer than the adopt window. Set adopt: "${ids.at(-1) ?? ""}" to take that as this restore, ` +
    'adopt: "never" to post a new one, or change triggers.'
  );
}

export function whyBlocked(plan: RestorePlan, requestTimeoutMs: number, state: ClearWay): string {
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
      `transaction ${firstFew(state.doubtful.map(({ row }) => row.id))} does not say which machine it is of, and the machine's log, which has to tell, has not answered ` +
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
