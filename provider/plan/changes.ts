import { firstFew } from "../plain/text";
import type { StoredChange, StoredChangedValue } from "./stored";

/** The last entry of a restore that the plan has no longer in this wave. */
export interface LedgerEntry {
  readonly wave: string;
  readonly name: string;
  readonly status: string;
  readonly transactionIds: readonly string[];
  readonly checks: readonly { readonly result: string }[];
}

/** A restore that an earlier process sent, and of which its wave has no record from before. */
export type RecordedLate = Pick<LedgerEntry, "wave" | "name" | "transactionIds">;

/** What a wave holds of its restores. */
interface Ledger {
  readonly name: string;
  readonly restores: Readonly<Record<string, Omit<LedgerEntry, "wave" | "name">>>;
  readonly earlierTries?: Readonly<Record<string, readonly Omit<LedgerEntry, "wave" | "name">[]>>;
}

/** The last entry of each restore that the plan has no longer in its wave. */
export function entriesNotPlanned(
  planned: readonly { readonly wave: string; readonly names: readonly string[] }[],
  waves: readonly Ledger[],
): readonly LedgerEntry[] {
  const names = new Map(planned.map((one) => [one.wave, new Set(one.names)]));
  return waves.flatMap(({ name: wave, restores, earlierTries = {} }) =>
    [...new Set([...Object.keys(earlierTries), ...Object.keys(restores)])].flatMap((name) => {
      const last = restores[name] ?? earlierTries[name]?.at(-1);
      return last === undefined || names.get(wave)?.has(name) === true ? [] : [{ ...last, wave, name }];
    }),
  );
}

const maxShown = 20;

/**
 * The sentences about a run that was changed after it began, or whose record is not whole. A changed note is no warning. What was taken out is
 * named with how it had stood.
 */
export function changeWarnings(
  history: readonly StoredChange[],
  notPlanned: readonly LedgerEntry[],
  recordedLate: readonly RecordedLate[],
): readonly string[] {
  const told = new Set<LedgerEntry>();
  const changes = history.flatMap((change) => {
    if (isOfNotes(change)) return [];
    const counted = change.changes.filter(({ path }) => !isNote(path));
    if (counted.length === 0) return [`the plan was changed ${whenAndWho(change)}`];
    const shown = counted.slice(0, maxShown).map((one) => {
      const record = recordTakenOut(one, notPlanned);
      if (record === undefined) return changeText(one);
      told.add(record);
      return takenOutText(record);
    });
    const others = counted.length > maxShown ? [`${String(counted.length - maxShown)} more`] : [];
    return [`the plan was changed ${whenAndWho(change)}: ${[...shown, ...others].join("; ")}`];
  });
  const gone = notPlanned.flatMap((record) => (told.has(record) ? [] : [takenOutText(record)]));
  return [...changes, ...gone, ...recordedLateTexts(recordedLate.filter((one) => !hasMoved(one, notPlanned)))];
}

/** True if the wave that it has moved from has the record. */
function hasMoved({ name, transactionIds }: RecordedLate, notPlanned: readonly LedgerEntry[]): boolean {
  return notPlanned.some((one) => one.name === name && one.transactionIds.some((id) => transactionIds.includes(id)));
}

function recordedLateTexts(all: readonly RecordedLate[]): readonly string[] {
  return [...new Set(all.map(({ wave }) => wave))].map((wave) => {
    const names = all.flatMap((one) => (one.wave === wave ? [one.name] : []));
    return `wave ${wave}: a later \`pulumi up\` than the one that began the run carried out ${firstFew(names)}, and no record says what had come of it before`;
  });
}

/** True if a change is of notes alone. One whose paths are not known is not. */
export function isOfNotes({ changes = [] }: { readonly changes?: readonly { readonly path?: string }[] }): boolean {
  return changes.length > 0 && changes.every(({ path = "" }) => isNote(path));
}

function isNote(path: string): boolean {
  return path === "notes" || path.startsWith("notes.");
}

export function whenAndWho({ at, by, pipeline }: StoredChange): string {
  const who = pipeline?.actor ?? by.user;
  return `during the run, at ${at}${who === undefined ? "" : ` by ${who}`}`;
}

function changeText({ path, before, after }: StoredChangedValue): string {
  if (before === undefined && after === undefined) return `${path} was changed`;
  if (before === undefined) return `${path} was added: ${after ?? ""}`;
  return after === undefined ? `${path} was taken out, it was ${before}` : `${path} was ${before}, is ${after}`;
}

/** The record of the restore that a change took out of the plan. */
function recordTakenOut(
  { path, before, after }: StoredChangedValue,
  notPlanned: readonly LedgerEntry[],
): LedgerEntry | undefined {
  if (before === undefined || after !== undefined) return undefined;
  return notPlanned.find(({ wave, name }) => path === `waves.${wave}.restores.${name}`);
}

function takenOutText(record: LedgerEntry): string {
  return `${record.name} was taken out of wave ${record.wave}${standing(record)}`;
}

function standing({ status, checks }: LedgerEntry): string {
  if (status === "failed") return " after it had failed";
  if (status === "cancelled") return " after it had been cancelled";
  if (status !== "complete") return ` when its last known status was ${status}`;
  const failed = checks.filter(({ result }) => result !== "passed").length;
  return failed === 0 ? " after it was complete" : ` after ${String(failed)} of its checks had not passed`;
}
