import type { RestoreRequest } from "../inputs/intent";
import type { TransactionId } from "../panel/types";
import { zonedTime } from "../plain/clock";
import type { Chain, Row } from "../rows/chains";
import { listsPaths, namesAnotherPoint, namesOtherPaths } from "../rows/match-transactions";
import { whoseRow } from "../rows/whose-row";
import { mayBeRestore } from "../rows/words";
import { followRestore, pollProgress } from "./follow-restore";
import { findingsOf, readMachineLog } from "./machine-log";
import { notTakenText, notThisKindText, warningText, withoutFullStop } from "./messages";
import type { PanelSession, RestoreRun } from "./panel-session";
import { hasSeenNothing, newProgress, ownChains, type Underway } from "./restore-progress";
import type { ResultSoFar, Warning } from "./result";
import { withPlace } from "./turn";

/** Takes a transaction, named by its id, as this restore. Posts nothing. One that is known not to fit is refused. */
export async function takeTransaction(run: RestoreRun, id: TransactionId): Promise<ResultSoFar> {
  const { session, request, owner, reporter } = run;
  const { claims, clock, words } = session;
  const notTaken = (why: string): ResultSoFar => ({
    result: { kind: "not-posted", reason: notTakenText(request, id, why) },
  });
  if (claims.isClaimedByAnother(id, owner)) {
    // Most often it is the very same restore: its triggers were changed while adopt still named the former transaction.
    return notTaken(
      "is another restore of this program already, or was this one before triggers changed. To restore again, take adopt out.",
    );
  }
  const start: Underway = { ...newProgress({ kind: "known" }, clock.now()), ids: [id] };
  const met = await pollProgress(run, start, "met");
  const { end } = met;
  if (end.how === "not-this-machine") return notTaken("belongs to another machine.");
  if (hasSeenNothing(met)) {
    const why = end.how === "access-denied" ? end.error.message : (met.lastTrouble ?? "the list does not show it");
    return notTaken(`was not found: ${withoutFullStop(why)}.`);
  }
  const chains = ownChains(met);
  const rows = chains.flat();
  const ids = rows.map((row) => row.id);
  if (ids.some((each) => claims.isClaimedByAnother(each, owner))) {
    return notTaken(`is part of ${ids.join(", ")}, which is another restore of this program already.`);
  }
  if (request.target.kind === "VmRestore" && chains.some(listsPaths)) return notTaken(notThisKindText.files);
  if (!rows.some((row) => mayBeRestore(row, words))) {
    const { action = "" } = rows.find((row) => row.id === id) ?? {};
    return notTaken(notThisKindText.action(action));
  }
  if (await isRuledOutByLog(session, request, rows)) {
    return notTaken(
      `names no machine, and the log of machine ${request.target.virtualMachineId} does not name it: it belongs to another machine.`,
    );
  }
  const warnings = warningsAbout(session, request, id, chains);
  // An id left in the program replaces a restore that somebody waits for, and must not do so silently.
  for (const warning of warnings) reporter.warn(warningText(warning));
  return withPlace(session.places, "at once", () =>
    followRestore(run, { ...start, warnings }, { adopted: true, postedAfter: { panel: session.client.address } }),
  );
}

/** What a person should know of the taken transaction. */
function warningsAbout(
  { clock, adoptWindowMs }: PanelSession,
  { target }: RestoreRequest,
  id: TransactionId,
  chains: readonly Chain[],
): readonly Warning[] {
  const madeAt = zonedTime(chains.flat().find((row) => row.id === id)?.createdAt);
  const ageMs = madeAt === undefined ? undefined : clock.wallTime().getTime() - madeAt;
  const warnings: Warning[] = [{ kind: "taken", transactionId: id }];
  if (ageMs !== undefined && ageMs > adoptWindowMs) warnings.push({ kind: "old", transactionId: id, ageMs });
  if (chains.some((chain) => namesAnotherPoint(chain, target)))
    warnings.push({ kind: "other point", transactionId: id });
  if (chains.some((chain) => namesOtherPaths(chain, target))) warnings.push({ kind: "other paths", transactionId: id });
  return warnings;
}

/** True if the machine's own log would name the transaction and does not. If it cannot be read, the person who named the id is believed. */
async function isRuledOutByLog(
  session: PanelSession,
  { target }: RestoreRequest,
  rows: readonly Row[],
): Promise<boolean> {
  if (rows.some((row) => whoseRow(row, target.virtualMachineId) === "this machine")) return false;
  try {
    const log = await readMachineLog(session, target.virtualMachineId, rows);
    return findingsOf(log, rows).excluded.size === rows.length;
  } catch {
    return false;
  }
}
