import { howToAllow } from "../inputs/allowed-machines";
import type { RestoreRequest } from "../inputs/intent";
import { isFinished } from "../inputs/record";
import { formatElapsed } from "../plain/clock";
import { firstFew } from "../plain/text";
import { type Chain, isUnfinished, type Row, unrecognizedStatuses } from "../rows/chains";
import type { SuspectReason } from "../rows/match-transactions";
import {
  type BeforePostOver,
  type BeforePostState,
  type BeforePostRules,
  type Question,
  quietMs,
} from "./before-post-state";
import { adoptLines, describeRows, limitMs, limitName, subject, withoutFullStop } from "./messages";
import type { ProgressText } from "./poller";

/** The texts before anything is sent: what the restore waits for, and why nothing was sent. */

export function notSentText(request: RestoreRequest, why: string): string {
  return `${subject(request)} was not sent: ${why} Nothing was changed; the next \`pulumi up\` tries again.`;
}

export function notAllowedText(request: Pick<RestoreRequest, "name" | "target">, why: string): string {
  return `${subject(request)} was not sent: ${why} ${howToAllow}`;
}

/** The way out for an intent that was made while `adopt` named a transaction: its restore can be that one alone. */
export function noPointChosenText(request: RestoreRequest): string {
  return notSentText(
    request,
    "its intent was made while adopt named a transaction, so no recovery point was chosen. Change triggers, and the rule chooses one; or " +
      "name the transaction in adopt again.",
  );
}

export function refusedText(request: RestoreRequest, { message }: Error): string {
  const chosen =
    request.target.recoveryPoint === undefined
      ? ""
      : " The recovery point that the rule chose stays. If the panel no longer has it, new triggers choose again.";
  return `${subject(request)} was refused, nothing was carried out: ${message}${chosen}`;
}

/** It was sent, and nobody knows if it arrived. */
export function answerLostText({ message }: Error): string {
  return `the panel's answer to the restore was lost (${message}); the restore is not sent again, and its transaction is looked for`;
}

/** The text of a question: what was found, why it is not taken, what to write, and what happens until then. */
export function questionText(request: RestoreRequest, question: Question): string {
  const who = `${subject(request)} was not sent: `;
  switch (question.about) {
    case "several":
      return (
        `${who}an earlier run may have posted it, and each of these may be it: ${describeRows(question.chains.flat())}. ` +
        `${takeLine(question.chains)} ${untilThenNothing}`
      );
    case "complete for long": {
      const { chain, ageMs } = question;
      const age =
        ageMs === undefined
          ? "and the panel does not say how long ago that was"
          : `${formatElapsed(ageMs)} ago, which is longer than recovery:adoptWindow`;
      return `${who}an earlier run seems to have carried it out: ${describeRows(chain)}, ${age}. ${takeLine([chain])} ${untilThenNothing}`;
    }
    case "suspect": {
      const found = question.suspect.map(({ chain, reason }) => `${describeRows(chain)} ${suspectReasons[reason]}`);
      return `${who}${found.join("; ")}. ${takeLine(question.suspect.map(({ chain }) => chain))} ${untilThenNothing}`;
    }
    case "unfinished":
      return (
        `${who}an earlier run may have posted it, and a job that may be its first part has not ended: ${describeRows(question.chains.flat())}. ` +
        `The next \`pulumi up\` looks again. To take the restore once it is listed, write adopt: "<transaction id>". ${untilThenNothing}`
      );
    case "whose": {
      const isOver = question.rows.every((row) => row.status === undefined || isFinished(row.status.toLowerCase()));
      const wait = isOver ? "" : " If it is another job of the machine, run `pulumi up` again when it has ended.";
      return (
        `${who}${describeRows(question.rows)} names no machine, and the machine's own log, which would tell, cannot be read ` +
        `(${withoutFullStop(question.trouble)}). Give the user of recovery:username the right to read the log of machine ` +
        `${request.target.virtualMachineId}.${wait}${ifItIsThis(question.rows)} ${untilThenNothing}`
      );
    }
    case "unusable page":
      return `${who}${pageProblems[question.why]} Nothing is sent now; the next \`pulumi up\` looks again.`;
  }
}

/** Rows below the mark may have been removed from the list, and then nothing tells what is above it. */
const rowsRemoved =
  'If rows were removed from the list and the restore is on the panel, write adopt: "<transaction id>". If you are sure that it is not, new triggers ' +
  "restore it again.";

const pageProblems: Readonly<Record<Extract<Question, { about: "unusable page" }>["why"], string>> = {
  empty:
    "the panel's list of transactions is empty, and it was not when the intent was made. Is recovery:username still allowed to see it?",
  "still empty":
    "the panel's list of transactions is empty, so it does not tell whether an earlier run has posted the restore. If you are sure that it is " +
    "not under way, new triggers restore it again.",
  older:
    "the newest page of the panel's list is older than the one that the intent was made from, as if it came from a copy that is behind. " +
    rowsRemoved,
  "not newest first":
    "the panel's list is not sorted newest first, so it does not tell what was made since. `npx pulumi-recovery check` shows its order.",
};

const noneOfThem =
  "If none of them is this restore, and you are sure that it is not under way, new triggers restore it again.";
const untilThenNothing = `${noneOfThem} Until then nothing is sent.`;

function takeLine(chains: readonly Chain[], how = "To take it as this restore, write"): string {
  return `${how} ${adoptLines(chains)}.`;
}

/** The way out if nothing says whose a row is. */
function ifItIsThis(rows: readonly Row[]): string {
  return ` ${takeLine(
    rows.map((row): Chain => [row]),
    "If it is this restore, write",
  )}`;
}

const suspectReasons: Readonly<Record<SuspectReason, string>> = {
  "other paths": "names other paths than this restore",
  "other point": "names another recovery point than this restore",
  "older chain": "belongs to a job that began before this restore's mark",
  overwritten: "stands below the restore before this one in the program, and may be a former try of it",
  "listed late": "was made before the intent of this restore, or before its last try, but listed later",
  "queued behind": "names the job of another restore, and may be a part of it",
};

/** The reason why nothing was sent, after a limit passed or the panel could not be read. */
export function whyBlocked(
  request: RestoreRequest,
  { requestTimeoutMs, words }: Pick<BeforePostRules, "requestTimeoutMs" | "words">,
  state: BeforePostOver,
): string {
  const { end } = state;
  if (end.how === "access-denied") return end.error.message;
  const limit = end.how === "limit" ? end.limit : "busy";
  const within = `within ${limitName(request, limit)}`;
  const longer = `A longer timeouts.${limit} waits longer`;
  const open = state.blockers.flat();
  if (open.length > 0) {
    const since = (state.look?.above ?? []).map(({ id }) => id);
    const unknown = firstFew([...new Set(state.blockers.flatMap((chain) => unrecognizedStatuses(chain, words)))]);
    const classify =
      unknown === ""
        ? ""
        : ` The status ${unknown} is not known here: recovery:completeStatuses or recovery:failedStatuses classifies it.`;
    const isSince = open.some(({ id }) => since.includes(id));
    const skip = limit === "busy" ? "; busy: 0 posts without waiting for jobs older than the intent" : "";
    return `${describeRows(open)} of the machine has not ended ${within}. ${longer}${isSince ? `. ${madeSince}` : `${skip}.`}${classify}`;
  }
  if (state.unattributed.length > 0) {
    const rows = state.unattributed;
    return (
      `transaction ${firstFew(rows.map(({ id }) => id))} names no machine, and the machine's own log has not told whose it is ` +
      `${within}. ${longer}.${state.candidates ? `${ifItIsThis(rows)} ${noneOfThem}` : ""}`
    );
  }
  const trouble = state.lastTrouble === undefined ? "" : ` (${withoutFullStop(state.lastTrouble)})`;
  const what = state.candidates
    ? `it could not be found out whether an earlier run has posted it${trouble}`
    : `the panel's list could not be read${trouble}`;
  // The panel had the time of one request, however short the limit.
  return limit !== "total" && limitMs(request, limit) < requestTimeoutMs
    ? `${what} within ${formatElapsed(requestTimeoutMs)}.`
    : `${what} ${within}. ${longer}.${state.candidates && state.look?.seenFrom === undefined ? ` ${rowsRemoved}` : ""}`;
}

/** The way out if a job that keeps the machine busy never ends, such as the rows left behind a failed part. */
const madeSince =
  "It is newer than the intent, so busy: 0 waits for it too. If it never ends by itself, end it on the panel. If you are sure that it is no part of " +
  "this restore, and that this restore is not under way, new triggers restore it again.";

/** A log that takes longer than usual is worth a line. */
const quietLogMs = 5_000;

export function beforePostProgressText(rules: BeforePostRules): ProgressText<BeforePostState> {
  /** The row of a chain that has to end next. */
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
      const [unattributed] = state.unattributed;
      const logSince = state.phase === "waiting" && state.awaits.what === "log" ? state.awaits.since : now;
      if (unattributed !== undefined && now - logSince >= quietLogMs) {
        return `waiting for the machine's log to tell whose transaction ${unattributed.id} is (${spent})`;
      }
      if (rules.attempt.kind === "first") return undefined;
      const whole = state.quietSince - state.since + quietMs(rules);
      return `looking for a restore that an earlier run may have posted, ${spent} of ${formatElapsed(whole)} (a shorter timeouts.listed shortens this)`;
    },
    topic(state) {
      if (state.lastTrouble !== undefined) return "unreadable";
      const [chain] = state.blockers;
      if (chain) return `blocked by ${openOf(chain).id}`;
      return state.unattributed.length > 0 ? "awaiting the log" : "looking back";
    },
  };
}
