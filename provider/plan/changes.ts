import type { StoredChange, StoredChangedValue } from "./stored";

/** A record of this run that belongs to no restore of the plan as it is now. */
export interface RecordNotPlanned {
  readonly wave: string;
  readonly name: string;
  readonly status: string;
  readonly checks: readonly { readonly result: string }[];
}

/** The records of restores that were taken out of their wave, whether it was carried out since, and so has put them aside, or not. */
export function recordsNotPlanned(
  planned: readonly { readonly wave?: string; readonly name: string }[],
  { putAside, records }: { readonly [which in "putAside" | "records"]: readonly RecordNotPlanned[] },
): readonly RecordNotPlanned[] {
  const keyOf = ({ wave = "", name }: { readonly wave?: string; readonly name: string }): string =>
    JSON.stringify([wave, name]);
  const kept = new Set(planned.map(keyOf));
  return [...putAside, ...records.filter((record) => !kept.has(keyOf(record)))];
}

const maxShown = 20;

/**
 * The sentences about a run that was changed after it began, or whose record is not whole. A changed note is no warning. What was taken out is
 * named with how it had stood.
 */
export function changeWarnings(
  history: readonly StoredChange[],
  notPlanned: readonly RecordNotPlanned[],
  wavesMadeAnew: readonly string[],
): readonly string[] {
  const told = new Set<RecordNotPlanned>();
  const changes = history.flatMap((change) => {
    const counted = change.changes.filter(({ path }) => !isNote(path));
    if (counted.length === 0) return change.changes.length > 0 ? [] : [`the plan was changed ${whenAndWho(change)}`];
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
  const anew = wavesMadeAnew.map(
    (name) =>
      `wave ${name}: its record was made anew after its restores were sent, so what had come of them before is not known`,
  );
  return [...changes, ...gone, ...anew];
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
  notPlanned: readonly RecordNotPlanned[],
): RecordNotPlanned | undefined {
  if (before === undefined || after !== undefined) return undefined;
  return notPlanned.find(({ wave, name }) => path === `waves.${wave}.restores.${name}`);
}

function takenOutText(record: RecordNotPlanned): string {
  return `${record.name} was taken out of wave ${record.wave}${standing(record)}`;
}

function standing({ status, checks }: RecordNotPlanned): string {
  if (status === "failed") return " after it had failed";
  if (status === "cancelled") return " after it had been cancelled";
  if (status !== "complete") return ` when its last known status was ${status}`;
  const failed = checks.filter(({ result }) => result !== "passed").length;
  return failed === 0 ? " after it was complete" : ` after ${String(failed)} of its checks had not passed`;
}
