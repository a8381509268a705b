import type { Mark, RestoreTarget } from "../inputs/intent";
import type { Transaction } from "../panel/types";
import { isDecimalId } from "../panel/types";
import { zonedTime } from "../plain/clock";
import { type Chain, chainsOf, chainStanding, isUnfinished, mayBeRestore, type Row, type Words } from "./chains";

/** What the rows above a mark can be to one restore. */
export interface Sighting {
  /** This restore, by all that is known. */
  readonly fits: readonly Chain[];
  /** They would fit, and something speaks against it. */
  readonly doubtful: readonly Doubtful[];
  /** Jobs of the machine that are not this restore; the first part of it may be among those that have not ended. */
  readonly others: readonly Chain[];
  /** May be this restore, or keep its machine busy, but do not say of which machine they are: its own log has to tell. */
  readonly untold: readonly Chain[];
}

export interface Doubtful {
  readonly chain: Chain;
  readonly why: Doubt;
}

/**
 * `other paths`: its row lists other ones. `listed late`: it was made before the mark was taken, and may be another restore's.
 * `sent anew`: the restore before this one was sent again since, and this may be one of its.
 */
export type Doubt = "other paths" | "listed late" | "sent anew";

/** What a machine's own log has told. */
export interface LogKnowledge {
  /** Transactions that it names. */
  readonly named: readonly string[];
  /** Transactions that it would have named, had they been the machine's. */
  readonly denied: readonly string[];
}

export const nothingLogged: LogKnowledge = { named: [], denied: [] };

export interface IdentifyContext {
  readonly target: RestoreTarget;
  readonly words: Words;
  readonly log: LogKnowledge;
  /** Taken by another restore of this process. */
  readonly isClaimed: (transactionId: string) => boolean;
  /** For a later attempt, or a restore that is unaccounted for. */
  readonly later?: LaterAttempt;
}

export interface LaterAttempt {
  /** When the mark was taken, by the panel's clock: what was made before it was listed late. Absent where that is not known. */
  readonly markedAt?: number;
  /** The restore of this machine that comes before was sent anew since this one's intent was made. */
  readonly isSentAnew: boolean;
}

/** `sureAfterMs`: what was made within this time after the mark may have been asked for before it. */
export function laterAbove({ takenAt }: Mark, isSentAnew: boolean, sureAfterMs = 0): LaterAttempt {
  const taken = zonedTime(takenAt);
  return { isSentAnew, ...(taken !== undefined && { markedAt: taken + sureAfterMs }) };
}

/** Two clocks of one panel may be so far apart. */
const slackMs = 5_000;

/**
 * Which transactions above a mark may be the restore of this target. The panel's answer names none, so this is by exclusion: not of
 * another machine, not of another recovery point, not somebody else's in this process, and with an action that can be a restore.
 */
export function identify(rows: readonly Row[], context: IdentifyContext): Sighting {
  const { target, words, log, isClaimed } = context;
  const fits: Chain[] = [];
  const doubtful: Doubtful[] = [];
  const others: Chain[] = [];
  const untold: Chain[] = [];
  for (const chain of chainsOf(rows)) {
    if (chain.some((row) => isClaimed(row.id))) continue;
    const tie = chainTie(chain, target.virtualMachineId, log);
    if (tie === "another's") continue;
    const isPossible = mayBeThis(chain, target, words);
    if (tie === "untold") {
      // One that a person has stopped may be the first part of this restore.
      const isStopped = context.later !== undefined && chainStanding(chain, words) === "cancelled";
      const matters = isUnfinished(chain, words) || isStopped;
      if (isPossible || (matters && chain.some(mayBeOfAMachine))) untold.push(chain);
      continue;
    }
    if (!isPossible) {
      others.push(chain);
      continue;
    }
    const why = doubtOf(chain, context);
    if (why === undefined) fits.push(chain);
    else doubtful.push({ chain, why });
  }
  return { fits, doubtful, others, untold };
}

/** By its action and point. */
export function mayBeThis(chain: Chain, target: RestoreTarget, words: Words): boolean {
  return chain.some((row) => mayBeRestore(row, words)) && !namesAnotherPoint(chain, target);
}

function doubtOf(chain: Chain, { target, later }: IdentifyContext): Doubt | undefined {
  if (namesOtherPaths(chain, target)) return "other paths";
  if (later === undefined) return undefined;
  if (later.isSentAnew) return "sent anew";
  const { markedAt } = later;
  const isListedLate =
    markedAt !== undefined && chain.some((row) => (zonedTime(row.createdAt) ?? markedAt) < markedAt - slackMs);
  return isListedLate ? "listed late" : undefined;
}

/** Jobs of the machine that have not ended, whatever they do: a restore posted now would queue behind them. */
export function blockersOf(
  rows: readonly Row[],
  machine: string,
  words: Words,
  log: LogKnowledge,
): { readonly blockers: readonly Chain[]; readonly untold: readonly Chain[] } {
  const open = chainsOf(rows).filter((chain) => isUnfinished(chain, words));
  return {
    blockers: open.filter((chain) => chainTie(chain, machine, log) === "ours"),
    untold: open.filter((chain) => chainTie(chain, machine, log) === "untold" && chain.some(mayBeOfAMachine)),
  };
}

/** A chain is of the machine when one of its rows is: in a restore of a disk only the stop before it may say so. */
function chainTie(chain: Chain, machine: string, log: LogKnowledge): Tie {
  const ties = chain.map((row) => loggedTie(row, machine, log));
  return ties.find((tie) => tie === "ours") ?? ties.find((tie) => tie === "another's") ?? "untold";
}

function loggedTie(row: Row, machine: string, { named, denied }: LogKnowledge): Tie {
  const tie = tieOf(row, machine);
  if (tie !== "untold") return tie;
  return named.includes(row.id) ? "ours" : denied.includes(row.id) ? "another's" : "untold";
}

/** Whether a chain names recovery points, and ours is not among them. A name of another kind, letters against digits, tells nothing. */
export function namesAnotherPoint(chain: Chain, { recoveryPointId }: RestoreTarget): boolean {
  // Of a transaction that `adopt` names, whatever it restored from.
  if (recoveryPointId === undefined) return false;
  const points = chain.flatMap(pointsNamed);
  const comparable = points.filter((point) => isDecimalId(point) === isDecimalId(recoveryPointId));
  return comparable.length > 0 && !points.includes(recoveryPointId);
}

/** A transaction whose `params` list paths is the file restore of just these paths, or not ours. */
function namesOtherPaths(chain: Chain, target: RestoreTarget): boolean {
  const ours = plainPaths(target.paths ?? []);
  return chain.some((row) => {
    const paths: unknown = row.params?.["paths"];
    if (!Array.isArray(paths) || paths.length === 0 || !paths.every((path) => typeof path === "string")) return false;
    return plainPaths(paths) !== ours;
  });
}

/** A panel may list a path without its slash at the end, or with doubled ones made single. */
function plainPaths(paths: readonly string[]): string {
  return [...new Set(paths.map((path) => path.replace(/\/{2,}/g, "/").replace(/(.)\/$/, "$1")))].sort().join("\n");
}

/** What a row says about the machine somebody asks for. `untold`: nothing, so the machine's own log has to tell. */
export type Tie = "ours" | "another's" | "untold";

type Named = Pick<
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
export function tieOf(row: Named, machine: string): Tie {
  const names = machinesNamed(row);
  if (names.includes(machine) || identifierOf(row) === machine) return "ours";
  return names.some((name) => isDecimalId(name) === isDecimalId(machine)) ? "another's" : "untold";
}

/** Whether what a row works on can be a machine, or a part of one. */
export function mayBeOfAMachine({ parentType }: Pick<Transaction, "parentType">): boolean {
  return parentType === undefined || machineType.test(parentType) || partType.test(parentType);
}

/** The machines that a row names as such. */
function machinesNamed(row: Named): readonly string[] {
  const names = paramsNamed(row.params, machineParam);
  if (row.associatedObjectId !== undefined && machineType.test(row.associatedObjectType ?? "")) {
    names.push(row.associatedObjectId);
  }
  if (row.parentId !== undefined && machineType.test(row.parentType ?? "")) names.push(row.parentId);
  return names;
}

/** A decimal identifier is a machine's only where the row works on nothing else: backup 42 has the number of machine 42. */
function identifierOf({ identifier, parentId, parentType = "" }: Named): string | undefined {
  if (identifier === undefined || identifier === "") return undefined;
  const worksOnSomethingElse = parentId !== undefined && !machineType.test(parentType);
  return isDecimalId(identifier) && worksOnSomethingElse ? undefined : identifier;
}

/** Recovery points a row names. A restore of another point than ours is somebody else's. */
export function pointsNamed(row: Named): readonly string[] {
  const points = [...paramsNamed(row.params, pointParam)];
  if (row.parentId !== undefined && pointType.test(row.parentType ?? "")) points.push(row.parentId);
  if (row.associatedObjectId !== undefined && pointType.test(row.associatedObjectType ?? "")) {
    points.push(row.associatedObjectId);
  }
  return points;
}

function paramsNamed(params: Transaction["params"], name: RegExp): string[] {
  const found: string[] = [];
  for (const [key, value] of Object.entries(params ?? {})) {
    if (name.test(key) && (typeof value === "string" || typeof value === "number") && String(value) !== "") {
      found.push(String(value));
    }
  }
  return found;
}
