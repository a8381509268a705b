import type { RestoreRequest } from "../inputs/intent";
import type { TransactionId } from "../panel/types";
import { zonedTime } from "../plain/clock";
import { type Chain, chainsOf, isUnfinished } from "../rows/chains";
import { listsPaths, namesAnotherPoint } from "../rows/match-transactions";
import { whoseRow } from "../rows/whose-row";
import { mayBeRestore } from "../rows/words";
import { followRestore } from "./follow-restore";
import { readMachineLog, reachesDownTo } from "./machine-log";
import { notTakenText, notThisKindText, warningText, withoutFullStop } from "./messages";
import { type PanelSession, totalUntilOf } from "./panel-session";
import { endOf, hasSeenNothing, newProgress, ownChains, type RestoreProgress, type Underway } from "./restore-progress";
import type { Reporter, ResultSoFar, Warning } from "./result";
import { pollProgress } from "./resume-restore";
import { withPlace } from "./turn";

/** Takes a transaction, named by its id, as this restore. Posts nothing. One that is known not to fit is refused. */
export async function takeTransaction(
  session: PanelSession,
  request: RestoreRequest,
  id: TransactionId,
  owner: string,
  reporter: Reporter,
): Promise<ResultSoFar> {
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
  const start: Underway = {
    ...newProgress({ kind: "known" }, clock.now(), totalUntilOf(clock, request)),
    ids: [id],
  };
  const met = await pollProgress(session, request.target, start, owner, { until: "met", timeouts: request.timeouts });
  const end = endOf(met);
  if (end?.how === "not-this-machine") return notTaken("belongs to another machine.");
  if (hasSeenNothing(met)) {
    const why = end?.how === "access-denied" ? end.error.message : (met.lastTrouble ?? "the list does not show it");
    return notTaken(`was not found: ${withoutFullStop(why)}.`);
  }
  const chains = await wholeJob(session, request, met, owner);
  const rows = chains.flat();
  const ids = rows.map((row) => row.id);
  if (ids.some((each) => claims.isClaimedByAnother(each, owner))) {
    return notTaken(`is part of ${ids.join(", ")}, which is another restore of this program already.`);
  }
  if (request.target.kind === "VmRestore" && chains.some(listsPaths)) return notTaken(notThisKindText.files);
  if (!rows.some((row) => mayBeRestore(row, words))) {
    const { action = "" } = rows.find((row) => row.id === id) ?? {};
    return notTaken(notThisKindText.action(action, chains.some((chain) => isUnfinished(chain, words))));
  }
  if (await isRuledOutByLog(session, request, chains)) {
    return notTaken(
      `names no machine, and the log of machine ${request.target.virtualMachineId} does not name it: it belongs to another machine.`,
    );
  }
  const warnings = warningsAbout(session, request, id, chains, met);
  // An id left in the program replaces a restore that somebody waits for, and must not do so silently.
  for (const warning of warnings) reporter.warn(warningText(warning));
  return withPlace(session.places, "at once", () =>
    followRestore(
      session,
      request,
      { ...start, ids, warnings },
      { adopted: true, postedAfter: { panel: session.client.address }, reporter, owner },
    ),
  );
}

/** A job has few parts; more links than this lead through other work. */
const mostLinks = 5;

/**
 * The rows of the job. On a panel without chain ids, they are linked by the transaction that each one waits for, and the last part alone is no
 * restore by its action. So from there the links are followed down to the restore, if they lead to one.
 */
async function wholeJob(
  session: PanelSession,
  request: RestoreRequest,
  met: RestoreProgress,
  owner: string,
): Promise<readonly Chain[]> {
  const found = ownChains(met);
  let chains = found;
  for (let links = 0; links < mostLinks; links++) {
    const rows = chains.flat();
    if (rows.some((row) => mayBeRestore(row, session.words))) return chains;
    const below = rows.find(
      ({ chainId, dependentTransactionId: next }) =>
        chainId === undefined && next !== undefined && !rows.some((row) => row.id === next),
    )?.dependentTransactionId;
    if (below === undefined) return found;
    const linked = await readById(session, request, below, owner);
    chains = chainsOf([...rows, ...linked]).filter((chain) => chain.some((row) => met.ids.includes(row.id)));
    if (chains.flat().length === rows.length) return found;
  }
  return found;
}

/** The rows of a transaction, by one read of the list. Empty if it cannot be read or does not show it. */
async function readById(
  session: PanelSession,
  request: RestoreRequest,
  id: TransactionId,
  owner: string,
): Promise<Chain | readonly []> {
  const start: Underway = { ...newProgress({ kind: "known" }, session.clock.now(), undefined), ids: [id] };
  const ms = session.requestTimeoutMs;
  const timeouts = { ...request.timeouts, listedMs: ms, queueMs: ms, runMs: ms };
  const seen = await pollProgress(session, request.target, start, owner, { until: "one read", timeouts });
  return ownChains(seen)[0] ?? [];
}
