import { knownLater } from "../../provider/inputs/read-values";
import { deepEqual, own } from "../../provider/plain/plain";
import { isFailure } from "../../provider/inputs/record";
import { type Attempt, formText, type Happened, whatHappened } from "./history";
import type { AdoptedEvent, AskedFor, Entry, Form, IntentText, PostedEvent, RestoreEvent, WaveRecord } from "./stored";

export type Recorded = Pick<WaveRecord, "restores" | "done" | "settled" | "lost">;

/** All requests made for a restore in the run, oldest first. */
export const allAsked = (entry: Entry): readonly AskedFor[] => [...(entry.asked ?? []), entry];

export const eventsOf = ({ restores }: Recorded, name: string): readonly RestoreEvent[] => own(restores, name) ?? [];

/** The requests for a restore that no `up` has dealt with, because the `up` that made them was killed, or refused them. */
export function notSettled(all: readonly AskedFor[], name: string, record: Recorded): readonly AskedFor[] {
  const events = eventsOf(record, name);
  const settled = own(record.settled ?? {}, name) ?? (events.length > 0 ? 1 : 0);
  const hasRecord = events.some(({ entry }) => entry === all.at(-1)?.id);
  return all.slice(hasRecord ? settled : Math.min(settled, all.length - 1));
}

/** Whether there is a request for the restore that no `up` has dealt with, so that a killed `up` may have sent it. */
export const isUnsettled = (asked: Entry, name: string, record: Recorded): boolean =>
  notSettled(allAsked(asked), name, record).length > 0;

/** What a restore overwrites, in words: `machine 43`, `files of machine 43`. */
export const targetOf = ({ machine = "", paths }: Pick<PostedEvent, "machine" | "paths">): string =>
  `${paths === undefined ? "" : "files of "}machine ${machine}`;

/** The first of a restore's requests that was sent, or may have been. All later requests must have the same target. */
export function firstSent(
  all: readonly AskedFor[],
  name: string,
  record: Recorded,
): AskedFor | PostedEvent | AdoptedEvent | undefined {
  const events = eventsOf(record, name);
  const sent = events.find((event) => event.did === "posted" || event.did === "adopted");
  if (sent !== undefined) return sent;
  const open = notSettled(all, name, record);
  const mayBeSent = ({ id }: AskedFor): boolean => {
    const last = events.findLast(({ entry }) => entry === id || entry === "");
    return last?.did === "stopped" && last.sent !== "no";
  };
  return all.find((one) => open.includes(one) || mayBeSent(one));
}

/** A restore's complete and checked entry, if nothing can have been sent since. */
function doneOf(all: readonly AskedFor[], name: string, record: Recorded): AskedFor | undefined {
  const id = own(record.done ?? {}, name);
  const found = all.findLast((one) => one.id === id);
  return found && whatHappened(eventsOf(record, name), found.id).state === "complete" ? found : undefined;
}

/** A value that is unknown in a preview does not count as a change yet. */
function isOther(was: unknown, is: unknown): boolean {
  const [before, now] = [JSON.stringify(was ?? []), JSON.stringify(is ?? [])];
  return before !== now && !now.includes(knownLater);
}

/** Whether a complete and checked restore may be sent again. `kept`: only a shared rule or the incident has changed, so the restore stays as it is. */
function changeOf(was: AskedFor, is: Form): "free" | "kept" | "refused" {
  if (isOther(was.triggers, is.triggers) || JSON.stringify(is.triggers ?? []).includes(knownLater)) return "free";
  if (isOther(sorted(was.paths), sorted(is.paths))) return "refused";
  const isSamePoint = is.point === was.chosen?.id || formText(was) === formText({ ...was, point: is.point });
  if (isSamePoint || (was.isInherited && is.isInherited)) return "kept";
  return isOther(was.point, is.point) ? "refused" : "free";
}

const sorted = (paths: Form["paths"]) => paths && [...paths].sort();

/** Why no `up` sends this request; undefined if an `up` may send it. */
export function whyKept(
  one: AskedFor,
  all: readonly AskedFor[],
  name: string,
  record: Recorded,
): "other target" | "refused" | "kept" | undefined {
  const first = firstSent(all, name, record);
  if (first !== undefined && targetOf(first) !== targetOf(one)) {
    const isUnknown = one.machine === knownLater && (first.paths === undefined) === (one.paths === undefined);
    if (!isUnknown) return "other target";
  }
  const done = doneOf(all, name, record);
  if (done === undefined || done.id === one.id) return undefined;
  const change = changeOf(done, one);
  return change === "free" ? undefined : change;
}

/** The entry by which a restore is judged and carried out: the current entry, or an earlier, complete entry if only a shared rule has changed since. */
export function entryThatCounts(name: string, entry: Entry, record: Recorded): Entry {
  if (entry.asked === undefined) return entry;
  const events = eventsOf(record, name);
  const last = whatHappened(events, undefined).attempts.at(-1)?.entry;
  const was = entry.asked.findLast(({ id }) => id === last);
  if (was === undefined || was.id === entry.id || whatHappened(events, was.id).state !== "complete") return entry;
  const isKept = events.some((one) => one.did === "stopped" && one.entry === entry.id && one.because === "kept");
  return isKept || whyKept(entry, allAsked(entry), name, record) === "kept" ? { ...was, asked: entry.asked } : entry;
}

/** A restore in a wave. `asked`: its last request. `entry`: the entry by which it is judged and carried out. */
export interface AskedRestore {
  readonly name: string;
  readonly asked: Entry;
  readonly entry: Entry;
  readonly events: readonly RestoreEvent[];
  readonly happened: Happened;
}

export const askedRestores = (entries: IntentText["entries"], record: Recorded): readonly AskedRestore[] =>
  Object.entries(entries).map(([name, asked]) => {
    const entry = entryThatCounts(name, asked, record);
    const events = eventsOf(record, name);
    return { name, asked, entry, events, happened: whatHappened(events, entry.id) };
  });

/** Returns the key of a mark that is older than anything sent for the entry. Used for entries without a recorded attempt. */
export function changeMarkOf(entry: Entry, name: string, record: Recorded): string {
  const all = allAsked(entry);
  for (const event of [...eventsOf(record, name)].reverse()) {
    if (event.did === "posted" || event.did === "adopted") break;
    if (event.did === "stopped" && event.entry === entry.id && event.mark !== undefined) return event.mark;
  }
  return notSettled(all, name, record).find(({ id }) => id === entry.id)?.mark ?? entry.mark;
}

/** An entry's requests that have its current triggers, even with other points or paths. Any failed or lost attempt for them may still be running. */
const askedAlike = (entry: Entry): readonly AskedFor[] =>
  allAsked(entry).filter(({ triggers }) => deepEqual(triggers, entry.triggers));

/** The restore's latest attempts, going back only as long as they failed and had the current triggers. */
export function failuresBefore(entry: Entry, attempts: readonly Attempt[]): readonly Attempt[] {
  const asked = askedAlike(entry);
  const isOwnFailure = ({ entry: of, ended }: Attempt): boolean =>
    ended !== undefined && isFailure(ended) && asked.some(({ id }) => id === of);
  return attempts.slice(attempts.findLastIndex((one) => !isOwnFailure(one)) + 1);
}

/** Whether a killed `up` may have sent the entry's restore without recording it. New triggers in the same run declare that nothing is still under way. */
export const isPerhapsSent = (entry: Entry, { lost = [] }: Pick<Recorded, "lost">): boolean =>
  lost.includes(entry.machine) && askedAlike(entry).length === allAsked(entry).length;

/** Whether the panel must be searched before the restore is sent, because an earlier `up` or someone else may have sent it. */
export const isLookedForFirst = ({ name, asked, entry, events, happened }: AskedRestore, record: Recorded): boolean =>
  isPerhapsSent(entry, record) ||
  isAfterLost(entry, events) ||
  failuresBefore(entry, happened.attempts).length > 0 ||
  leftOpen(name, asked, entry, record).some(({ why }) => why === undefined);

/** A restore's requests since an `up` last dealt with it. `why`: why no `up` can have sent the request; undefined if a killed `up` may have sent it. */
export function leftOpen(name: string, asked: Entry, counting: Entry, record: Recorded) {
  const all = allAsked(asked);
  return notSettled(all, name, record)
    .filter(({ id }) => id !== counting.id)
    .map((one) => ({ id: one.id, why: whyKept(one, all, name, record) }))
    .filter(({ id, why }) => why !== undefined || id !== asked.id);
}

/** True if a match on the panel may belong to the previous, different request, because an `up` that left no record may have sent that request. */
export function isAfterLost(entry: Entry, events: readonly RestoreEvent[]): boolean {
  const before = events.findLast(
    (one) =>
      one.entry !== entry.id && !(one.did === "stopped" && (one.because === "kept" || one.because === "refused")),
  );
  if (before?.did === "stopped" && before.because === "lost") return true;
  const isOfSame = ({ id, machine }: AskedFor): boolean => id === before?.entry && machine === entry.machine;
  if (before === undefined || !askedAlike(entry).some(isOfSame)) return false;
  return ["not sent", "sent"].includes(whatHappened(events, before.entry).state);
}
