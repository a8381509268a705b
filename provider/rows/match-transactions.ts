import type { Mark, RestoreTarget } from "../inputs/intent";
import type { Transaction } from "../panel/types";
import { isDecimalId } from "../panel/types";
import { zonedTime } from "../plain/clock";
import {
  type Chain,
  chainsOf,
  chainStatus,
  isUnfinished,
  mayBeRestore,
  type Row,
  type ConfiguredWords,
} from "./chains";

/** What the rows above a mark can be to one restore. */
export interface Candidates {
  /** This restore, by all that is known. */
  readonly fits: readonly Chain[];
  /** They would fit, and something speaks against it. */
  readonly suspect: readonly SuspectChain[];
  /** Jobs of the machine that are not this restore; the first part of it may be among those that have not ended. */
  readonly others: readonly Chain[];
  /** May be this restore, or keep its machine busy, but do not say of which machine they are: its own log has to tell. */
  readonly unattributed: readonly Chain[];
}

export interface SuspectChain {
  readonly chain: Chain;
  readonly reason: SuspectReason;
}

/**
 * `other paths`: its row lists other ones. `listed late`: it was made before the mark was taken, and may be another restore's.
 * `sent anew`: the restore before this one was sent again since, and this may be one of its.
 */
export type SuspectReason = "other paths" | "listed late" | "predecessor resent";

/** What a machine's own log has told. */
export interface LogFindings {
  /** Transactions that it names. */
  readonly named: readonly string[];
  /** Transactions that it would have named, had they been the machine's. */
  readonly excluded: readonly string[];
}

export const noLogFindings: LogFindings = { named: [], excluded: [] };

export interface MatchContext {
  readonly target: RestoreTarget;
  readonly words: ConfiguredWords;
  readonly log: LogFindings;
  /** Taken by another restore of this process. */
  readonly isClaimed: (transactionId: string) => boolean;
  /** For a later attempt, or a restore that is unaccounted for. */
  readonly later?: LaterAttempt;
}

export interface LaterAttempt {
  /** When the mark was taken, by the panel's clock: what was made before it was listed late. Absent where that is not known. */
  readonly markedAt?: number;
  /** The restore of this machine that comes before was sent anew since this one's intent was made. */
  readonly isPredecessorResent: boolean;
}

/** `sureAfterMs`: what was made within this time after the mark may have been asked for before it. */
export function laterAttemptFrom({ takenAt }: Mark, isPredecessorResent: boolean, sureAfterMs = 0): LaterAttempt {
  const taken = zonedTime(takenAt);
  return { isPredecessorResent: isPredecessorResent, ...(taken !== undefined && { markedAt: taken + sureAfterMs }) };
}

/** Two clocks of one panel may be so far apart. */
const clockSlackMs = 5_000;

/**
 * Which transactions above a mark may be the restore of this target. The panel's answer names none, so this is by exclusion: not of
 * another machine, not of another recovery point, not somebody else's in this process, and with an action that can be a restore.
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
      // One that a person has stopped may be the first part of this restore.
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
    else suspect.push({ chain, reason: reason });
  }
  return { fits, suspect, others, unattributed };
}

/** By its action and point. */
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

/** Jobs of the machine that have not ended, whatever they do: a restore posted now would queue behind them. */
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

/** A chain is of the machine when one of its rows is: in a restore of a disk only the stop before it may say so. */
function whoseChain(chain: Chain, machine: string, log: LogFindings): Whose {
  const whoseEach = chain.map((row) => whoseRowWithLog(row, machine, log));
  return (
    whoseEach.find((whose) => whose === "this machine") ??
    whoseEach.find((whose) => whose === "another machine") ??
    "not said"
  );
}

function whoseRowWithLog(row: Row, machine: string, { named, excluded: excluded }: LogFindings): Whose {
  const whose = whoseRow(row, machine);
  if (whose !== "not said") return whose;
  return named.includes(row.id) ? "this machine" : excluded.includes(row.id) ? "another machine" : "not said";
}

/** Whether a chain names recovery points, and ours is not among them. A name of another kind, letters against digits, tells nothing. */
export function namesAnotherPoint(chain: Chain, { recoveryPointId }: RestoreTarget): boolean {
  // Of a transaction that `adopt` names, whatever it restored from.
  if (recoveryPointId === undefined) return false;
  const points = chain.flatMap(namedPoints);
  const comparable = points.filter((point) => isDecimalId(point) === isDecimalId(recoveryPointId));
  return comparable.length > 0 && !points.includes(recoveryPointId);
}

/** A transaction whose `params` list paths is the file restore of just these paths, or not ours. */
function namesOtherPaths(chain: Chain, target: RestoreTarget): boolean {
  const ours = normalizedPaths(target.paths ?? []);
  return chain.some((row) => {
    const paths: unknown = row.params?.["paths"];
    if (!Array.isArray(paths) || paths.length === 0 || !paths.every((path) => typeof path === "string")) return false;
    return normalizedPaths(paths) !== ours;
  });
}

/** A panel may list a path without its slash at the end, or with doubled ones made single. */
function normalizedPaths(paths: readonly string[]): string {
  return [...new Set(paths.map((path) => path.replace(/\/{2,}/g, "/").replace(/(.)\/$/, "$1")))].sort().join("\n");
}

/** What a row says about the machine somebody asks for. `untold`: nothing, so the machine's own log has to tell. */
export type Whose = "this machine" | "another machine" | "not said";

type NamingFields = Pick<
  Transaction,
  "associatedObjectId" | "associatedObjectType" | "parentId" | "parentType" | "identifier" | "params"
>;

const machineType = /^virtual[-_ ]?(machine|server)$/i;
const pointType = /recovery[-_ ]?point/i;
const partType = /disk|backup|recovery[-_ ]?point/i;
const machineParam = /^(virtual[-_]?(machine|server)|vm)[-_]?id$/i;
const pointParam = /^(backups?[-_]?)?recovery[-_]?point([-_]?id)?$/i;

/**
 * The direct target of a transaction (`parent_*`) is often a disk or a backup, so the associated object counts as much, and either may
 * be missing. A machine has two names, a decimal id and an alphanumeric identifier; a row that uses the other one than the program tells
 * nothing. A row's own identifier may be its target's, a backup's for example: it speaks for the machine, never against it.
 */
export function whoseRow(row: NamingFields, machine: string): Whose {
  const names = namedMachines(row);
  if (names.includes(machine) || machineIdentifier(row) === machine) return "this machine";
  return names.some((name) => isDecimalId(name) === isDecimalId(machine)) ? "another machine" : "not said";
}

/** Whether what a row works on can be a machine, or a part of one. */
export function mayConcernMachine({ parentType }: Pick<Transaction, "parentType">): boolean {
  return parentType === undefined || machineType.test(parentType) || partType.test(parentType);
}

/** The machines that a row names as such. */
function namedMachines(row: NamingFields): readonly string[] {
  const names = paramValues(row.params, machineParam);
  if (row.associatedObjectId !== undefined && machineType.test(row.associatedObjectType ?? "")) {
    names.push(row.associatedObjectId);
  }
  if (row.parentId !== undefined && machineType.test(row.parentType ?? "")) names.push(row.parentId);
  return names;
}

/** A decimal identifier is a machine's only where the row works on nothing else: backup 42 has the number of machine 42. */
function machineIdentifier({ identifier, parentId, parentType = "" }: NamingFields): string | undefined {
  if (identifier === undefined || identifier === "") return undefined;
  const worksOnSomethingElse = parentId !== undefined && !machineType.test(parentType);
  return isDecimalId(identifier) && worksOnSomethingElse ? undefined : identifier;
}

/** Recovery points a row names. A restore of another point than ours is somebody else's. */
export function namedPoints(row: NamingFields): readonly string[] {
  const points = [...paramValues(row.params, pointParam)];
  if (row.parentId !== undefined && pointType.test(row.parentType ?? "")) points.push(row.parentId);
  if (row.associatedObjectId !== undefined && pointType.test(row.associatedObjectType ?? "")) {
    points.push(row.associatedObjectId);
  }
  return points;
}

function paramValues(params: Transaction["params"], name: RegExp): string[] {
  const found: string[] = [];
  for (const [key, value] of Object.entries(params ?? {})) {
    if (name.test(key) && (typeof value === "string" || typeof value === "number") && String(value) !== "") {
      found.push(String(value));
    }
  }
  return found;
}
