import type { Mark, RestoreTarget } from "../inputs/intent";
import { isDecimalId } from "../panel/types";
import { zonedTime } from "../plain/clock";
import { type Chain, chainsOf, chainStatus, isUnfinished, type Row } from "./chains";
import { mayConcernMachine, namedPoints, type Whose, whoseRow } from "./whose-row";
import { type ConfiguredWords, mayBeRestore } from "./words";

/** The chains above a mark, sorted by what they can be to one restore. */
export interface Candidates {
  /** The restore itself, by all that is known. */
  readonly fits: readonly Chain[];
  /** They would fit, but something speaks against it. */
  readonly suspect: readonly SuspectChain[];
  /** Jobs of the machine that are not this restore. An unfinished one may still be its first part. */
  readonly others: readonly Chain[];
  /** They may be this restore, or keep its machine busy, but do not name a machine. Only the machine's own log tells. */
  readonly unattributed: readonly Chain[];
}

export interface SuspectChain {
  readonly chain: Chain;
  readonly reason: SuspectReason;
}

/**
 * `other paths`: its row lists other paths. `listed late`: it was made before the mark was taken, so it may belong to another restore.
 * `predecessor resent`: the restore before this one was sent again since, so it may belong to that one.
 */
export type SuspectReason = "other paths" | "listed late" | "predecessor resent";

/** Facts from a machine's own log. */
export interface LogFindings {
  /** Transactions that the log names. */
  readonly named: readonly string[];
  /** Transactions that the log would have named if they were the machine's. */
  readonly excluded: readonly string[];
}

export const noLogFindings: LogFindings = { named: [], excluded: [] };

export interface MatchContext {
  readonly target: RestoreTarget;
  readonly words: ConfiguredWords;
  readonly log: LogFindings;
  /** True for a transaction that another restore of this process has taken. */
  readonly isClaimed: (transactionId: string) => boolean;
  /** Set for a later attempt and for an unconfirmed restore. */
  readonly later?: LaterAttempt;
}

export interface LaterAttempt {
  /** When the mark was taken, by the panel's clock: an older row above the mark was listed late. Absent if unknown. */
  readonly markedAt?: number;
  /** The restore before this one was sent again since this one's intent was made. */
  readonly isPredecessorResent: boolean;
}

/** `sureAfterMs`: a row made within this time after the mark may have been requested before it. */
export function laterAttemptFrom({ takenAt }: Mark, isPredecessorResent: boolean, sureAfterMs = 0): LaterAttempt {
  const taken = zonedTime(takenAt);
  return { isPredecessorResent, ...(taken !== undefined && { markedAt: taken + sureAfterMs }) };
}

/** Two clocks of one panel may differ by this much. */
const clockSlackMs = 5_000;

/**
 * Sorts the transactions above a mark by what they can be to a restore. The panel's answer to the POST names none, so this goes by
 * exclusion: no other machine, no other recovery point, no other owner in this process, and an action that can be a restore.
 */
export function matchTransactions(rows: readonly Row[], context: MatchContext): Candidates {
  const { target, words, log, isClaimed } = context;
  const fits: Chain[] = [];
  const suspect: SuspectChain[] = [];
  const others: Chain[] = [];
  const unattributed: Chain[] = [];
  for (const chain of chainsOf(rows)) {
    if (chain.some((row) => isClaimed(row.id))) continue;
    const whose = whoseChain(chain, target.virtualMachineId, log);
    if (whose === "another machine") continue;
    const isPossible = mayBeThisRestore(chain, target, words);
    if (whose === "not said") {
      // A job that a person cancelled may have been the first part of this restore.
      const isStopped = context.later !== undefined && chainStatus(chain, words) === "cancelled";
      const matters = isUnfinished(chain, words) || isStopped;
      if (isPossible || (matters && chain.some(mayConcernMachine))) unattributed.push(chain);
      continue;
    }
    if (!isPossible) {
      others.push(chain);
      continue;
    }
    const reason = suspectReasonOf(chain, context);
    if (reason === undefined) fits.push(chain);
    else suspect.push({ chain, reason });
  }
  return { fits, suspect, others, unattributed };
}

/** Goes by action and recovery point alone. */
export function mayBeThisRestore(chain: Chain, target: RestoreTarget, words: ConfiguredWords): boolean {
  return chain.some((row) => mayBeRestore(row, words)) && !namesAnotherPoint(chain, target);
}

function suspectReasonOf(chain: Chain, { target, later }: MatchContext): SuspectReason | undefined {
  if (namesOtherPaths(chain, target)) return "other paths";
  if (later === undefined) return undefined;
  if (later.isPredecessorResent) return "predecessor resent";
  const { markedAt } = later;
  const isListedLate =
    markedAt !== undefined && chain.some((row) => (zonedTime(row.createdAt) ?? markedAt) < markedAt - clockSlackMs);
  return isListedLate ? "listed late" : undefined;
}

/** The unfinished jobs of the machine, of any kind: a restore posted now would queue behind them. */
export function blockersOf(
  rows: readonly Row[],
  machine: string,
  words: ConfiguredWords,
  log: LogFindings,
): { readonly blockers: readonly Chain[]; readonly unattributed: readonly Chain[] } {
  const open = chainsOf(rows).filter((chain) => isUnfinished(chain, words));
  return {
    blockers: open.filter((chain) => whoseChain(chain, machine, log) === "this machine"),
    unattributed: open.filter(
      (chain) => whoseChain(chain, machine, log) === "not said" && chain.some(mayConcernMachine),
    ),
  };
}

/** A chain belongs to the machine if one of its rows does: in a restore of a disk, perhaps only the stop before it names the machine. */
function whoseChain(chain: Chain, machine: string, log: LogFindings): Whose {
  const whoseEach = chain.map((row) => whoseRowWithLog(row, machine, log));
  return (
    whoseEach.find((whose) => whose === "this machine") ??
    whoseEach.find((whose) => whose === "another machine") ??
    "not said"
  );
}

function whoseRowWithLog(row: Row, machine: string, { named, excluded }: LogFindings): Whose {
  const whose = whoseRow(row, machine);
  if (whose !== "not said") return whose;
  return named.includes(row.id) ? "this machine" : excluded.includes(row.id) ? "another machine" : "not said";
}

/** True if the chain names recovery points, but not this one. A name of another kind, letters against digits, proves nothing. */
export function namesAnotherPoint(chain: Chain, { recoveryPointId }: RestoreTarget): boolean {
  // `adopt` takes a transaction whatever it restored from.
  if (recoveryPointId === undefined) return false;
  const points = chain.flatMap(namedPoints);
  const comparable = points.filter((point) => isDecimalId(point) === isDecimalId(recoveryPointId));
  return comparable.length > 0 && !points.includes(recoveryPointId);
}

/** A transaction whose `params` list paths is the file restore of exactly these paths. */
function namesOtherPaths(chain: Chain, target: RestoreTarget): boolean {
  const wanted = normalizedPaths(target.paths ?? []);
  return chain.some((row) => {
    const paths: unknown = row.params?.["paths"];
    if (!Array.isArray(paths) || paths.length === 0 || !paths.every((path) => typeof path === "string")) return false;
    return normalizedPaths(paths) !== wanted;
  });
}

/** A panel may list a path without its last slash, or with doubled slashes made single. */
function normalizedPaths(paths: readonly string[]): string {
  return [...new Set(paths.map((path) => path.replace(/\/{2,}/g, "/").replace(/(.)\/$/, "$1")))].sort().join("\n");
}
