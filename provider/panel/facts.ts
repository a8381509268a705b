import { parseStamp } from "../plain/clock";
import { entriesOf, isObject, omitUndefined, type Properties } from "../plain/plain";
import { shortText } from "../plain/text";
import { bareName, knownStatus, type KnownStatus, names, otherWork, types, words, wordSet } from "./conventions";
import { type ListFields, rowId, rowStatus, textAt } from "./fields";
import { first, type RowReader, rowReaders, stampOf, textOf } from "./row-reader";
import { isDecimalId, type Row, type RowState, type TransactionId } from "./types";

/** Masks the parts of a row that may be shown or stored. Names that are only compared are not masked, because a password may be part of a machine's name. */
export function maskedFacts(row: Row, mask: (text: string) => string): Row {
  const texts = ["id", "status", "against", "word", "action", "chain", "parent", "after"] as const;
  const stamps = ["createdAt", "startedAt", "finishedAt", "updatedAt", "startAfter"] as const;
  return { ...row, ...Object.fromEntries([...texts, ...stamps].map((name) => [name, row[name] && mask(row[name])])) };
}

export interface ConfiguredWords {
  readonly restoreActions: readonly string[];
  readonly completeStatuses: readonly string[];
  readonly failedStatuses: readonly string[];
}

/** The words of a row's status, and the field that contradicts the status. */
export const statusText = ({ status, against }: Row): string | undefined =>
  [status, against].filter((text) => text !== undefined).join(", ") || undefined;

export const noWords: ConfiguredWords = { restoreActions: [], completeStatuses: [], failedStatuses: [] };

/** `now`: the time by the panel's clock or, if unknown, by the runner's. Undefined for a row without an id, because such a row cannot be followed. */
export type ReadFacts = (row: RowReader, now?: number) => Row | undefined;

export function factsReader(at: ListFields, configured: ConfiguredWords): ReadFacts {
  const readState = stateReader(at, configured);
  const isRestoreAction = wordSet(...configured.restoreActions);
  return (row, now) => {
    const id = rowId(row, at);
    if (id === undefined) return undefined;
    const stamp = (path: ListFields["requested"], known: readonly string[]): string | undefined =>
      path ? stampOf(textAt(row, path)) : row.stamp(...known);
    const stamps = {
      createdAt: stamp(at.requested, names.created),
      startedAt: stamp(at.started, names.started),
      finishedAt: stamp(at.finished, names.finished),
    };
    const action = at.action ? textAt(row, at.action) : actionOf(row);
    const isConfigured = action !== undefined && isRestoreAction(action);
    const named = namesIn(row);
    const machine = at.machine && textAt(row, at.machine);
    const point = at.point && textAt(row, at.point);
    return omitUndefined<Row>({
      id: id as TransactionId,
      ...readState(row, isPast(stamps, now)),
      action,
      does: isConfigured ? "restore" : doesOf(action),
      kind: named.paths ? "files" : isConfigured ? undefined : kindOf(action),
      machines: machine ? [machine.toLowerCase()] : named.machines,
      perhaps: machine ? [] : named.perhaps,
      identifier: machine ? undefined : named.identifier,
      points: [...(point ? [point] : []), ...named.points],
      paths: named.paths,
      chain: at.job ? textAt(row, at.job) : row.link(...names.chain),
      // If the parent is not a transaction, it is the object that the row affects.
      parent: types.transaction(row.nonEmptyText(...names.parentType) ?? "transaction")
        ? row.id(...names.parent)
        : undefined,
      after: row.link(...names.after),
      ...stamps,
      updatedAt: row.stamp(...names.updated),
      startAfter: row.stamp(...names.startAfter),
    });
  };
}

type Stamps = { readonly [Name in "createdAt" | "startedAt" | "finishedAt"]: string | undefined };

/** Whether the timestamps show that the job has ended. They do not if the panel fills in the expected end, or sets start and end when it creates the row. */
function isPast({ createdAt, startedAt, finishedAt }: Stamps, now = -Infinity): boolean {
  const [from, to] = [parseStamp(startedAt ?? createdAt), parseStamp(finishedAt)];
  return from !== undefined && to?.namesZone === from.namesZone && from.at < to.at && to.at <= now;
}

type StateFacts = Pick<Row, "state" | "saysComplete" | "status" | "against" | "word">;

function stateReader(at: ListFields, configured: ConfiguredWords): (row: RowReader, isPast: boolean) => StateFacts {
  const [isComplete, isFailed] = [wordSet(...configured.completeStatuses), wordSet(...configured.failedStatuses)];
  const settingOf = (text: string): KnownStatus | undefined =>
    isComplete(text) ? "complete" : isFailed(text) ? "failed" : undefined;
  const meaningOf = (text: string): RowState => settingOf(text) ?? knownStatus(text) ?? "unknown";
  const resultOf = (text: string): RowState => {
    const meaning = meaningOf(text);
    if (meaning !== "unknown") return meaning;
    if (words.goodResult(text) || isGoodCode(text)) return "complete";
    return isDoubtful(text) || words.no(text) ? "unclear" : "unknown";
  };
  const showsEnd = (text: string): boolean =>
    isKnownEnd(resultOf(text)) || (words.doubtfulResult(text) && !words.skipped(text));
  return (row, past) => {
    const status = rowStatus(row, at) ?? "";
    const inner = innerRows(row);
    const own = textsIn(row, names.result).filter((text) => !words.nothing(text));
    // In an inner row, only words for a job's outcome are considered.
    const said = inner.flatMap((one) => textsIn(one, innerNames)).filter(showsEnd);
    const results = [...own, ...said];
    const against = againstIn(row) ?? first(inner, againstIn);
    const known = knownStatus(status);
    // A code may be 0 from the beginning, so a code alone does not show that the job has ended.
    const isEndByOthers = past || own.some((text) => isKnownEnd(meaningOf(text)));
    const isOnlyEnd = words.onlyEnd(status) || (known === undefined && isEndByOthers);
    const isOver = known === "complete" || isOnlyEnd;
    const fields = isOver && at.status === undefined ? textsIn(row, names.status).slice(1) : [];
    const others = fields.filter((text) => !words.kept(text) || words.healthy(`${status} ${text}`));
    const contrary = others.find((text) => ["pending", "running"].includes(meaningOf(text)));
    const end = (): RowState => {
      if (!isOver) return known ?? "unknown";
      const how = new Set(results.map(resultOf));
      if (contrary !== undefined) return "running";
      const flags = words.onlyEnd(status) ? [row, ...inner].flatMap((one) => textsIn(one, names.successes)) : [];
      const bad = words.stopped(status) ? "unclear" : "failed";
      const flagged = flags.some(words.goodResult) ? "complete" : flags.some(words.no) ? bad : "unclear";
      const [only = known ?? flagged, ...more] = isOnlyEnd ? how : [];
      const state = more.length === 0 && isEnd(only) ? only : "unclear";
      const isBad = [...others.map(meaningOf), ...how].some((one) => isEnd(one) && one !== "complete");
      return state === "complete" && (isBad || against !== undefined) ? "unclear" : state;
    };
    // A word from the settings takes precedence, whatever other fields contain.
    const set = settingOf(status);
    const isOpen = (text: string): boolean =>
      isDoubtful(text) || (words.onlyEnd(status) && resultOf(text) === "unknown");
    const second = results.find((text) => !status.includes(text));
    return omitUndefined<StateFacts>({
      state: set ?? end(),
      saysComplete: (set ?? known) === "complete" || undefined,
      status: [status, second ?? ""].filter((text) => text !== "").join(" ") || undefined,
      against: against ?? (known === "complete" ? contrary : undefined),
      word: results.find(isOpen) ?? (status || undefined),
    });
  };
}

const textsIn = (row: RowReader, known: readonly string[]): readonly string[] =>
  known.map((name) => row.nonEmptyText(name)).filter((text) => text !== undefined);

const innerNames = [...names.status, ...names.result, ...names.inResult];

/** A second field may be an object or a list, read with the same table, one level down. An object with an id, or numbers without a code, shows no outcome. */
function innerRows(row: RowReader): readonly RowReader[] {
  const values = names.result.map((name) => row.value(name)).filter((value) => typeof value === "object");
  const inner = values.flat().map((value) => (isObject(value) ? value : { code: value }));
  const isFigure = (value: unknown): boolean => /^\d+$/.test(textOf(value) ?? "");
  const areFigures = (one: RowReader): boolean =>
    Object.values(one.fields).filter(isFigure).length > 1 && textsIn(one, names.codes).length === 0;
  return inner.map(rowReaders()).filter((one) => one.id("id") === undefined && !areFigures(one));
}

export const isKnownEnd = (state: RowState): boolean => isEnd(state) && state !== "unclear";

export const isEnd = (state: RowState): boolean => !["pending", "running", "unknown"].includes(state);

const isCode = (text: string): boolean => /^-?\d+$/.test(text);

function isGoodCode(text: string): boolean {
  const code = Number(text);
  return isCode(text) && (code === 0 || (code >= 200 && code < 210));
}

/** True for a word in a second field that leaves the row's outcome open. */
function isDoubtful(text: string): boolean {
  // A sentence such as `failed: disk full`, but not `failed: 0` or `error: none`.
  const begins = knownStatus(/^([\p{L}_-]+):(?!\s*(?:0|none|no)\b)/u.exec(text)?.[1] ?? "");
  if (words.doubtfulResult(text) || begins === "failed" || begins === "cancelled") return true;
  const parts = text.replace(/([a-z])([A-Z])/g, "$1_$2").split(/[-_]/);
  const isOneWord = knownStatus(text) === undefined && !/\s/.test(text);
  return isOneWord && parts.some(words.badPart) && !parts.some(words.nonePart);
}

const [isSuccess, isCodeName] = [wordSet(...names.successes), wordSet(...names.codes)];

function againstIn(row: RowReader): string | undefined {
  const isAgainst = (name: string): boolean => {
    const value = row.value(name);
    const text = textOf(value)?.trim() ?? "";
    if (isSuccess(name)) return words.no(text);
    // If `exit_status` is a word, it is read as a second field instead.
    if (name === "exit_status" && !isCode(text)) return false;
    return !saysNothing(value) && !(isCodeName(name) && isGoodCode(text));
  };
  const name = [...names.errors, ...names.successes, ...names.codes].find(isAgainst);
  if (name === undefined) return undefined;
  const text = (row.trimmedText(name) ?? "").replaceAll(/\s+/g, " ");
  return text === "" ? name : `${name}: ${shortText(text)}`;
}

export function saysNothing(value: unknown): boolean {
  if (Array.isArray(value) || isObject(value)) return Object.values(value).every(saysNothing);
  const text = textOf(value) ?? "";
  return words.nothing(text) || words.no(text) || words.noError(text) || knownStatus(text) === "complete";
}

function actionOf(row: RowReader): string | undefined {
  const perhaps = (name: string): string | undefined => {
    const text = row.nonEmptyText(name);
    const does = doesOf(text);
    // A word such as `backup` or `backup_job` may appear in every row, as the row's kind.
    const isOfMachine = /[-_ ](machine|server|vm|backup|snapshot)$/i.test(text ?? "");
    return does === "restore" || (does === "other" && isOfMachine) ? text : undefined;
  };
  return row.nonEmptyText("action") ?? first(names.perhapsAction, perhaps);
}

function doesOf(action: string | undefined): Row["does"] {
  if (action === undefined) return undefined;
  if (otherWork.test(action)) return "other";
  if (bareName(action).replaceAll("restorepoint", "").includes("restor")) return "restore";
  return "unknown";
}

/** What the action restores: files, even those of a machine, or a machine. Undefined if it names neither, or files only as what it restores from. */
function kindOf(action = ""): Row["kind"] {
  const text = action.replace(/([a-z])([A-Z])/g, "$1 $2");
  const saysFiles = /(^|[^a-z])files?([^a-z]|$)/i;
  if (saysFiles.test(text)) return saysFiles.test(text.replace(/[^a-z]from[^a-z].*/i, "")) ? "files" : undefined;
  return /machine|server|vm|backup/i.test(text) ? "machine" : undefined;
}

type Names = Pick<Row, "machines" | "perhaps" | "identifier" | "points" | "paths">;

const [isMachineName, isPerhapsName] = [wordSet(...names.machine), wordSet(...names.perhapsMachine)];
const isPointName = wordSet(...names.point);

function namesIn(row: RowReader): Names {
  const [machines, points] = [new Set<string>(), new Set<string>()];
  let paths: readonly string[] | undefined;
  const add = (to: Set<string>, value: unknown): void => {
    const id = idIn(value);
    if (id !== undefined) to.add(id);
  };
  /** Adds the id from a pair of `<x>_type` and `<x>_id`, or from an object with a type and an id. */
  const addTyped = (type: unknown, value: unknown): void => {
    const text = typeof type === "string" ? type : "";
    if (types.machine(text)) add(machines, value);
    if (types.point(text)) add(points, value);
  };
  const readIn = (object: Properties, depth: number): void => {
    const members = Object.entries(object).map(([key, value]) => [bareName(key), value] as const);
    for (const [name, value] of members) {
      if (isMachineName(name)) add(machines, value);
      if (isPointName(name)) add(points, value);
      if (typeof value === "string" && !/\s/.test(value)) {
        add(machines, machinePath.exec(value)?.[1]);
        add(points, pointPath.exec(value)?.[1]);
      }
      if (name === "paths" && Array.isArray(value)) paths ??= pathTexts(value);
      if (name.endsWith("type") && name !== "type")
        addTyped(value, members.find(([other]) => other === name.replace(/type$/, "id"))?.[1]);
      if (!isObject(value)) continue;
      addTyped(memberOf(value, "type") ?? memberOf(value, "kind"), value);
      if (depth > 1) readIn(value, depth - 1);
    }
  };
  readIn(row.fields, 3);
  // Fields such as `server` are read only in `params` and at the top level, because elsewhere in a row they may name a worker.
  const own = [...entriesOf(row.value("params")), ...entriesOf(row.fields)];
  const identifier = identifierOf(row);
  const perhaps = own.filter(([key]) => isPerhapsName(key)).map(([, value]) => idIn(value));
  return omitUndefined<Names>({
    machines: lowered([...machines]),
    perhaps: lowered([...perhaps, identifier].filter((id) => id !== undefined)),
    identifier,
    points: [...points],
    paths,
  });
}

/** A decimal identifier is considered only if the row has no other target, because backup 42 may have the same number as machine 42. */
function identifierOf(row: RowReader): string | undefined {
  const text = row.trimmedText("identifier") ?? "";
  const isOfOther =
    row.id(...names.parent) !== undefined && !types.machine(row.nonEmptyText(...names.parentType) ?? "");
  return text === "" || (isDecimalId(text) && isOfOther) ? undefined : text;
}

const lowered = (all: readonly string[]): readonly string[] => [...new Set(all.map((name) => name.toLowerCase()))];

/** The part of a panel's path that names a machine. */
const machinePath = /(?:^|\/)virtual[-_](?:machines|servers)\/([\w-]+)/;
const pointPath = /(?:^|\/)recovery[-_]points\/([\w-]+)/;

/** The id in a string, a number, or an object with an id. 0 means no value, as in some databases. */
function idIn(value: unknown): string | undefined {
  if (isObject(value)) return ["id", "identifier", "ref"].map((name) => textOf(memberOf(value, name))).find(Boolean);
  const text = typeof value === "boolean" ? "" : (textOf(value)?.trim() ?? "");
  if (text === "" || text === "0") return undefined;
  return /^[\w.:-]{1,128}$/.test(text) ? text : undefined;
}

const memberOf = (object: Properties, name: string): unknown =>
  Object.entries(object).find(([key]) => bareName(key) === name)?.[1];

/** The paths in a list of paths, or of objects with a path. Undefined if the list is empty or contains anything else. */
function pathTexts(entries: readonly unknown[]): readonly string[] | undefined {
  const texts = entries.map((entry) => (isObject(entry) ? textOf(memberOf(entry, "path")) : String(entry)) ?? "");
  return texts.length > 0 && texts.every((text) => text.startsWith("/")) ? texts : undefined;
}
