import type { RestoreRequest } from "../inputs/intent";
import { isFinished } from "../inputs/record";
import { formatElapsed } from "../plain/clock";
import { firstFew } from "../plain/text";
import { type Chain, isUnfinished, type Row } from "../rows/chains";
import { type SuspectReason, type SuspectChain, namesAnotherPoint } from "../rows/match-transactions";
import { type BeforePost, type BeforePostRules, type Question, quietMs } from "./before-post";
import { adoptOne, found, limitMs, limitName, mainOf, subject, withoutStop } from "./messages";
import type { Telling } from "./waiting";

/** What the operator reads before anything is sent: what is waited for, and why nothing was sent. */

export function notSent(plan: RestoreRequest, why: string): string {
  return `${subject(plan)} was not sent: ${why} Nothing was changed; the next \`pulumi up\` tries again.`;
}

/** The way out of an intent that was made while `adopt` named a transaction: from then on its restore could be that one alone. */
export function noPointChosen(plan: RestoreRequest): string {
  return notSent(
    plan,
    "its intent was made while adopt named a transaction, so no recovery point was chosen. Change triggers, and the rule chooses one; or " +
      "name the transaction in adopt again.",
  );
}

export function refused(plan: RestoreRequest, { message }: Error): string {
  const chosen =
    plan.target.recoveryPoint === undefined
      ? ""
      : " The recovery point that the rule chose stays: where the panel has it no more, new triggers choose anew.";
  return `${subject(plan)} was refused, nothing was carried out: ${message}${chosen}`;
}

/** It was sent, and nothing tells whether it arrived. */
export function answerLost({ message }: Error): string {
  return `the panel's answer to the restore was lost (${message}); it is not sent again, its transaction is looked for`;
}

/** What is not known, as a question to a person: what was found, why it is not taken, what to write, and what happens until then. */
export function asked(plan: RestoreRequest, question: Question): string {
  const who = `${subject(plan)} was not sent: `;
  switch (question.about) {
    case "several":
      return (
        `${who}an earlier run may have posted it, and each of these may be it: ${found(question.chains.flat())}. ` +
        `${take(question.chains)} ${otherwise}`
      );
    case "complete for long": {
      const { chain, ageMs } = question;
      const age =
        ageMs === undefined
          ? "and how long ago that was the panel does not tell"
          : `since ${formatElapsed(ageMs)}, which is longer than recovery:adoptWindow`;
      return `${who}an earlier run of it seems to have been carried out: ${found(chain)}, ${age}. ${take([chain])} ${otherwise}`;
    }
    case "doubtful":
      return `${who}${question.doubtful.map(whyDoubted).join("; ")}. ${take(question.doubtful.map(({ chain }) => chain))} ${otherwise}`;
    case "unfinished":
      return (
        `${who}an earlier run may have posted it, and what may be the first part of it has not ended: ${found(question.chains.flat())}. ` +
        `The next \`pulumi up\` looks again. To take its restore once that is listed, write adopt: "<transaction id>". ${otherwise}`
      );
    case "stopped":
      return (
        `${who}an earlier run may have posted it, and what may be the first part of it was cancelled: ${found(question.chains.flat())}. ` +
        "A person stopped that, so nothing is sent by itself: change triggers to restore anew."
      );
    case "whose": {
      const isOver = question.rows.every((row) => row.status === undefined || isFinished(row.status.toLowerCase()));
      const wait = isOver ? "" : " If it is another job of the machine, run `pulumi up` again when it has ended.";
      return (
        `${who}${found(question.rows)} does not say of which machine it is, and the machine's log, which would tell, cannot be read ` +
        `(${withoutStop(question.trouble)}). Give the user of recovery:username the right to read the log of machine ` +
        `${plan.target.virtualMachineId}.${wait}${ifItIsThis(plan, question.rows)} ${otherwise}`
      );
    }
    case "page":
      return `${who}${whyPage[question.why]} Nothing is sent on the strength of that; the next \`pulumi up\` looks again.`;
  }
}

const whyPage: Readonly<Record<Extract<Question, { about: "page" }>["why"], string>> = {
  empty:
    "the panel's list of transactions is empty, and it was not when the intent was made. May recovery:username still see it?",
  "still empty":
    "the panel's list of transactions is empty, so it does not tell whether an earlier run has posted it. If you are sure that it is not under way, " +
    "new triggers restore anew.",
  older:
    "the newest page of the panel's list is older than the one that the intent was made from, as from a copy that is behind.",
  "not newest first":
    "the panel's list is not sorted newest first, so it does not tell what was made since. `npx pulumi-recovery check` shows its order.",
};

const noneOfThem =
  "If none of them is this restore, and you are sure that it is not under way, new triggers restore anew.";
const otherwise = `${noneOfThem} Until then nothing is sent.`;

function take(chains: readonly Chain[], how = "To take it as this restore, write"): string {
  return `${how} ${adoptOne(chains.map(mainOf))}.`;
}

/** The way out where nothing tells whose a row is. One of another recovery point cannot be taken. */
function ifItIsThis({ target }: RestoreRequest, rows: readonly Row[]): string {
  const chains = rows.map((row): Chain => [row]).filter((chain) => !namesAnotherPoint(chain, target));
  return chains.length === 0 ? "" : ` ${take(chains, "If it is this restore, write")}`;
}

const doubts: Readonly<Record<SuspectReason, string>> = {
  "other paths": "names other paths than this restore",
  "listed late":
    "was made before the intent of this restore, or before its last try was stored as failed, and listed since",
  "sent anew": "may as well be the restore before this one in the program, which was sent again since",
};

function whyDoubted({ chain, reason: why }: SuspectChain): string {
  return `${found(chain)} ${doubts[why]}`;
}

/** Why nothing was sent, where the time passed or the panel could not be read. */
export function whyBlocked(plan: RestoreRequest, requestTimeoutMs: number, state: BeforePost): string {
  if (state.end?.how === "turned-away") return state.end.error.message;
  const limit = state.end?.how === "limit" ? state.end.limit : "busy";
  const within = `within ${limitName(plan, limit)}`;
  const longer = `A longer timeouts.${limit} waits longer`;
  const open = state.blockers.flat();
  if (open.length > 0) {
    const since = state.above.map(({ id }) => id);
    const isSince = state.blockers.some((chain) => chain.some(({ id }) => since.includes(id)));
    const skip = limit === "busy" ? ", busy: 0 posts without waiting for what stood there before the intent" : "";
    return `${found(open)} of the machine has not ended ${within}. ${longer}${isSince ? `. ${madeSince}` : `${skip}.`}`;
  }
  if (state.untold.length > 0) {
    const rows = state.untold.map(({ row }) => row);
    return (
      `transaction ${firstFew(rows.map(({ id }) => id))} does not say which machine it is of, and the machine's log, which has to tell, has not told ` +
      `${within}. ${longer}.${state.sighting ? `${ifItIsThis(plan, rows)} ${noneOfThem}` : ""}`
    );
  }
  const trouble = state.lastTrouble === undefined ? "" : ` (${withoutStop(state.lastTrouble)})`;
  const what = state.sighting
    ? `it could not be found out whether an earlier run has posted it${trouble}`
    : `the panel's list could not be read${trouble}`;
  // A limit shorter than a request is not what the panel was given.
  return limit !== "total" && limitMs(plan, limit) < requestTimeoutMs
    ? `${what} within ${formatElapsed(requestTimeoutMs)}.`
    : `${what} ${within}. ${longer}.`;
}

/** The way out where what keeps the machine busy never ends, such as what is left behind the failed part of an earlier try. */
const madeSince =
  "It was made since the intent, so busy: 0 waits for it too. Where it never ends by itself, end it on the panel; if you are sure that it is no part " +
  "of this restore that is under way, new triggers restore anew.";

/** A wait for the machine's log is worth a line when it lasts longer than a log takes as a rule. */
const quietLogMs = 5_000;

/** What is said while a restore waits to be posted. */
export function whileWaiting(rules: BeforePostRules): Telling<BeforePost> {
  /** The job of a chain that has to end next. */
  const openOf = (chain: Chain): Row => chain.find((row) => isUnfinished([row], rules.words)) ?? chain[0];
  return {
    describe(state, now) {
      const spent = formatElapsed(now - state.since);
      if (state.lastTrouble !== undefined) {
        return `the panel cannot be read, trying again (${spent}): ${state.lastTrouble}`;
      }
      const [chain] = state.blockers;
      if (chain) {
        const open = openOf(chain);
        return `waiting for transaction ${open.id} (${open.action ?? "no action given"}) of the machine to end (${spent})`;
      }
      const [untold] = state.untold;
      if (untold !== undefined && now - untold.since >= quietLogMs) {
        return `waiting for the machine's log, which has to tell whether transaction ${untold.row.id} is the machine's (${spent})`;
      }
      if (rules.later === undefined) return undefined;
      const whole = state.quietSince - state.since + quietMs(rules);
      return `looking for a restore that an earlier run may have posted, ${spent} of ${formatElapsed(whole)} (a shorter timeouts.listed shortens this)`;
    },
    topic(state, outage) {
      if (state.lastTrouble !== undefined) return `unreadable: ${outage ?? ""}`;
      const [chain] = state.blockers;
      if (chain) return `blocked by ${openOf(chain).id}`;
      return state.untold.length > 0 ? "awaiting the log" : "looking back";
    },
  };
}
