import type { RestoreTarget } from "../inputs/intent";
import type { Transaction } from "../panel/types";
import {
  brokenStanding,
  type Chain,
  chainsOf,
  chainStanding,
  hasEnded,
  mayBeRestore,
  type Row,
  type Words,
} from "./chains";

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

/** What a row says about the machine somebody asks for. `untold`: nothing, so the machine's own log has to tell. */
export type Tie = "ours" | "another's" | "untold";

/** Machine ids by identifier, learned from rows that carry both; null where rows have shown it beside several machines. */
export type Identifiers = ReadonlyMap<string, string | null>;

type Named = Pick<
  Transaction,
  "associatedObjectId" | "associatedObjectType" | "parentId" | "parentType" | "identifier" | "params"
>;

const machineType = /^virtual[-_ ]?(machine|server)$/i;
const pointType = /recovery[-_ ]?point/i;
const machineParam = /^(virtual[-_]?(machine|server)|vm)[-_]?id$/i;
const pointParam = /^(backups?[-_]?)?recovery[-_]?point([-_]?id)?$/i;
const decimal = /^[0-9]+$/;

/**
 * The direct target of a transaction (`parent_*`) is often a disk or a backup, so the associated object counts as
 * much, and either may be missing. A machine has two names, a decimal id and an alphanumeric identifier; a row
 * that uses the other one than the program tells nothing until some row has shown that both are one machine.
 *
 * A row's own identifier can only speak for us. It may be its target's, a backup's for example, so one that is not this
 * machine's does not make the row another's.
 */
export function tieOf(row: Named, machine: string, identifiers: Identifiers): Tie {
  const verdicts = machinesNamed(row).map((name) => sameMachine(name, machine, identifiers));
  if (verdicts.includes(true) || identifierOf(row) === machine) return "ours";
  if (verdicts.includes(false)) return "another's";
  const identifier = identifierOf(row);
  return identifier !== undefined && sameMachine(identifier, machine, identifiers) === true ? "ours" : "untold";
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
function identifierOf(row: Named): string | undefined {
  const { identifier } = row;
  if (identifier === undefined || identifier === "") return undefined;
  return decimal.test(identifier) && worksOnSomethingElse(row) ? undefined : identifier;
}

/** Whether the direct target is not a machine, so that the identifier may be that target's. */
function worksOnSomethingElse({ parentId, parentType = "" }: Named): boolean {
  return parentId !== undefined && !machineType.test(parentType);
}

/** True or false when it is certain; undefined when the two are names of different kinds and nothing links them. */
function sameMachine(name: string, machine: string, identifiers: Identifiers): boolean | undefined {
  if (name === machine) return true;
  if (decimal.test(name) === decimal.test(machine)) return false;
  const [identifier, id] = decimal.test(name) ? [machine, name] : [name, machine];
  const known = identifiers.get(identifier);
  return typeof known === "string" ? known === id : undefined;
}

/** Remembers a pair of names for one machine, where a row that works on the machine itself carries both. */
export function learnNames(identifiers: Map<string, string | null>, row: Named): void {
  const { identifier } = row;
  if (identifier === undefined || identifier === "" || decimal.test(identifier) || worksOnSomethingElse(row)) return;
  const id = machineType.test(row.associatedObjectType ?? "") ? row.associatedObjectId : row.parentId;
  if (id === undefined || !decimal.test(id)) return;
  const known = identifiers.get(identifier);
  identifiers.set(identifier, known === undefined || known === id ? id : null);
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

/** Jobs of the machine that have not ended, whatever they do: a restore posted now would queue behind them. */
export function blockersOf(
  rows: readonly Row[],
  machine: string,
  words: Words,
  identifiers: Identifiers,
  inMachineLog: ReadonlySet<string> = new Set(),
): readonly Chain[] {
  const isOurs = (row: Row): boolean => {
    const tie = tieOf(row, machine, identifiers);
    return tie === "ours" || (tie === "untold" && inMachineLog.has(row.id));
  };
  return chainsOf(rows).filter((chain) => chain.some(isOurs) && !hasEnded(chainStanding(chain, words)));
}

/** What a later attempt makes of the restores it finds above its intent's mark. */
export type Earlier =
  | { readonly found: "nothing" }
  /** `ageMs`: how long ago the youngest of them ended, or was last touched while it has not. */
  | { readonly found: "adoptable" | "too-old"; readonly chains: readonly Chain[]; readonly ageMs: number };

export interface AdoptContext {
  readonly words: Words;
  readonly adoptWindowMs: number;
  /** What a time stamp of the panel made now would read as. */
  readonly stampsNow: number;
  /** No restore of this intent is older than the intent: the bound where the panel gives no time stamps. */
  readonly intentAgeMs: number;
}

/**
 * An earlier try that failed or was cancelled is passed over, even if what has not begun of it stays pending. One that has not
 * ended is waited for. One that is complete is the result, unless it ended so long ago that taking it for today's restore would
 * be a lie.
 */
export function decideEarlier(sighting: Sighting, context: AdoptContext): Earlier {
  const open: Chain[] = [];
  const old: Chain[] = [];
  for (const chain of sighting.candidates) {
    const standing = brokenStanding(chain, context.words) ?? chainStanding(chain, context.words);
    if (standing === "failed" || standing === "cancelled") continue;
    const isOld = standing === "complete" && ageOf(chain, context) > context.adoptWindowMs;
    (isOld ? old : open).push(chain);
  }
  const [found, chains] = open.length > 0 ? (["adoptable", open] as const) : (["too-old", old] as const);
  if (chains.length === 0) return { found: "nothing" };
  return { found, chains, ageMs: Math.min(...chains.map((chain) => ageOf(chain, context))) };
}

/** How long ago a chain ended (or was last touched), by the panel's stamps; never more than the age of the intent above which it stands. */
function ageOf(chain: Chain, context: Pick<AdoptContext, "stampsNow" | "intentAgeMs">): number {
  const ends = chain
    .map((row) => Date.parse(row.finishedAt ?? row.updatedAt ?? ""))
    .filter((end) => !Number.isNaN(end));
  const bound = Math.max(0, context.intentAgeMs);
  if (ends.length === 0) return bound;
  return Math.min(bound, Math.max(0, context.stampsNow - Math.max(...ends)));
}
