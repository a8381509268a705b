import { chainsOf, type Chain, type Row } from "./row-chains";
import type { RestoreTarget } from "../terms/intent";
import { pointsNamed, tieOf, type Identifiers } from "./tie";
import { mayBeRestore, type Words } from "./row-words";

/** What a walk showed above the mark, sorted by what it can be to one restore. */
export interface Sighting {
  /** Restores of this machine, or rows that may be one: nothing tells them apart. */
  readonly candidates: readonly Chain[];
  /** May be restores, but the rows do not say of which machine: its own log items have to tell. */
  readonly untold: readonly Chain[];
  /** Could be, but for having been asked for long after ours was posted. */
  readonly tooLate: readonly Chain[];
  /** Of this machine, but cannot be a restore of this point. Never taken; named when nothing better appears. */
  readonly others: readonly Chain[];
}

export interface IdentifyContext {
  readonly target: RestoreTarget;
  readonly words: Words;
  readonly identifiers: Identifiers;
  /** Transactions that the machine's own log names. */
  readonly inMachineLog: ReadonlySet<string>;
  /** Taken by another resource of this process. */
  readonly isClaimed: (transactionId: string) => boolean;
  /** Stands where another restore of the machine is looked for, which was posted later. */
  readonly isOfALater?: (row: Row) => boolean;
  /** What was made after this, by the panel's stamps, was asked for by somebody else. */
  readonly madeBefore?: number;
}

/**
 * Which transactions above a mark may be the restore of this target. The panel's answer names none, so this is
 * by exclusion: not of another machine, not of another recovery point or of other paths, not somebody else's in this
 * process, and with an action that can be a restore.
 */
export function identify(rows: readonly Row[], context: IdentifyContext): Sighting {
  const candidates: Chain[] = [];
  const untold: Chain[] = [];
  const others: Chain[] = [];
  const tooLate: Chain[] = [];
  for (const chain of chainsOf(rows)) {
    if (chain.some((row) => context.isClaimed(row.id))) continue;
    if (chain.every((row) => context.isOfALater?.(row))) continue;
    const tie = chainTie(chain, context);
    if (tie === "another's") continue;
    const possible =
      chain.some((row) => mayBeRestore(row, context.words)) &&
      !namesAnotherPoint(chain, context.target) &&
      !namesOtherPaths(chain, context.target);
    if (tie === "untold") {
      if (possible) untold.push(chain);
    } else if (!possible) others.push(chain);
    else (isTooLate(chain, context) ? tooLate : candidates).push(chain);
  }
  return { candidates: mostTelling(candidates, context), untold, tooLate, others };
}

function isTooLate(chain: Chain, { madeBefore }: IdentifyContext): boolean {
  return madeBefore !== undefined && chain.every((row) => Date.parse(row.createdAt ?? "") > madeBefore);
}

/** A chain is of the machine when one of its rows is: in a restore of a disk only the stop before it may say so. */
function chainTie(chain: Chain, context: IdentifyContext): "ours" | "another's" | "untold" {
  let another = false;
  for (const row of chain) {
    const tie = tieOf(row, context.target.virtualMachineId, context.identifiers);
    if (tie === "ours" || (tie === "untold" && context.inMachineLog.has(row.id))) return "ours";
    if (tie === "another's") another = true;
  }
  return another ? "another's" : "untold";
}

/** Where a row says by its action that it is a restore, rows that name no action are not candidates. */
function mostTelling(chains: readonly Chain[], { words }: IdentifyContext): readonly Chain[] {
  const telling = chains.filter((chain) => chain.some((row) => row.action !== undefined && mayBeRestore(row, words)));
  return telling.length > 0 ? telling : chains;
}

/** Whether a chain names recovery points, and ours is not among them. */
export function namesAnotherPoint(chain: Chain, target: RestoreTarget): boolean {
  const points = chain.flatMap(pointsNamed);
  return points.length > 0 && !points.includes(target.recoveryPointId);
}

/** A transaction whose `params` list paths is the file restore of just these paths, or not ours. */
function namesOtherPaths(chain: Chain, target: RestoreTarget): boolean {
  const ours = [...(target.paths ?? [])].sort().join("\n");
  return chain.some((row) => {
    const paths: unknown = row.params?.["paths"];
    if (!Array.isArray(paths) || paths.length === 0 || !paths.every((path) => typeof path === "string")) return false;
    return [...paths].sort().join("\n") !== ours;
  });
}
