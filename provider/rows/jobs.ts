import type { Mark, RestoreTarget } from "../inputs/intent";
import { isEnd } from "../panel/facts";
import { parseStamp, zonedTime } from "../plain/clock";
import type { Row } from "./order";
import { nameTwoMachines, pointsIn, type Whose, whoseRow } from "./whose";

export type End = "complete" | "failed" | "cancelled" | "unclear";

/** What a row's action shows: a restore, nothing (no action), an unknown word, or other work. A job has the first of these that applies to any of its rows. */
type Does = NonNullable<Row["does"]> | "unsaid";

type Acting = { readonly does?: Does | undefined };

/** A row without an action may be a restore, but a backup, a start or a firewall update cannot be. */
export const mayBeRestore = ({ does = "unsaid" }: Acting): boolean => does === "restore" || does === "unsaid";

export const saysRestore = ({ does }: Acting): boolean => does === "restore";

export interface Job {
  readonly rows: readonly [Row, ...Row[]];
  /** The row that does the restoring: the last row whose action is a restore or, if there is none, the last row. */
  readonly main: Row;
  readonly whose: Whose;
  readonly end: End | undefined;
  /** The part that failed although the restore is complete. */
  readonly failedPart: Row | undefined;
  readonly does: Does;
  /** True if any of the job's rows is above the mark. */
  readonly isAbove: boolean;
  /** Evidence that the job is not this restore. */
  readonly contradictions: readonly Contradiction[];
  /** The panel's time when the job was read. */
  readonly readAt?: number | undefined;
}

/** Messages put these words after the job's description. */
export type Contradiction =
  | ("names another machine, or this machine by another name" | "names another recovery point" | "lists other paths")
  | ("restores files" | `${"perhaps " | ""}restores a machine` | "waits for another restore")
  | ("began before this restore" | "may have begun before this restore")
  | ("is not identified as a restore" | `does not ${"name the recovery point" | "list its paths"}`);

/** What is needed to judge the jobs in a list from one restore's point of view. */
export interface Judging {
  readonly target: RestoreTarget;
  readonly mark: Mark;
  /** True in a run that has no record of the restore's POST. In such a run, a job that was created before the mark is contradicted too. */
  readonly isLater: boolean;
  readonly above: ReadonlySet<string>;
  /** The rows that may be older than the mark. */
  readonly unsure?: ReadonlySet<string>;
  /** True for rows that belong to the machine according to its own log or to another restore's record, even if they name no machine. */
  readonly isOfMachine?: (id: string) => boolean;
  /** Rows that the answer to a POST, or a record, names. Other work among them, such as a stop, is part of their only restore. */
  readonly together?: readonly string[];
  /** True if the panel has a separate word for file restores. */
  readonly saysFiles?: boolean;
  /** True for rows that another restore in the program has claimed, and for rows of failed attempts. */
  readonly isKnownRow?: (id: string) => boolean;
  /** If true, a different name in a row means a different machine; if false, it may be a label for this machine. */
  readonly showsNames?: boolean;
  /** Whether a link leads to another machine's row. */
  readonly isForeign?: (link: string) => boolean;
}

/** Groups rows (newest first) into jobs, and leaves out other machines' jobs. */
export function jobsOf(rows: readonly Row[], judging: Judging): readonly Job[] {
  return jobRows(rows, judging)
    .flatMap(attemptsIn)
    .map((job) => judged(job, judging))
    .filter(({ whose }) => whose !== "another machine");
}

function judged(rows: Job["rows"], judging: Judging): Job {
  const { target, above, isOfMachine = () => false, isForeign = () => false, showsNames = true } = judging;
  const machine = target.virtualMachineId;
  const each = rows.map((row): Whose => (isOfMachine(row.id) ? "this machine" : whoseRow(row, machine)));
  const isOwn = each.includes("this machine");
  const isNamed = !isOwn && each.includes("another machine");
  const isLinked = (): boolean => rows.some((row) => linksOf(row).some(isForeign));
  return {
    rows,
    main: mainRow(rows) ?? rows[0],
    whose: isOwn ? "this machine" : showsNames && (isNamed || isLinked()) ? "another machine" : "not said",
    end: endOf(rows),
    failedPart: failedPartOf(rows),
    does: doesOf(rows),
    isAbove: rows.some(({ id }) => above.has(id)),
    contradictions: [
      ...(isNamed ? (["names another machine, or this machine by another name"] as const) : []),
      ...contradictionsIn(rows, judging),
    ],
  };
}

function doesOf(rows: Job["rows"]): Does {
  const all = rows.map(({ does = "unsaid" }) => does);
  return (["restore", "unsaid", "unknown"] as const).find((one) => all.includes(one)) ?? "other";
}

export const mainRow = (rows: readonly Row[]): Row | undefined => rows.findLast(saysRestore) ?? rows.at(-1);

const chainLink = ({ chain }: Row): string | undefined => (chain === undefined ? undefined : `chain ${chain}`);

/** What links a row to a job: its chain and its parent's id or, if it has neither, the id of the row that it waits for. */
export function linksOf(row: Row): readonly string[] {
  const links = [chainLink(row), row.parent].filter((link) => link !== undefined);
  return links.length > 0 || row.after === undefined ? links : [row.after];
}

/** The keys under which other rows may link to a row. */
export const keysOf = (row: Row): readonly string[] => [row.id, chainLink(row)].filter((key) => key !== undefined);

/**
 * The rows of each job, oldest first. Rows that name different machines never form one job. A panel may carry out a machine's jobs one after the other, so
 * waiting for a row proves little. Unless something else links them, the two rows are separate jobs if one restores files and the other a machine, or if one
 * is new and the other is older or already known. But a new row whose action is not a restore belongs to the same job as the row that it waits for.
 */
function jobRows(rows: readonly Row[], judging: Judging): readonly Job["rows"][] {
  const { above, isKnownRow = () => false, together = [] } = judging;
  const jobs = new Map<string, Row[]>();
  // The rows are newest first, so the map keeps the oldest row of a chain.
  const firstOfChain = new Map(rows.map((row) => [chainLink(row), row.id]));
  const join = (a: string, b: string): void => {
    const [from, to] = [jobs.get(a), jobs.get(b)];
    if (!from || !to || from === to) return;
    if (from.some((one) => to.some((other) => nameTwoMachines(one, other)))) return;
    to.push(...from);
    for (const { id } of from) jobs.set(id, to);
  };
  const oldestFirst = rows.toReversed();
  for (const row of oldestFirst) jobs.set(row.id, [row]);
  const byId = new Map(rows.map((row) => [row.id as string, row]));
  const ageOf = ({ id }: Row): string => (isKnownRow(id) ? "known" : above.has(id) ? "new" : "old");
  const ages = new Map<string, string>();
  for (const row of oldestFirst) {
    const before = onlyWaits(row) ? byId.get(row.after ?? "") : undefined;
    const ageBefore = before && (ages.get(before.id) ?? ageOf(before));
    const age = ageOf(row) === "new" && !saysRestore(row) ? (ageBefore ?? "new") : ageOf(row);
    ages.set(row.id, age);
    if (before && (areTwoKinds(row, before) || age !== ageBefore)) continue;
    for (const link of linksOf(row)) join(row.id, firstOfChain.get(link) ?? link);
  }
  const named = oldestFirst.filter(({ id }) => together.includes(id));
  const [restore, ...more] = named.filter(saysRestore);
  if (more.length === 0) for (const row of named) if (!mayBeRestore(row)) join(row.id, restore?.id ?? "");
  const place = new Map(oldestFirst.map(({ id }, index) => [id, index]));
  const inTime = (a: Row, b: Row): number => {
    const [first, second] = [parseStamp(a.createdAt)?.at, parseStamp(b.createdAt)?.at];
    const apart = first === undefined || second === undefined ? 0 : first - second;
    return apart || (place.get(a.id) ?? 0) - (place.get(b.id) ?? 0);
  };
  return [...new Set(jobs.values())].map((job) => job.sort(inTime)) as unknown as Job["rows"][];
}

function areTwoKinds(one: Row, other: Row): boolean {
  const [kind, another] = [one, other].map((row) => (saysRestore(row) ? row.kind : undefined));
  return kind !== undefined && another !== undefined && kind !== another;
}

/** True if a row's only link is to the row that it waits for. A chain or a parent would prove more. */
const onlyWaits = (row: Row): boolean => row.after !== undefined && linksOf(row)[0] === row.after;

/** Splits a job in which a complete restore follows a failed restore, because the complete restore may be another attempt, made by the panel or by hand. */
function attemptsIn(rows: Job["rows"]): readonly Job["rows"][] {
  const at = rows.findLastIndex(saysRestore);
  const parts = [rows.slice(0, at), rows.slice(at)] as const;
  const isBehindFailure =
    parts[1].slice(0, 1).some(isComplete) && parts[0].some((row) => saysRestore(row) && hasFailed(row));
  const parent = parentOf(rows);
  return isBehindFailure && !(parent && isComplete(parent)) ? (parts as unknown as readonly Job["rows"][]) : [rows];
}

function parentOf(rows: Job["rows"]): Row | undefined {
  const parents = new Set(rows.map(({ parent }) => parent));
  return rows.find(({ id }) => parents.has(id));
}

/** Parts that wait behind a failed part are ignored, because they may never start. If any part has failed, so has the job, whatever its parent's status. */
function endOf(rows: Job["rows"]): End | undefined {
  const parent = parentOf(rows);
  const hasParentFailed = parent !== undefined && hasFailed(parent);
  const isWaitedFor = (row: Row): boolean =>
    !hasEnded(row) && (row === parent || (hasParentFailed ? row.state === "running" : hasStarted(row)));
  if (rows.some(isWaitedFor)) return undefined;
  // If some parts failed and others were cancelled, the parent's outcome takes precedence, then that of the restore itself.
  const states = [...(parent === undefined ? [] : [parent]), ...rows.filter(saysRestore), ...rows].map(
    ({ state }) => state,
  );
  const bad =
    (["unclear"] as const).find((end) => states.includes(end)) ??
    states.find((state) => state === "failed" || state === "cancelled");
  // A cancelled part of a complete restore is treated as failed.
  if (bad === "cancelled" && failedPartOf(rows) !== undefined) return "failed";
  return bad ?? (states.every(isEnd) ? "complete" : undefined);
}

export const hasEnded = ({ state }: Row): boolean => isEnd(state);

const isComplete = ({ state }: Row): boolean => state === "complete";

export const hasFailed = ({ state }: Row): boolean => state === "failed" || state === "cancelled";

export const hasStarted = ({ startedAt, state }: Row): boolean => startedAt !== undefined || state !== "pending";

/** The failed part of a complete restore. The restore is complete if its parent is; if only other rows are restores, if all of them are; otherwise, if any row is. */
function failedPartOf(rows: Job["rows"]): Row | undefined {
  const parent = parentOf(rows);
  const restores = rows.filter(saysRestore);
  const own = parent !== undefined && (restores.length === 0 || restores.includes(parent)) ? [parent] : restores;
  const isRestored = own.length > 0 ? own.every(isComplete) : rows.some(isComplete);
  return isRestored ? rows.find(hasFailed) : undefined;
}

/** A job that the panel has scheduled for later does not keep a machine busy. */
function isScheduled({ rows }: Job, panelTime: number | undefined): boolean {
  if (panelTime === undefined) return false;
  // A panel may write its local time as UTC, so the scheduled time must also be later than the row's creation.
  const isLater = ({ startAfter, createdAt }: Row): boolean =>
    (zonedTime(startAfter) ?? 0) > Math.max(panelTime, zonedTime(createdAt) ?? 0) + clockSlackMs;
  return rows.every((row) => hasEnded(row) || (!hasStarted(row) && isLater(row)));
}

/** True if the job has not ended, and has started or is about to start. */
export const isOpen = (job: Job, panelTime: number | undefined): boolean =>
  job.end === undefined && !isScheduled(job, panelTime);

/** Judges by the job's rows alone. During a restore, more is known, so `recognise` decides what keeps its machine busy. */
export const keepsBusy = (job: Job, panelTime: number | undefined): boolean =>
  job.whose === "this machine" && isOpen(job, panelTime);

/** A panel's clocks may differ from each other by this much. */
export const clockSlackMs = 60_000;

function contradictionsIn(
  rows: Job["rows"],
  { target, mark, isLater, above, unsure, saysFiles = true, isKnownRow = () => false }: Judging,
): readonly Contradiction[] {
  const { kind, recoveryPointId = "", paths = [] } = target;
  const listed = rows.flatMap(({ paths: of = [] }) => of);
  // Only parts that may be restores are considered, because the panel may make a backup first, and a backup names a new point.
  const restores = rows.filter(mayBeRestore);
  const points = restores.flatMap((row) => pointsIn(row, recoveryPointId));
  const kinds = restores.map((row) => row.kind);
  const wasMadeBefore = (taken = zonedTime(mark.takenAt)): boolean =>
    taken !== undefined && rows.some(({ createdAt }) => (zonedTime(createdAt) ?? taken) < taken - clockSlackMs);
  const contradictions: Partial<Record<Contradiction, boolean>> = {
    "restores files": kind === "VmRestore" && (listed.length > 0 || kinds.includes("files")),
    // A panel without a word for file restores may use one word for both kinds. In a later run, somebody may have restored the machine.
    "restores a machine": kind === "FileRestore" && saysFiles && kinds.includes("machine"),
    "perhaps restores a machine":
      kind === "FileRestore" &&
      (saysFiles ? restores.some(saysRestore) && !kinds.includes("files") : isLater && kinds.includes("machine")),
    "lists other paths": kind === "FileRestore" && listed.length > 0 && !areOf(listed, paths, isLater),
    "names another recovery point": recoveryPointId !== "" && points.length > 0 && !points.includes(recoveryPointId),
    "began before this restore": rows.some(({ id }) => !above.has(id)),
    "may have begun before this restore": rows.some(({ id }) => unsure?.has(id)) || (isLater && wasMadeBefore()),
    // Somebody may have run the other restore again by hand.
    "waits for another restore": isLater && rows.some((row) => onlyWaits(row) && isKnownRow(row.after ?? "")),
  };
  return (Object.keys(contradictions) as Contradiction[]).filter((what) => contradictions[what]);
}

/**
 * Whether the listed paths may be the requested paths. A panel may drop a trailing slash, collapse double slashes, change the order, list only some of the
 * paths, or list a folder's contents instead. In a later run, every path must be listed, because somebody may have restored some of them by hand.
 */
function areOf(listed: readonly string[], asked: readonly string[], isLater: boolean): boolean {
  const plain = (path: string): string => path.replace(/\/{2,}/g, "/").replace(/\/$/, "");
  const [shown, own] = [new Set(listed.map(plain)), asked.map(plain)];
  if (isLater && !own.every((path) => shown.has(path))) return false;
  return [...shown].every((path) => own.some((one) => path === one || path.startsWith(`${one}/`)));
}
