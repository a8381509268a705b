import type { RestoreTarget } from "../inputs/intent";
import { compareIds, isDecimalId, type TransactionId } from "../panel/types";
import { zonedTime } from "../plain/clock";
import { type Chain, chainsOf, isUnfinished, type Row, rowsNotStarted } from "./chains";
import { mayBeRestore, type ConfiguredWords } from "./words";
import { mayConcernMachine, namedPoints, type Whose, whoseRow } from "./whose-row";

/** The chains above a mark, sorted by what they can be to one restore. */
export interface Candidates {
  /** The restore itself, by all that is known. */
  readonly fits: readonly Chain[];
  /** They would fit, but something speaks against it. */
  readonly suspect: readonly SuspectChain[];
  /** Jobs of the machine that are not this restore. An unfinished one may still be its first part. */
  readonly others: readonly Chain[];
  /** They may be this restore, but do not name a machine. Only the machine's own log tells. */
  readonly unattributed: readonly Chain[];
}

export interface SuspectChain {
  readonly chain: Chain;
  readonly reason: SuspectReason;
}

/**
 * `other paths`, `other point`: its row lists other paths, or names another recovery point. `older chain`: its chain began below the mark.
 * `overwritten`: it stands below the transactions of the restore before this one. `listed late`: it was made before the mark was taken.
 * `queued behind`: it names a job of another restore that was not waited for.
 */
export type SuspectReason =
  "other paths" | "other point" | "older chain" | "overwritten" | "listed late" | "queued behind";

/** The findings of one read of a machine's own log about the rows that it was read for. */
export interface LogFindings {
  /** Transactions that the log names. */
  readonly named: ReadonlySet<string>;
  /** Transactions that the log would have named if they were the machine's. */
  readonly excluded: ReadonlySet<string>;
}

export const noLogFindings: LogFindings = { named: new Set(), excluded: new Set() };

export interface MatchContext {
  readonly target: RestoreTarget;
  readonly words: ConfiguredWords;
  readonly log: LogFindings;
  /** True for a transaction that is known: another restore of this process has taken it, or it is a try of this one that failed. */
  readonly isKnown: (transactionId: string) => boolean;
  /** The machine was not waited for (`busy: 0`), so a row may name a known job because it queues behind it. */
  readonly mayQueue?: boolean;
  /** When the rows of the mark had been made, see `madeSince`: a row above the mark with an older stamp was listed late. */
  readonly madeSince?: number | undefined;
  /** The mark was an empty list. One that was wrongly empty shows later what was made long before. */
  readonly isMarkEmpty?: boolean;
  /** Chains of which a row stands below the mark. */
  readonly olderChainIds?: readonly string[];
  /** Set for a later attempt and for an unconfirmed restore: the transactions that the restore before this one has now. */
  readonly later?: { readonly predecessorIds: readonly string[] };
}

/**
 * Sorts the transactions above a mark by what they can be to a restore. The panel's answer to the POST names none, so this goes by
 * exclusion: no other machine, no other owner, and an action that can be a restore. `rows` are newest first.
 */
export function matchTransactions(rows: readonly Row[], context: MatchContext): Candidates {
  const { target, words, log } = context;
  const found: { -readonly [Kind in keyof Candidates]: Candidates[Kind][number][] } = {
    fits: [],
    suspect: [],
    others: [],
    unattributed: [],
  };
  const isBelow = predecessorAbove(rows, context.later?.predecessorIds ?? []);
  for (const chain of chainsOf(rows)) {
    if (isKnownJob(chain, context)) continue;
    const whose = whoseChain(chain, target.virtualMachineId, log);
    if (whose === "another machine") continue;
    const isPossible =
      mayBeThisRestore(chain, target, words) && (context.later !== undefined || !namesAnotherPoint(chain, target));
    if (!isPossible) {
      if (whose === "this machine") found.others.push(chain);
      continue;
    }
    const reason = suspectReasonOf(chain, context, isBelow);
    if (whose === "not said") found.unattributed.push(chain);
    else if (reason === undefined) found.fits.push(chain);
    else found.suspect.push({ chain, reason });
  }
  return found;
}

/** Goes by the actions, and by paths: a job that lists some restores files, never a machine. */
export function mayBeThisRestore(chain: Chain, { kind }: RestoreTarget, words: ConfiguredWords): boolean {
  if (kind === "VmRestore" && listsPaths(chain)) return false;
  return chain.some((row) => mayBeRestore(row, words));
}

/** True where the chain certainly belongs to a known transaction: it holds one, or a row of it names one, wherever that stands. */
function isKnownJob(chain: Chain, { isKnown, mayQueue = false, later }: MatchContext): boolean {
  const unknown = chain.filter((row) => !isKnown(row.id));
  if (unknown.length === 0 || unknown.some((row) => namesKnown(row, isKnown))) return !mayQueue || unknown.length === 0;
  // Chain ids are not one per job on every panel: what shares nothing else with a known row is a question to a later attempt.
  return unknown.length < chain.length && (later === undefined || chain.every(({ chainId }) => chainId === undefined));
}

function namesKnown({ dependentTransactionId: id }: Row, isKnown: MatchContext["isKnown"]): boolean {
  return id !== undefined && isKnown(id);
}

function suspectReasonOf(
  chain: Chain,
  { target, isKnown, madeSince, isMarkEmpty = false, olderChainIds = [], later }: MatchContext,
  isBelow: (row: Row) => boolean,
): SuspectReason | undefined {
  if (namesOtherPaths(chain, target)) return "other paths";
  if (chain.some((row) => namesKnown(row, isKnown))) return "queued behind";
  const isListedLate =
    madeSince !== undefined && chain.some((row) => (zonedTime(row.createdAt) ?? madeSince) < madeSince);
  // Else a stamp proves nothing for this run: the clocks of a panel's servers differ.
  if (isListedLate && (later !== undefined || isMarkEmpty)) return "listed late";
  if (later === undefined) return undefined;
  if (namesAnotherPoint(chain, target)) return "other point";
  if (chain.some(({ id, chainId = "" }) => isKnown(id) || olderChainIds.includes(chainId))) return "older chain";
  return chain.some(isBelow) ? "overwritten" : undefined;
}

/** Tells which rows stand below a transaction of the restore before: by their ids where these are decimal, else by their place in the list. */
function predecessorAbove(rows: readonly Row[], predecessorIds: readonly string[]): (row: Row) => boolean {
  const firstMet = rows.findIndex(({ id }) => predecessorIds.includes(id));
  return (row) =>
    !predecessorIds.includes(row.id) &&
    (predecessorIds.some((id) => (compareIds(row.id, id as TransactionId) ?? 1) < 0) ||
      (!isDecimalId(row.id) && firstMet !== -1 && rows.findIndex(({ id }) => id === row.id) > firstMet));
}

/**
 * The unfinished jobs of the machine, of any kind: a restore posted now would queue behind them. One that the panel has scheduled for later,
 * by its own clock, is none.
 */
export function blockersOf(
  rows: readonly Row[],
  machine: string,
  words: ConfiguredWords,
  log: LogFindings,
  panelTime?: number,
): { readonly blockers: readonly Chain[]; readonly unattributed: readonly Chain[] } {
  const open = chainsOf(rows).filter((chain) => isUnfinished(chain, words) && !isScheduled(chain, words, panelTime));
  const openOf = (asked: Whose): Chain[] => open.filter((chain) => whoseChain(chain, machine, log) === asked);
  return {
    blockers: openOf("this machine"),
    unattributed: openOf("not said").filter((chain) => chain.some(mayConcernMachine)),
  };
}

function isScheduled(chain: Chain, words: ConfiguredWords, panelTime: number | undefined): boolean {
  const waiting = rowsNotStarted(chain, words);
  return (
    panelTime !== undefined &&
    chain.every((row) => waiting.includes(row) || !isUnfinished([row], words)) &&
    waiting.some(({ startAfter }) => (zonedTime(startAfter) ?? panelTime) > panelTime)
  );
}

/**
 * A chain belongs to the machine if one of its rows does: in a restore of a disk, perhaps only the stop before it names the machine. The log
 * tells of rows that name none.
 */
function whoseChain(chain: Chain, machine: string, { named, excluded }: LogFindings): Whose {
  const whoseEach = chain.map((row): Whose => {
    const whose = whoseRow(row, machine);
    if (whose !== "not said") return whose;
    return named.has(row.id) ? "this machine" : excluded.has(row.id) ? "another machine" : "not said";
  });
  return (["this machine", "another machine"] as const).find((whose) => whoseEach.includes(whose)) ?? "not said";
}

/** True if the chain names recovery points, but not this one. A name of another kind, letters against digits, proves nothing. */
export function namesAnotherPoint(chain: Chain, { recoveryPointId }: RestoreTarget): boolean {
  // `adopt` takes a transaction whatever it restored from.
  if (recoveryPointId === undefined) return false;
  const points = chain.flatMap(namedPoints).filter((point) => isDecimalId(point) === isDecimalId(recoveryPointId));
  return points.length > 0 && !points.includes(recoveryPointId);
}

/** A transaction whose `params` list paths is the file restore of exactly these paths. */
export function namesOtherPaths(chain: Chain, target: RestoreTarget): boolean {
  const wanted = normalizedPaths(target.paths ?? []);
  return chain.some((row) => normalizedPaths(pathsOf(row) ?? target.paths ?? []) !== wanted);
}

/** True for a job that restores files, and no machine. */
export function listsPaths(chain: Chain): boolean {
  return chain.some((row) => pathsOf(row) !== undefined);
}

/** The paths that a row lists. */
function pathsOf({ params }: Row): readonly string[] | undefined {
  const paths: unknown = params?.["paths"];
  return Array.isArray(paths) && paths.length > 0 && paths.every((path) => typeof path === "string")
    ? paths
    : undefined;
}

/** A panel may list a path without its last slash, or with doubled slashes made single. */
function normalizedPaths(paths: readonly string[]): string {
  return [...new Set(paths.map((path) => path.replace(/\/{2,}/g, "/").replace(/(.)\/$/, "$1")))].sort().join("\n");
}
