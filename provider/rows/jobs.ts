import type { Mark, RestoreTarget } from "../inputs/intent";
import { asSent } from "../panel/secrets";
import { parseStamp, zonedTime } from "../plain/clock";
import type { Row } from "./order";
import { mayNameAnother, nameTwoMachines, namesAnotherBefore, pathsIn, pointsIn, type Whose, whoseRow } from "./whose";
import {
  type ConfiguredWords,
  doesOtherWork,
  type End,
  isEnd,
  isFailedOrCancelled,
  kindOfAction,
  mayBeRestore,
  saysRestore,
  statusOf,
} from "./words";

/** One job of the panel: a transaction, or several that belong together. */
export interface Job {
  /** Oldest first. */
  readonly rows: readonly [Row, ...Row[]];
  /** The row that is the restore: the last row whose action says so, else the last row. */
  readonly main: Row;
  readonly whose: Whose;
  readonly end: End | undefined;
  /** The part that failed, where the restore itself is complete. */
  readonly failedPart: Row | undefined;
  /** By its action: a restore, a configured word for a restore, or no action at all. */
  readonly mayBeRestore: boolean;
  /** By their actions all of its rows are certainly no restore. */
  readonly isOtherWork: boolean;
  /** One of its rows is above the mark. */
  readonly isAbove: boolean;
  /** What contradicts that it is this restore. */
  readonly contradictions: readonly string[];
}

/** What one restore must know to judge the jobs of a list. */
export interface Judging {
  readonly target: RestoreTarget;
  readonly words: ConfiguredWords;
  readonly mark: Mark;
  /** Set for a run that does not know what was posted: then a job made before the mark is contradicted too. */
  readonly isLater: boolean;
  /** Rows above the mark. */
  readonly above: ReadonlySet<string>;
  /** Those that may be older than the mark. */
  readonly unsure?: ReadonlySet<string>;
  /** Rows that the machine's own log names. */
  readonly inLog: ReadonlySet<string>;
  /** The panel has a word for restores of files. */
  readonly saysFiles?: boolean;
  /** Another restore of the program has the row, or it is a failed attempt. */
  readonly isSettled?: (id: string) => boolean;
  /** Another name in a row is another machine; otherwise it may be a label of this machine. */
  readonly showsNames?: boolean;
  /** The panel names the machines of restores of this program as `machine`, so that this is no host. */
  readonly namesAsMachine?: boolean;
  /** Whether a link leads to a row of another machine. */
  readonly isForeign?: (link: string) => boolean;
}

/** The jobs that the rows, newest first, form; without jobs of other machines. */
export function jobsOf(rows: readonly Row[], judging: Judging): readonly Job[] {
  return jobRows(rows, judging.words)
    .flatMap((job) => oldAndNew(job, judging))
    .flatMap((job) => attemptsIn(job, judging.words))
    .map((job) => judged(job, judging))
    .filter(({ whose }) => whose !== "another machine");
}

function judged(rows: Job["rows"], judging: Judging): Job {
  const { target, words, above, inLog, isForeign = () => false, showsNames = true, namesAsMachine = false } = judging;
  const machine = target.virtualMachineId;
  const isPerhapsNamed = showsNames && rows.some((row) => mayNameAnother(row, machine));
  const each = rows.map((row): Whose => {
    if (inLog.has(row.id)) return "this machine";
    return namesAsMachine && mayNameAnother(row, machine) ? "another machine" : whoseRow(row, machine);
  });
  const isNamed = !each.includes("this machine") && each.includes("another machine");
  const isLinked = (): boolean => rows.some((row) => linksOf(row).some(isForeign));
  return {
    rows,
    main: mainRow(rows, words) ?? rows[0],
    whose: each.includes("this machine")
      ? "this machine"
      : showsNames && (isNamed || isLinked())
        ? "another machine"
        : "not said",
    end: endOf(rows, words),
    failedPart: failedPartOf(rows, words),
    mayBeRestore: rows.some((row) => mayBeRestore(row, words)),
    isOtherWork: rows.every((row) => doesOtherWork(row, words)),
    isAbove: rows.some(({ id }) => above.has(id)),
    contradictions: [
      ...(isNamed ? ["names another machine, or this machine by another name"] : []),
      ...(isPerhapsNamed && !each.includes("this machine") ? ["names another machine, or its host"] : []),
      ...(rows.some((row) => namesAnotherBefore(row, machine)) ? ["names another machine as well"] : []),
      ...contradictionsIn(rows, judging),
    ],
  };
}

export function mainRow(rows: readonly Row[], words: ConfiguredWords): Row | undefined {
  return rows.findLast((row) => saysRestore(row, words)) ?? rows.at(-1);
}

const chainLink = ({ chainId }: Row): string | undefined => (chainId === undefined ? undefined : `chain ${chainId}`);
/** A parent that is not a transaction is the object that the row works on. */
const parentLink = (row: Row): string | undefined =>
  /transaction|task|job|operation/i.test(asSent(row).parentType ?? "transaction") ? row.parentId : undefined;

/** What links a row to a job: an equal chain, the id of its parent, or else the id of the row that it waits for. */
export function linksOf(row: Row): readonly string[] {
  const links = [chainLink(row), parentLink(row)].filter((link) => link !== undefined);
  return links.length > 0 || row.dependentTransactionId === undefined ? links : [row.dependentTransactionId];
}

/** The keys under which others may link to a row. */
export const keysOf = (row: Row): readonly string[] => [
  row.id,
  ...(row.chainId === undefined ? [] : [`chain ${row.chainId}`]),
];

/**
 * The rows of each job, oldest first. Rows that name two machines are never one job, nor are restores of files and of a machine of which one waits for the
 * other.
 */
function jobRows(rows: readonly Row[], words: ConfiguredWords): readonly Job["rows"][] {
  const jobs = new Map<string, Row[]>();
  const chains = new Map<string, string>();
  const firstOfChain = (chain: string, id: string): string => {
    if (!chains.has(chain)) chains.set(chain, id);
    return chains.get(chain) ?? id;
  };
  const join = (a: string, b: string): void => {
    const [from, to] = [jobs.get(a), jobs.get(b)];
    if (!from || !to || from === to) return;
    if (from.some((one) => to.some((other) => nameTwoMachines(one, other)))) return;
    to.push(...from);
    for (const { id } of from) jobs.set(id, to);
  };
  const oldestFirst = rows.toReversed();
  for (const row of oldestFirst) jobs.set(row.id, [row]);
  const isOtherKind = (row: Row, link: string): boolean =>
    onlyWaits(row) && jobs.get(link)?.some((other) => other.id === link && areTwoKinds(row, other, words)) === true;
  for (const row of oldestFirst)
    for (const link of linksOf(row))
      if (!isOtherKind(row, link)) join(row.id, link === chainLink(row) ? firstOfChain(link, row.id) : link);
  const place = new Map(oldestFirst.map(({ id }, index) => [id, index]));
  const inTime = (a: Row, b: Row): number => {
    const [first, second] = [parseStamp(a.createdAt)?.at, parseStamp(b.createdAt)?.at];
    const apart = first === undefined || second === undefined ? 0 : first - second;
    return apart || (place.get(a.id) ?? 0) - (place.get(b.id) ?? 0);
  };
  return [...new Set(jobs.values())].map((job) => job.sort(inTime)) as unknown as Job["rows"][];
}

function areTwoKinds(one: Row, other: Row, words: ConfiguredWords): boolean {
  const [kind, another] = [one, other].map((row) => (saysRestore(row, words) ? kindOfAction(row, words) : undefined));
  return kind !== undefined && another !== undefined && kind !== another;
}

/** It names the row that it waits for, and no chain or parent, which would say more. */
const onlyWaits = (row: Row): boolean =>
  row.dependentTransactionId !== undefined && linksOf(row)[0] === row.dependentTransactionId;

/**
 * A new restore, what is settled, and what is at or below the mark are no parts of one job only because one waits for the other: a panel may carry out the
 * jobs of a machine one after the other. A new row that says no restore belongs to the row before it.
 */
function oldAndNew(rows: Job["rows"], { above, words, isSettled = () => false }: Judging): readonly Job["rows"][] {
  const parts = { new: [] as Row[], settled: [] as Row[], old: [] as Row[] };
  let part = parts.new;
  for (const row of rows) {
    const own = isSettled(row.id) ? parts.settled : above.has(row.id) ? parts.new : parts.old;
    if ((onlyWaits(row) && (own !== parts.new || saysRestore(row, words))) || part === parts.new) part = own;
    part.push(row);
  }
  return Object.values(parts).filter((one) => one.length > 0) as unknown as readonly Job["rows"][];
}

/**
 * Nothing starts after a failed part: a complete restore behind a failed one may be another attempt, of the panel or of a person, and is a job of its own.
 * Not where its stamps show that it ran beside the failed one, or where the job's parent is complete.
 */
function attemptsIn(rows: Job["rows"], words: ConfiguredWords): readonly Job["rows"][] {
  const at = rows.findLastIndex((row) => saysRestore(row, words));
  const last = rows[at];
  const parent = parentOf(rows);
  if (at < 1 || last === undefined || !isComplete(last, words) || (parent && isComplete(parent, words))) return [rows];
  const began = zonedTime(last.startedAt) ?? Infinity;
  // A stamp may be cut to the second.
  const isFormer = (row: Row): boolean =>
    saysRestore(row, words) && hasFailed(row, words) && began > (zonedTime(row.finishedAt) ?? -Infinity) - 1_000;
  const parts = [rows.slice(0, at), rows.slice(at)];
  return parts[0]?.some(isFormer) ? (parts as unknown as readonly Job["rows"][]) : [rows];
}

/** The row that others name as their parent. */
function parentOf(rows: Job["rows"]): Row | undefined {
  const parents = new Set(rows.flatMap((row) => parentLink(row) ?? []));
  return rows.find(({ id }) => parents.has(id));
}

/**
 * How a job has ended. Parts that wait behind a failed part may never start, so they do not count: whoever follows the job waits a while for them. A part
 * that failed makes the job failed, whatever its parent says; and a part that nobody knows the end of leaves it unclear how the job has ended.
 */
function endOf(rows: Job["rows"], words: ConfiguredWords): End | undefined {
  const parent = parentOf(rows);
  const hasParentFailed = parent !== undefined && hasFailed(parent, words);
  const isWaitedFor = (row: Row): boolean =>
    !hasEnded(row, words) &&
    (row === parent || (hasParentFailed ? statusOf(row, words) === "running" : hasStarted(row, words)));
  if (rows.some(isWaitedFor)) return undefined;
  const statuses = (parent === undefined ? rows : [parent, ...rows]).map((row) => statusOf(row, words));
  const bad = statuses.find((one) => one === "unclear") ?? statuses.find(isFailedOrCancelled);
  // Of a restore that is complete, a part that was cancelled is one that failed.
  if (bad === "cancelled" && failedPartOf(rows, words) !== undefined) return "failed";
  return bad ?? (statuses.every(isEnd) ? "complete" : undefined);
}

export const hasEnded = (row: Row, words: ConfiguredWords): boolean => isEnd(statusOf(row, words));

const isComplete = (row: Row, words: ConfiguredWords): boolean => statusOf(row, words) === "complete";

/** Failed, or was cancelled. */
const hasFailed = (row: Row, words: ConfiguredWords): boolean => isFailedOrCancelled(statusOf(row, words));

export const hasStarted = (row: Row, words: ConfiguredWords): boolean =>
  row.startedAt !== undefined || statusOf(row, words) !== "pending";

/**
 * The restore itself is complete, by its parent or else by all rows that say restore, and another part of its job is not: the machine did not start again,
 * for instance. Where no part says what it is, any that is complete may be the restore. A parent that says something else only belongs to the restore.
 */
function failedPartOf(rows: Job["rows"], words: ConfiguredWords): Row | undefined {
  const parent = parentOf(rows);
  const restores = rows.filter((row) => saysRestore(row, words));
  const own = parent !== undefined && (restores.length === 0 || restores.includes(parent)) ? [parent] : restores;
  const isRestored =
    own.length > 0 ? own.every((row) => isComplete(row, words)) : rows.some((row) => isComplete(row, words));
  return isRestored ? rows.find((row) => hasFailed(row, words)) : undefined;
}

/** A job that the panel has scheduled for later does not keep a machine busy, and is not part of a restore that was just posted. */
export function isScheduled({ rows }: Job, panelTime: number | undefined, words: ConfiguredWords): boolean {
  if (panelTime === undefined) return false;
  const isLater = ({ startAfter }: Row): boolean => (zonedTime(startAfter) ?? 0) > panelTime + clockSlackMs;
  return rows.every((row) => hasEnded(row, words) || (!hasStarted(row, words) && isLater(row)));
}

/** Clocks of one panel may differ by this much. */
export const clockSlackMs = 60_000;

function contradictionsIn(
  rows: Job["rows"],
  { target, words, mark, isLater, above, unsure, saysFiles = true, isSettled = () => false }: Judging,
): readonly string[] {
  const { kind, recoveryPointId = "", paths = [] } = target;
  const listed = rows.flatMap((row) => pathsIn(row) ?? []);
  // Another part may be a backup that the panel makes first: the point that it names is new.
  const restores = rows.filter((row) => mayBeRestore(row, words));
  const points = restores.flatMap((row) => pointsIn(row, recoveryPointId));
  const kinds = restores.map((row) => kindOfAction(row, words));
  const taken = zonedTime(mark.takenAt);
  const made = rows.flatMap(({ createdAt }) => zonedTime(createdAt) ?? []);
  const contradictions = {
    "restores files": kind === "VmRestore" && (listed.length > 0 || kinds.includes("files")),
    // A panel may use one word for both.
    "restores a machine": kind === "FileRestore" && saysFiles && kinds.includes("machine"),
    "lists other paths": kind === "FileRestore" && listed.length > 0 && asText(listed) !== asText(paths),
    "names another recovery point": recoveryPointId !== "" && points.length > 0 && !points.includes(recoveryPointId),
    "began before this restore": rows.some(({ id }) => !above.has(id)),
    "may have begun before this restore": rows.some(({ id }) => unsure?.has(id)),
    // A person may have run that job again.
    "waits for another restore":
      isLater && rows.some((row) => onlyWaits(row) && isSettled(row.dependentTransactionId ?? "")),
    "was made before this restore": isLater && taken !== undefined && made.some((at) => at < taken - clockSlackMs),
  };
  return Object.entries(contradictions).flatMap(([what, holds]) => (holds ? [what] : []));
}

/** A panel may list a path without its last slash, with doubled slashes made single, or in another order. */
const asText = (paths: readonly string[]): string =>
  [...new Set(paths.map((path) => path.replace(/\/{2,}/g, "/").replace(/(.)\/$/, "$1")))].sort().join("\n");
