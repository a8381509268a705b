import type { RestoreRequest } from "../inputs/intent";
import type { Limit } from "../inputs/read-values";
import type { RestoreRecord } from "../inputs/record";
import { formatElapsed } from "../plain/clock";
import { firstFew } from "../plain/text";
import type { Chain, Row } from "../rows/chains";
import { type Ended, type RestoreProgress, ownRows, type Underway } from "./restore-progress";
import type { ProgressText } from "./poller";
import type { Reporter, Warning } from "./result";

/** The texts about a restore that was sent: what happened, to which machine and transaction, and what the next `pulumi up` does. */

export function subject(request: Pick<RestoreRequest, "name" | "target">): string {
  const what = request.target.kind === "VmRestore" ? "restore" : "file restore";
  const { virtualMachineId, recoveryPointId } = request.target;
  const point = recoveryPointId === undefined ? "" : `, recovery point ${recoveryPointId}`;
  return `${what} "${request.name}" (machine ${virtualMachineId}${point})`;
}

export function completeLine(record: RestoreRecord): string {
  const adopted = record.adopted ? ", adopted" : "";
  const ids = record.transactionId === undefined ? "" : `, transaction ${record.transactionId}`;
  const { durationSeconds, queuedSeconds } = record;
  if (durationSeconds === undefined) return `complete${ids}${adopted}`;
  const split =
    queuedSeconds === undefined || queuedSeconds > durationSeconds
      ? ""
      : ` (queued ${seconds(queuedSeconds)}, ran ${seconds(durationSeconds - queuedSeconds)})`;
  return `complete in ${seconds(durationSeconds)}${split}${ids}${adopted}`;
}

/**
 * `requestTimeoutMs`: the longest time of one request, a part of the time that a look back takes; absent if the settings were not read.
 * `neverBegan`: parts of a chain behind the one that went wrong, which the panel left pending.
 */
export function endedBadlyReason(
  request: RestoreRequest,
  record: RestoreRecord,
  requestTimeoutMs?: number,
  neverBegan: readonly Row[] = [],
): string {
  const { durationSeconds, queuedSeconds } = record;
  const queued = queuedSeconds === undefined ? "" : ` (queued ${seconds(queuedSeconds)})`;
  const took = durationSeconds === undefined ? "" : ` after ${seconds(durationSeconds)}${queued}`;
  const which = describeTransaction(record);
  const leftBehind =
    neverBegan.length === 0
      ? ""
      : ` Behind it ${describeRows(neverBegan)} never began: the next restore of the machine waits for them up to timeouts.busy, unless ` +
        "somebody ends them on the panel.";
  const next =
    record.status === "cancelled"
      ? "Somebody cancelled it, so it is never retried by itself: it stays an error, and nothing is sent, until triggers change."
      : request.retryFailed && record.transactionIds.includes(request.adopt)
        ? "As long as adopt names it, `pulumi up` takes it again and posts nothing. To restore again, take adopt out."
        : request.retryFailed
          ? `${nextTry(request, requestTimeoutMs)} retryFailed: false would keep it an error until triggers change.`
          : "retryFailed is false: it stays an error, and nothing is sent, until triggers change.";
  return `${subject(request)} ${record.status === "cancelled" ? "was cancelled" : "failed"}: ${which} ended as ${record.status}${took}.${leftBehind} The machine may be in any state. ${next}`;
}

/** Said on the restore's row alone. A reason would be stored in plain text, and a log may hold secrets that nobody can recognize. */
export function logEnd(tail: readonly string[]): string {
  return `the end of its log, secrets masked:\n${tail.map((line) => `  ${line}`).join("\n")}`;
}

/**
 * The retry keeps the intent of the failed try, so it first looks for other POSTs for that intent. Somebody in a hurry has to know how long
 * that takes, and what restores without it.
 */
function nextTry({ adopt, timeouts }: RestoreRequest, requestTimeoutMs: number | undefined): string {
  if (adopt !== "auto") return "The next `pulumi up` posts the restore again. New triggers do too.";
  const time = requestTimeoutMs === undefined ? "" : `${formatElapsed(requestTimeoutMs + timeouts.listedMs)}, `;
  return (
    `The next \`pulumi up\` first looks for a restore posted meanwhile (${time}recovery:requestTimeout plus timeouts.listed), ` +
    "then posts again. New triggers restore at once."
  );
}

/** The text for a restore that is or may be on the panel and whose end is not known. It is stored, and never posted again. */
export function unfinishedReason(request: RestoreRequest, record: RestoreRecord, state: Ended): string {
  const { end } = state;
  const who = subject(request);
  const which = describeTransaction(record);
  const resume = "The next `pulumi up` goes on waiting and posts nothing.";
  const sure =
    "New triggers would restore a second time: change triggers only if you are sure that this one no longer runs.";
  const waysOut = `If you find its transaction on the panel, set adopt: "<transaction id>". ${sure}`;
  // If ids do not compare, the end of a very long list is out of reach.
  const depth = state.readFarEnough === false ? " The list goes on further down than it was read." : "";
  const trouble =
    state.lastTrouble === undefined ? "" : ` The panel could not be read last: ${withoutFullStop(state.lastTrouble)}.`;
  switch (end.how) {
    case "limit":
      if (record.transactionIds.length === 0) return notListed(request, state, `${depth}${trouble}`);
      if (end.limit === "listed") {
        return (
          `${who}: the panel's list has not shown ${which} within ${formatElapsed(request.timeouts.listedMs)}; it was last seen ${record.status} and may still run.${depth}${trouble} ` +
          `${resume} Look at the machine on the panel. If another transaction is this restore, set adopt: "<transaction id>". ${sure}`
        );
      }
      return (
        `${who} has not ended within ${limitName(request, end.limit)}: ${which} is ${record.status}, and continues on the panel.` +
        `${trouble} ${resume} A longer timeouts.${end.limit} waits longer.`
      );
    case "differs": {
      const statuses = ownRows(state).map((row) => `${row.id} ${row.status ?? "without a status"}`);
      return (
        `${who} cannot be judged: transactions ${record.transactionIds.join(", ")} may each be this restore, nothing tells them ` +
        `apart, and they ended differently (${statuses.join(", ")}). It counts neither as a success nor as a failure, and is not retried. Look at them on the ` +
        'panel, then set adopt: "<transaction id>" to the one that is this restore, or change triggers to restore it again.'
      );
    }
    case "several":
      return (
        `${who} was posted by an earlier run, and its transaction was not listed then. Each of these may be it: ${describeRows(end.chains.flat())}. ` +
        `To take one as this restore, write ${adoptLines(end.chains)}. ` +
        `Until then nothing is taken and nothing is sent for this machine. ${sure}`
      );
    case "access-denied":
      return (
        `${who} was posted${record.status === "unknown" ? " (its answer was lost)" : ""} but cannot be watched: ${end.error.message} ` +
        `${record.transactionIds.length === 0 ? "" : `It is ${which}, last seen ${record.status}. `}${resume}`
      );
    case "not-this-machine":
      return (
        `${who} was recorded with ${which}, but the panel now ties that to another machine. That transaction no longer counts as this restore, and nothing ` +
        `more is posted for it. ${waysOut}`
      );
    case "ended":
    case "read-enough":
      return `${who}: ${which} is ${record.status}. ${resume}`;
  }
}

/** The text for a restore that was posted and not listed: nobody knows if it was carried out. */
function notListed(request: RestoreRequest, { posted, candidates, search }: RestoreProgress, more: string): string {
  const who = subject(request);
  const within = formatElapsed(request.timeouts.listedMs);
  const start =
    search.kind === "unconfirmed"
      ? `${who} was posted by an earlier run, and no transaction of it is listed yet (looked for ${within}).`
      : posted === "accepted"
        ? `${who} was accepted by the panel, but no transaction of it has been listed within ${within}.`
        : `${who} was sent, the panel's answer was lost, and no transaction of it has been listed within ${within}: it may or may not have been carried out.`;
  const { others = [], unattributed = [] } = candidates ?? {};
  const suspect = (candidates?.suspect ?? []).map(({ chain }) => chain);
  const groups: readonly (readonly [chains: readonly Chain[], what: string, more?: string])[] = [
    [others, "not a restore of this point", " (recovery:restoreActions names the actions that count as restores)"],
    [
      suspect,
      "may be it, but is suspect (other paths, another recovery point, made earlier, or below the restore before it)",
    ],
    [unattributed, "neither the list nor the machine's log says whose it is"],
  ];
  const seen = groups.flatMap(([chains, what, more = ""]) =>
    chains.length > 0 ? `${what}: ${describeRows(chains.flat())}${more}` : [],
  );
  // The others are left out: a job that prepares a restore is complete before the restore is.
  const adoptable = [...suspect, ...unattributed];
  const line = adoptable.length > 0 ? adoptLines(adoptable) : 'adopt: "<transaction id>"';
  return (
    `${start}${seen.length > 0 ? ` Seen since: ${seen.join("; ")}.` : ""}${more} It is unconfirmed: sent, and not confirmed by the panel. The next \`pulumi up\` ` +
    `looks again and posts nothing, and no later restore of machine ${request.target.virtualMachineId} is sent. If its transaction is on the panel, write ${line}. ` +
    "If you are sure that it was never carried out and is not under way, new triggers restore it again."
  );
}

/** The lines for the program that take one of them: the restore by its name, else the last part, because those before it prepare it. */
export function adoptLines(chains: readonly Chain[]): string {
  const toAdopt = chains.slice(0, 5).map((chain) => {
    const byName = chain.findLast(({ action = "" }) => action.toLowerCase().includes("restore"));
    return `adopt: "${(byName ?? chain.at(-1) ?? chain[0]).id}"`;
  });
  return toAdopt.join(" or ");
}

/** Describes transactions so that a person finds them on the panel. */
export function describeRows(rows: readonly Row[]): string {
  const described = rows.map(({ id, action = "no action", status = "no status", createdAt }) => {
    const made = createdAt === undefined ? "" : `, made ${createdAt}`;
    return `${id} (${action}, ${status}${made})`;
  });
  return `transaction ${firstFew(described)}`;
}

/** Nothing is taken that `adopt` names, and why. */
export function notTakenText(request: RestoreRequest, id: string, why: string): string {
  return `${subject(request)}: transaction ${id}, which adopt names, ${why} Nothing was sent.`;
}

/** The reasons why a transaction is no restore of the kind that names it. */
export const notThisKindText = {
  files: "lists paths: it restores files, and this is a VmRestore. Name it on a FileRestore, or take adopt out.",
  action: (action: string): string =>
    `is a ${action}, and no restore by its name. If the panel calls a restore so, add the word to recovery:restoreActions; otherwise name another transaction, or take adopt out.`,
} as const;

/** Said where `adopt` comes too late. */
export function adoptWithoutEffect(record: RestoreRecord, id: string): string {
  return (
    `adopt: "${id}" has no effect: the restore is complete already (${describeTransaction(record)}), and stays as it is. To take that transaction ` +
    "instead, change triggers with it."
  );
}

/** The text for an unconfirmed restore while `adopt: "never"` takes nothing. */
export function unconfirmedNeverAdopted(request: RestoreRequest): string {
  return (
    `${subject(request)} was posted by an earlier run and its transaction is not known. It is unconfirmed, and adopt: "never" takes no transaction. If ` +
    'its transaction is on the panel, write adopt: "<transaction id>", or take adopt out and let `pulumi up` look for it. If you are sure that it was ' +
    "never carried out and is not under way, new triggers restore it again."
  );
}

export function describeTransaction(
  record: Pick<RestoreRecord, "transactionId" | "transactionIds" | "action">,
): string {
  if (record.transactionId === undefined) {
    return record.transactionIds.length === 0 ? "no transaction" : `transaction ${record.transactionIds.join(", ")}`;
  }
  const action = record.action === undefined ? "" : ` (${record.action})`;
  const chain = record.transactionIds.length > 1 ? ` of the chain ${record.transactionIds.join(", ")}` : "";
  return `transaction ${record.transactionId}${action}${chain}`;
}

export function limitName(request: RestoreRequest, limit: Limit): string {
  return `the ${limit} limit of ${formatElapsed(limitMs(request, limit))}`;
}

export function limitMs({ timeouts }: RestoreRequest, limit: Limit): number {
  const { busyMs, listedMs, queueMs, runMs, totalMs = 0 } = timeouts;
  return { busy: busyMs, listed: listedMs, queue: queueMs, run: runMs, total: totalMs }[limit];
}

/** An error's message for use within a sentence. */
export function withoutFullStop(message: string): string {
  return message.replace(/\.+$/, "");
}

function seconds(amount: number): string {
  return formatElapsed(amount * 1000);
}

/** The text of a warning, on the restore's row and among its outputs. States of 1.0.0 hold these texts: they do not change. */
export function warningText(warning: Warning): string {
  switch (warning.kind) {
    case "adopted": {
      const actions = [...new Set(warning.rows.map((row) => row.action ?? "no action given"))];
      const ids = warning.rows.map((row) => row.id).join(", ");
      return (
        `adopted transaction ${ids} (${actions.join(", ")}${warning.ageMs === undefined ? "" : `, ${formatElapsed(warning.ageMs)} ago`}) as this restore: an earlier run was ` +
        "interrupted, or its request was refused, and nothing was posted again"
      );
    }
    case "run again":
      return `the panel has run transaction ${warning.rows.map((row) => row.id).join(", ")} again, which had failed: it is this restore, and nothing was posted again`;
    case "not told whose":
      return (
        `transaction ${firstFew(warning.transactionIds)} names no machine, and the machine's own log does not tell whose it is: it may belong to ` +
        "this restore too, and was not waited for"
      );
    case "other point":
      return `transaction ${warning.transactionId}, which adopt names, names another recovery point than this restore`;
    case "taken":
      return `took transaction ${warning.transactionId} as this restore, because adopt names it, and posted nothing`;
    case "old":
      return `transaction ${warning.transactionId}, which adopt names, was made ${formatElapsed(warning.ageMs)} ago, which is longer than recovery:adoptWindow`;
    case "other paths":
      return `transaction ${warning.transactionId}, which adopt names, lists other paths than this restore`;
    case "appeared later": {
      const rows = warning.rows.map(
        (row) => `${row.id} (${row.action ?? "no action given"}, made ${row.createdAt ?? "at a time not told"})`,
      );
      return (
        `a run before this one posted the restore and did not see it listed; transaction ${rows.join(", ")} has appeared since ` +
        "and is taken for it"
      );
    }
    case "indistinguishable":
      return (
        `nothing tells these transactions apart: ${warning.transactionIds.join(", ")} may each be this restore, so all of them ` +
        "are waited for"
      );
    case "unrecognized status":
      return (
        `the panel's status "${warning.status}" is neither a success nor a failure known here, so the restore counts as ` +
        "unfinished; classify the word with recovery:completeStatuses or recovery:failedStatuses"
      );
    case "stored":
      return warning.text;
  }
}

/** The stored texts of warnings, without repeats: an earlier run may have stored the same warning. */
export function warningTexts(warnings: readonly Warning[]): readonly string[] {
  return [...new Set(warnings.map(warningText))];
}

/** Says each new warning once. The known ones were said already, by this run or by the one that stored them. */
export function warnOnce(
  reporter: Pick<Reporter, "warn">,
  known: readonly Warning[],
): (warnings: readonly Warning[]) => void {
  const said = new Set(warningTexts(known));
  return (warnings) => {
    for (const text of warningTexts(warnings)) {
      if (said.has(text)) continue;
      said.add(text);
      reporter.warn(text);
    }
  };
}

export const restoreProgressText: ProgressText<RestoreProgress> = {
  describe(state, now) {
    if (state.phase === "over") return undefined;
    const trouble = state.lastTrouble === undefined ? "" : `; the panel cannot be read right now: ${state.lastTrouble}`;
    return describePhase(state, formatElapsed(now - state.since)) + trouble;
  },
  topic: (state) =>
    [state.phase, state.posted, mainId(state), outsideDependency(state) ?? "", state.lastTrouble === undefined].join(
      "/",
    ),
};

function describePhase(state: Underway, spent: string): string {
  switch (state.phase) {
    case "unlisted":
      if (state.ids.length > 0) return `looking for transaction ${mainId(state)} in the panel's list (${spent})`;
      if (state.search.kind === "unconfirmed") return `posted by an earlier run, not listed yet (${spent})`;
      return state.posted === "accepted"
        ? `accepted, not listed yet (${spent})`
        : `the answer to the request was lost, looking for its transaction (${spent})`;
    case "queued": {
      const behind = outsideDependency(state);
      return `queued${behind === undefined ? `, transaction ${mainId(state)}` : ` behind transaction ${behind}`} (${spent})`;
    }
    case "running":
      return state.brokenOffSince === undefined
        ? `running ${spent}, transaction ${mainId(state)}`
        : `a part of it failed or was cancelled, waiting a moment for the rest of transactions ${state.ids.join(", ")}`;
  }
}

/** The transaction outside the restore that it waits for, if its rows name one. */
function outsideDependency(state: RestoreProgress): string | undefined {
  const own = new Set(state.ids);
  return ownRows(state)
    .map((row) => row.dependentTransactionId)
    .find((id) => id !== undefined && !own.has(id));
}

function mainId(state: RestoreProgress): string {
  return state.ids[state.ids.length - 1] ?? "unknown";
}
