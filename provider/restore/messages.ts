import type { IntendedRequest, RestoreRequest } from "../inputs/intent";
import type { Limit } from "../inputs/read-values";
import type { RestoreRecord } from "../inputs/record";
import { formatElapsed, zonedTime } from "../plain/clock";
import { type Message, messageText, partsOf, withoutFullStop } from "../plain/message";
import { capitalized, setAdopt, setFields, setWords, transactionsNamed } from "../plain/text";
import { hasEnded, type Job, mayBeRestore } from "../rows/jobs";
import type { Row } from "../rows/order";
import { type ConfiguredWords, statusText } from "../panel/facts";
import type { PostAnswer, Unaccepted } from "../panel/types";
import type { Judged } from "./recognise";
import type { Past } from "./state";

// All messages about a restore. Each begins with the restore's name, its machine and its recovery point.

export function subject({ name, target }: Pick<RestoreRequest, "name" | "target">): string {
  const what = target.kind === "VmRestore" ? "restore" : "file restore";
  const point = target.recoveryPointId === undefined ? "" : `, recovery point ${target.recoveryPointId}`;
  return `${what} "${name}" (machine ${target.virtualMachineId}${point})`;
}

const withTrouble = (why: string, trouble: Message | undefined): string =>
  trouble === undefined ? withoutFullStop(why) : `${withoutFullStop(why)}: ${trouble.what}`;

const about = (request: Pick<RestoreRequest, "name" | "target">, what: string, others: Omit<Message, "what">): string =>
  messageText({ ...others, what: `${subject(request)} ${what}` });

function question(jobs: readonly Job[], next = adoptLines(jobs)): Omit<Message, "what"> {
  return { next, lines: linesOf(jobs), help: "question" };
}

export function describeRow(row: Row, age?: string): string {
  const { id, action, createdAt } = row;
  const facts = [action ?? "no action", statusText(row) ?? "no status"];
  if (createdAt !== undefined) facts.push(`created ${createdAt}`);
  if (age !== undefined) facts.push(`${age} ago`);
  return `${id} (${facts.join(", ")})`;
}

/** Describes a job by its rows, its age and its contradictions, so that it can be found on the panel. */
function describeJob({ rows, contradictions, whose, readAt }: Job): string {
  const [first, ...others] = rows;
  const made = zonedTime(first.createdAt);
  const age = made === undefined || readAt === undefined ? undefined : formatElapsed(Math.max(0, readAt - made));
  const described = [describeRow(first, age), ...others.map((row) => describeRow(row))];
  const isNameless =
    whose === "not said" && !contradictions.includes("names another machine, or this machine by another name");
  const against = isNameless ? ["may be for another machine"] : [];
  return [`transaction ${described.join(", ")}`, ...contradictions, ...against].join("; ");
}

/** The lines below a question. They cannot show which restore a row belongs to, because another restore's record becomes known only when its turn comes. */
function linesOf(jobs: readonly Job[]): readonly string[] {
  const isNameless = jobs.some((job) => job.whose === "not said");
  const field = `if a field of this panel's rows names the machine, run \`${setFields({ machine: "<field>" })}\``;
  const whose = "`npx pulumi-recovery status` shows which transactions belong to other restores of this stack";
  return [...jobs.map(describeJob), ...(isNameless ? [field, whose] : [])];
}

const ifNotRunning = "and the restore is certainly not running, change triggers to restore again";

const ifShown =
  'if the panel shows the restore, set adopt: "<transaction id>"; if it is certainly not running, change triggers to restore again';

/** `adopt` is offered only for restores of the same kind. Any other job may be the first part of a restore that will be listed later. */
const isAccepted = ({ does, contradictions }: Job): boolean =>
  does !== "other" && !contradictions.some((one) => one === "restores files" || one === "restores a machine");

const restoredNothing = ({ end, failedPart }: Job): boolean =>
  (end === "failed" && failedPart === undefined) || end === "cancelled";

/** How to answer a question: by setting `adopt` to one of the jobs, or by changing triggers. `isRetry`: a restore made since the failure may be kept. */
function adoptLines(jobs: readonly Job[], isRetry = false): string {
  const [only, ...more] = jobs.filter((job) => isAccepted(job) && !(isRetry && restoredNothing(job)));
  if (only === undefined && isRetry) return "To restore again, change triggers";
  if (only === undefined) return `The next \`pulumi up\` looks again; ${ifShown}`;
  // Of several jobs, none is suggested alone, because whoever is in a hurry pastes the line.
  const ids = [only, ...more].map(({ main }) => quote(main.id));
  const isOfOther = more.length === 0 && only.contradictions.includes("names another recovery point");
  const [point] = isOfOther ? only.rows.flatMap(({ points }) => points) : [];
  const from = point === undefined ? "" : ` and recoveryPointId: ${quote(point)}`;
  const line = `set adopt: ${ids.length > 2 ? `${ids[0] ?? ""} or another id below` : ids.join(" or ")}${from}`;
  const [which, not] = more.length === 0 ? [`transaction ${only.main.id}`, "not"] : ["one of them", "none is"];
  return isRetry
    ? `To keep what ${which} restored, ${line}; to restore over it, change triggers`
    : `If ${which} is the restore, ${line}; if ${not}, ${ifNotRunning}`;
}

const setComplete = (word: string, { completeStatuses }: ConfiguredWords): string =>
  `\`${setWords("completeStatuses", [...completeStatuses, word])}\``;

/** A transaction with an unknown status, or with fields that contradict each other, is treated as unfinished, but may have ended. */
const mayHaveEnded = (row: Row): boolean =>
  row.state === "unknown" || (!hasEnded(row) && row.saysComplete === true && row.against !== undefined);

function unlessEnded(row: Row | undefined, words: ConfiguredWords, advice: string): string {
  if (row?.word === undefined || !mayHaveEnded(row)) return capitalized(advice);
  if (row.state !== "unknown")
    return `If "${statusText(row) ?? ""}" means that it has ended, set the status field in recovery:fields ("status=<field>"); if not, ${advice}`;
  return `If "${row.word}" means success, run ${setComplete(row.word, words)}; if it means failure, set recovery:failedStatuses; otherwise, ${advice}`;
}

const uncapitalized = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1);

export const lookAgain = "The next `pulumi up` checks the panel, then sends the restore";

/** A failed attempt is repeated only if the list still shows the failure right before the POST. */
export const failureIsGone: Message = {
  what: "the failed attempt is no longer in the panel's list, and may have been run again",
  next: "If the panel shows that the restore is not running, change triggers to restore again",
  help: "lost",
};

export const runIsGone: Message = {
  what: "the run that requested the restore is gone or was cancelled",
  next: lookAgain,
  help: "intent",
};

export const oldPages: Message = {
  what: "the panel's list is empty, or older than an earlier read: either it is a stale copy, or recovery:username cannot see all rows",
  next: "The next `pulumi up` looks again; if the list was emptied, and you are sure that the restore is not running, change triggers to restore",
  help: "order",
};

export const unlistedBefore = (lost: string): Message => ({
  what: `${lost} was posted but is not listed, and this panel's rows name no machine, so the restores could not be told apart`,
  next: "Resolve that restore first; the next `pulumi up` sends this restore after it",
  help: "lost",
});

export const heldUp: Message = {
  what: "this run was suspended for more than a minute, and the machine may have changed in the meantime",
  next: lookAgain,
  help: "suspended",
};

/** `past`: earlier attempts, any of which may have been posted. */
export function notSentText(request: RestoreRequest, { what, ...others }: Message, past?: Past): string {
  const isRetry = past !== undefined && past.failedIds.length > 0;
  const how = isRetry
    ? "was not sent again"
    : past
      ? "may have been sent before, and was not sent now"
      : "was not sent";
  return about(request, `${how}: ${what}`, others);
}

/** The question to ask if the panel does not show which of these jobs is the restore. After a failure, a new job is most likely a manual restore. */
export function questionText(
  request: IntendedRequest,
  jobs: readonly Job[],
  failedIds: readonly string[] = [],
  doubt?: keyof typeof doubts,
): string {
  const { takenAt } = request.intent.mark;
  const these = jobs.length === 1 ? "this job" : "these jobs";
  const isRetry = failedIds.length > 0;
  const made = takenAt === undefined ? "" : `; the intent was saved at ${takenAt.replace(".000Z", "Z")}`;
  const what = isRetry
    ? `${failedText(failedIds)}, and ${these} may have restored the machine since, so nothing was sent`
    : `${perhapsPosted}, so nothing was sent: the panel lists ${these}${doubt === undefined ? made : doubts[doubt]}`;
  return about(request, what, question(jobs, adoptLines(jobs, isRetry)));
}

const doubts = { lost: ", perhaps from an unrecorded request", refused: ", perhaps somebody else's" };

/** The error if the list does not show everything that was posted since the failure, or by an earlier attempt. */
export function unreadText(request: RestoreRequest, { failedIds }: Past, jobs: readonly Job[]): string {
  const how = failedIds.length > 0 ? failedText(failedIds) : perhapsPosted;
  const what = `${how}, and nothing was sent now: the list cannot be read down to that attempt, and may lack a newer restore`;
  return about(request, what, question(jobs, capitalized(ifShown)));
}

const perhapsPosted = "may have been posted by an earlier attempt";

const whyBusy: Record<NonNullable<Judged["busy"]>, readonly [string, string?]> = {
  yes: ["keeps the machine busy"],
  "the previous request": [
    "may come from an earlier `pulumi up` that left no record",
    "or, if it belongs to another machine, change triggers",
  ],
  "a later restore": [
    "may be a later restore of this machine, left running by an earlier `pulumi up`",
    "or, if it is another machine's, leave the later restores out for one run",
  ],
};

export function busyText(
  request: RestoreRequest,
  job: Judged,
  words: ConfiguredWords,
  limit: Limit,
  past: Past | undefined,
): string {
  const row = runningRow(job.rows);
  const [why, otherwise = `or increase timeouts.${limit}`] = whyBusy[job.busy ?? "yes"];
  const wait =
    request.timeouts.busyMs === 0 ? "timeouts.busy is 0" : `it did not end within ${limitName(request, limit)}`;
  const mayBeIt = past !== undefined && job.isAbove && mayBeRestore(job) && isAccepted(job);
  const adopt = mayBeIt ? `if it is the restore, set adopt: "${job.main.id}"; if not, ` : "";
  const what = `transaction ${describeRow(row)} ${why}, and ${wait}`;
  const next = unlessEnded(row, words, `${adopt}run \`pulumi up\` again when it has ended, ${otherwise}`);
  return notSentText(request, { what, next, help: "busy" }, past);
}

export function noKnownEnd(words: readonly string[]): Message {
  const shown = words.slice(0, 5).map(quote).join(", ");
  return {
    what: `no row in the panel's list has a status that is known to be final (its statuses: ${shown})`,
    next: `Set the words for success: \`${setWords("completeStatuses", ["<word>"])}\`, and those for failure in recovery:failedStatuses; if one word is used for both, first set the fields that distinguish them: \`${setFields({ status: ["<status>", "<outcome>"] })}\``,
    help: "words",
  };
}

export function refusedText(request: RestoreRequest, error: Unaccepted): string {
  const { what, next = "Correct the cause", lines = [] } = partsOf(error);
  const { status } = error;
  // After a success status with an error in the body, something may be running after all, so the next attempt searches first.
  const how = status !== undefined && status < 300 ? "is not listed" : "changed nothing";
  const fromWhere =
    request.target.recoveryPoint === undefined ? "" : " from the same point; to choose another, change triggers";
  return about(request, `${status === undefined ? "was not sent" : `was refused by the panel, and ${how}`}: ${what}`, {
    next: `${next}; the next \`pulumi up\` searches first (2m 30s by default), then sends the restore again${fromWhere}`,
    lines,
    help: status === undefined ? "connection" : "refused",
  });
}

export function unacceptedText({ kind, error }: Exclude<PostAnswer, { readonly kind: "accepted" }>): string {
  const refusal = "the panel's response to the restore request has a success status, but contains a refusal";
  const what = kind === "denied" ? refusal : `the panel did not confirm the restore: ${partsOf(error).what}`;
  return `${what}${wordsIn(error)}; the restore is not sent again, and the run looks for its transaction`;
}

/** Leaves out what a warning has already shown, except for the panel's words. */
export const andUnaccepted = ({ kind, error }: Exclude<PostAnswer, { readonly kind: "accepted" }>): string =>
  `${kind === "denied" ? " after a refusal" : ", no confirmation"}${wordsIn(error)}`;

const quote = (word: string): string => `"${word}"`;

const wordsIn = ({ words = [] }: Unaccepted): string => (words.length === 0 ? "" : ` (${words.map(quote).join(", ")})`);

/** An id in brackets, for a row of `pulumi up`: the engine silently cuts rows to the terminal's width, and a truncated id would look like a different id. */
export const idOnRow = (id: string): string => `[${id}]`;

/** The transaction comes first in the line. `note`: what the restore waits for after its end. */
export function followedText(phase: string, rows: readonly Row[], note = ""): string {
  const last = rows.at(-1);
  const others = rows.length > 1 ? ` (${rows.map(describedOnRow).join(", ")})` : "";
  return `${last === undefined ? "" : `${idOnRow(last.id)} `}${phase}${note === "" ? "" : `, ${note}`}${others}`;
}

/** `until`: a time of day. */
export const waitingText = ({ rows }: Pick<Job, "rows">, until: string): string =>
  `waiting for transaction ${describedOnRow(runningRow(rows))}, until ${until}`;

const runningRow = (rows: Job["rows"]): Row => rows.findLast((row) => !hasEnded(row)) ?? rows[0];

const describedOnRow = (row: Row): string => describeRow(row).replace(row.id, () => idOnRow(row.id));

export function adoptedText(job: Job, isBehindFailure: boolean): string {
  const why = isBehindFailure
    ? "it is newer than the failed attempt and restores from the same point, so nothing was sent"
    : "it began soon after an earlier attempt, which probably sent it, so it was not sent again";
  return `adopted ${describeJob(job)}: ${why}`;
}

export function runAgainText(job: Job): string {
  const described = describeJob({ ...job, contradictions: [], whose: "this machine" });
  return `${described} failed in an earlier attempt, but no longer counts as failed on the panel: it is adopted, and nothing was sent`;
}

const warnings = {
  unsaid:
    "assumed to be this restore only because it appeared right after the request, as this panel does not show which machine a transaction belongs to",
  several: "each of these may be this restore, so all must have the same outcome",
  appeared: "assumed to be this restore, because it appeared after an earlier run posted the restore",
  before: "the machine was restored while this restore waited, and is now being restored again",
  failed: "another restore of the machine failed before this attempt, and may have been an earlier attempt",
  meanwhile: "another job may have restored the machine meanwhile, so check which restore ended last",
};

export const warningsAbout = (jobs: readonly Job[], what: keyof typeof warnings): readonly string[] =>
  jobs.length === 0 ? [] : [`${warnings[what]}: ${jobs.map(describeJob).join(" and ")}`];

export function takenText(id: string, contradictions: readonly string[]): string {
  const but = contradictions.length > 0 ? `. It ${contradictions.join(" and ")}` : "";
  return `adopted transaction ${id}, named in adopt, and sent nothing${but}`;
}

export function notTakenText(request: RestoreRequest, id: string, why: string, trouble?: Message): string {
  return messageText({
    next: `Set adopt to another transaction, or remove adopt${request.target.recoveryPointId === undefined ? " and change triggers" : ""}`,
    help: "adopt",
    ...trouble,
    what: `nothing was sent for ${subject(request)}, and transaction ${id}, named in adopt, was not adopted: ${withTrouble(why, trouble)}`,
  });
}

const ifRestore = (action: string, { restoreActions }: ConfiguredWords): string =>
  `If "${action}" means a restore, run \`${setWords("restoreActions", [...restoreActions, action])}\``;

export const notARestore = (action: string, words: ConfiguredWords): Message => ({
  what: quote(action),
  next: `${ifRestore(action, words)}; if not, set adopt to another transaction, or remove adopt`,
  help: "adopt",
});

export const adoptUnusedText = (id: string): string =>
  `adopt: "${id}" has no effect, because this restore is complete. To adopt that transaction instead, change triggers as well.`;

export const unknownStatusText = (row: Row): string =>
  `transaction ${row.id} has the status "${statusText(row) ?? ""}", which is unknown and is treated as unfinished. ` +
  "If it is final, classify it in recovery:completeStatuses or recovery:failedStatuses";

const transactionsText = (ids: readonly string[]): string =>
  ids.length < 2 ? `transaction ${ids.join("")}` : `the job with transactions ${ids.join(", ")}`;

const failedText = (ids: readonly string[]): string => `failed before (${transactionsNamed(ids)})`;

export function limitName(request: Pick<RestoreRequest, "timeouts">, limit: Limit): string {
  const ms = request.timeouts[`${limit}Ms`];
  return `timeouts.${limit}${ms === undefined ? "" : ` (${formatElapsed(ms)})`}`;
}

export function notListedText(
  request: RestoreRequest,
  words: ConfiguredWords,
  jobs: readonly Job[],
  why: string,
  trouble?: Message,
): string {
  const rows = jobs.flatMap((job) => (job.does === "unknown" ? job.rows : []));
  const action = rows.find(({ does }) => does === "unknown")?.action;
  const but = jobs.length === 0 ? "" : `, only ${jobs.length === 1 ? "a newer job" : "newer jobs"}`;
  const found = trouble ? withTrouble(why, trouble) : `the panel has not listed it: ${why}${but}`;
  return about(request, `was sent, but ${found}`, {
    lines: [...(action ? [uncapitalized(ifRestore(action, words))] : []), ...linesOf(jobs)],
    help: "lost",
    ...trouble,
    next: trouble?.next === undefined ? adoptLines(jobs) : `${trouble.next}; the next \`pulumi up\` looks again`,
  });
}

export function unfinishedText(
  request: RestoreRequest,
  record: RestoreRecord,
  [rows, words]: readonly [readonly Row[], ConfiguredWords],
  why: string,
  trouble?: Message,
): string {
  const then = "the next `pulumi up` waits and sends nothing";
  const unsure = rows.find(mayHaveEnded);
  const status = trouble === undefined ? `is ${record.status}, and` : `was last seen ${record.status};`;
  const what = `has not ended: ${transactionsText(record.transactionIds)} ${status} ${withTrouble(why, trouble)}`;
  const goesOn = unlessEnded(unsure, words, `it continues on the panel, and ${then}`);
  return about(request, what, {
    ...{ help: "limit", ...trouble },
    next: trouble?.next ? `${trouble.next}; ${then}` : goesOn,
  });
}

/** The error if the whole list was read without finding the restore, so nothing will ever show how it ended. */
export function goneText(request: RestoreRequest, { transactionIds }: RestoreRecord): string {
  return about(request, `has no known outcome: ${transactionsText(transactionIds)} is no longer in the panel's list`, {
    next: "Check the machine: if it was restored, remove this restore from the program (from a plan: in its next run), which sends nothing; if not, change triggers to restore again",
    help: "lost",
  });
}

export function differText(request: RestoreRequest, jobs: readonly Job[]): string {
  const what = "cannot be judged: several transactions may be this restore, and their outcomes differ";
  return about(request, what, question(jobs));
}

/** The error if nothing on the panel shows how the restore ended, so the user must decide. */
export function unclearText(
  request: RestoreRequest,
  { jobs, rows }: { readonly jobs: readonly Job[]; readonly rows: readonly Row[] },
  words: ConfiguredWords,
): string {
  const row = rows.find(({ state }) => state === "unclear");
  if (row === undefined) return subject(request);
  const { word } = row;
  const advice =
    word === undefined
      ? "set the status field in recovery:fields; if you are sure that the machine was not restored"
      : `if the machine was restored, ${row.saysComplete ? setAdopt(request, row.id) : `make "${word}" always mean complete: ${setComplete(word, words)}`}; if you are sure that it was not`;
  const shown = `transaction ${row.id} is "${statusText(row) ?? "no status"}"`;
  return about(request, `has ended, and the panel does not show how: ${shown}`, {
    next: `The machine is not restored again automatically: ${advice}, change triggers to restore again`,
    lines: jobs.map(describeJob),
    help: "words",
  });
}

export function endedText(request: RestoreRequest, record: RestoreRecord): string {
  const { status, transactionIds, failedPart, durationSeconds, action } = record;
  const job = transactionsText(transactionIds);
  const change = `${request.adopt === undefined ? "" : "remove adopt and "}change triggers`;
  const took = durationSeconds === undefined ? "" : ` after ${formatElapsed(durationSeconds * 1_000)}`;
  if (failedPart !== undefined) {
    const what =
      action === undefined
        ? `has no certain outcome: transaction ${failedPart} of its job failed, another is complete, and none is identified as the restore`
        : `is complete on the panel, but transaction ${failedPart} in the same job failed`;
    return about(request, what, {
      next: `The machine is not restored again automatically: repair the machine and ${setAdopt(request, record.transactionId ?? transactionIds.join(", "))}, or change triggers to restore it again`,
      help: "part",
    });
  }
  if (status === "cancelled")
    return about(request, `was cancelled: ${job} was cancelled on the panel${took}`, {
      next: `Nothing is sent again automatically: ${change}, or the recovery point, to restore again; or, if another transaction restored the machine, set adopt: "<transaction id>"`,
      help: "cancelled",
    });
  return about(request, `failed: ${job} ended in failure${took}, and the machine may be in any state`, {
    next:
      request.target.recoveryPointId === undefined
        ? "No recovery point was chosen for this restore, because adopt named a transaction: to restore, remove adopt and change triggers"
        : request.retryFailed
          ? "The next `pulumi up` looks for a newer restore of the machine (2m 30s by default), then sends this restore again; to restore at once, change triggers"
          : `retryFailed is false, so nothing is sent: ${change} to restore again, or, if another transaction restored the machine, set adopt: "<transaction id>"`,
    help: "failed",
  });
}

/** The end of the log, shown only on the restore's row: an error's reason would be stored in plain text, and a log may contain unrecognized secrets. */
export const logEnd = (tail: readonly string[]): string =>
  `the end of the restore's log (anything that looks like a secret is masked):\n${tail.map((line) => `  ${line}`).join("\n")}`;

export function completeLine({ transactionId, durationSeconds, adopted }: RestoreRecord): string {
  const took = durationSeconds === undefined ? "" : ` in ${formatElapsed(durationSeconds * 1_000)}`;
  const id = transactionId === undefined ? "" : `${idOnRow(transactionId)} `;
  return `${id}complete${took}${adopted ? ", adopted" : ""}`;
}
