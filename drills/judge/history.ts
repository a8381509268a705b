import { createHash } from "node:crypto";
import type { FinishedStatus, RestoreRecord, UnfinishedStatus } from "../../provider/inputs/record";
import { omitUndefined } from "../../provider/plain/plain";
import { setAdopt, transactionsNamed } from "../../provider/plain/text";
import type {
  AdoptedEvent,
  AskedCheck,
  CheckedEvent,
  EndedEvent,
  Entry,
  Form,
  PlanRestore,
  PlanText,
  PostedEvent,
  RestoreEvent,
  StoppedEvent,
  Unfinished,
} from "./stored";

/** The text by which forms are compared. The order of paths makes no difference. */
export function formText({ machine, point, paths, triggers }: Form): string {
  const rule = typeof point === "string" ? point : [point.pick, point.before ?? null, point.within ?? null];
  return JSON.stringify([machine, rule, paths === undefined ? null : [...paths].sort(), triggers ?? []]);
}

/** A short digest of a form's text, which is enough because a stored proof is only compared, never shown. */
export const formDigest = (form: Form): string => digestOf(formText(form)).slice(0, 8);

export function declaredForm({ rule, point = "", ...form }: PlanRestore): Form {
  return { ...form, point: rule ?? point };
}

/** The restores in a plan, each with the id of its entry. */
export const restoresIn = ({ run, waves, incidentAt }: PlanText) =>
  waves.flatMap(({ name: wave, restores }) =>
    Object.entries(restores).map(([name, restore]) => {
      const form = declaredForm(restore);
      const path = `waves.${wave}.${name}`;
      return { wave, name, path, restore, form, machine: form.machine, id: entryId(run, name, form, incidentAt) };
    }),
  );

/** The recovery point's id, as requested or as chosen by the rule. */
export function pointIdOf(entry: Pick<Entry, "point" | "chosen"> | undefined): string | undefined {
  return typeof entry?.point === "string" ? entry.point : entry?.chosen?.id;
}

/** An entry's id is derived from the request, so that a repeated request is not sent again. A rule without `before` uses the plan's `incidentAt`. */
export function entryId(run: string, name: string, form: Form, incidentAt?: string): string {
  const before = isOfIncident(form) ? (incidentAt ?? null) : null;
  return digestOf(JSON.stringify([run, name, formText(form), before])).slice(0, 9);
}

const isOfIncident = ({ point }: Form): boolean => typeof point !== "string" && point.before === undefined;

const digestOf = (text: string): string => createHash("sha256").update(text).digest("base64url");

export function endedEvent(status: FinishedStatus, record: RestoreRecord): EndedEvent {
  const { transactionId, requestedAt, startedAt, finishedAt, failedPart, warnings } = record;
  return omitUndefined<EndedEvent>({
    did: "ended",
    status,
    requestedAt,
    startedAt,
    finishedAt,
    failedPart,
    // Left out in the usual case: `transactionOf` falls back to the last transaction.
    transactionId: transactionId === record.transactionIds.at(-1) ? undefined : transactionId,
    warnings: warnings.length > 0 ? warnings : undefined,
  });
}

export const transactionOf = ({ ids, ended }: Pick<Attempt, "ids" | "ended">): string | undefined =>
  ended?.transactionId ?? ids.at(-1);

type Stamped<Event> = Event & { readonly at: string; readonly entry: string };

/** All events from one `posted` or `adopted` event until the next. */
export interface Attempt {
  readonly entry: string;
  readonly sent: Stamped<PostedEvent | AdoptedEvent>;
  /** The attempt's transactions, oldest first. */
  readonly ids: readonly string[];
  readonly ended?: Stamped<EndedEvent>;
  readonly checks: readonly Stamped<CheckedEvent>[];
  readonly stops: readonly Stamped<StoppedEvent>[];
}

/** One word for each state, the same in every message, command and page. */
export type RestoreState =
  | "not sent"
  | "perhaps sent"
  | UnfinishedStatus
  | FinishedStatus
  | "not checked"
  | "overwritten";

export type BadEvent = Stamped<StoppedEvent | CheckedEvent | EndedEvent>;

export interface Happened {
  readonly attempts: readonly Attempt[];
  /** The last attempt, if it is for the current entry and nothing else may have been sent since. Earlier attempts never count, as the machine has changed. */
  readonly counts?: Attempt;
  /** The last attempt, if it completed the current entry but does not count, because another request may have been sent since. */
  readonly putBack?: Attempt;
  readonly state: Exclude<RestoreState, "perhaps sent" | "not checked" | "overwritten">;
  /** Everything that made an `up` fail: failed attempts, stops and failed checks. These are listed until the run ends. */
  readonly bad: readonly BadEvent[];
  /** The last stop for the entry, if nothing has happened since. */
  readonly stop?: Stamped<StoppedEvent>;
  /** True if something may have been sent since the last attempt. */
  readonly isOpen: boolean;
}

/** A restore's attempts, the attempt that counts, the state and all failures. All code that judges or carries out restores uses this. */
export function whatHappened(events: readonly RestoreEvent[], entry: string | undefined): Happened {
  const attempts: { -readonly [Key in keyof Attempt]: Attempt[Key] }[] = [];
  for (const event of events) {
    const last = attempts.at(-1);
    if (event.did === "posted" || event.did === "adopted") {
      attempts.push({ entry: event.entry, sent: event, ids: [], checks: [], stops: [] });
    } else if (last?.entry === event.entry) {
      if (event.did === "listed") last.ids = event.ids;
      else if (event.did === "ended") last.ended = event;
      else if (event.did === "checked") last.checks = [...last.checks, event];
      else last.stops = [...last.stops, event];
    }
  }
  const last = attempts.at(-1);
  const current = last?.entry === entry ? last : undefined;
  const counts = current && !isSentSince(events, current) ? current : undefined;
  const putBack = counts === undefined && current?.ended?.status === "complete" ? current : undefined;
  const newest = events.at(-1);
  return omitUndefined<Happened>({
    attempts,
    counts,
    putBack,
    state: counts === undefined ? "not sent" : attemptState(counts),
    bad: events.filter(isBad),
    isOpen: events.slice(last === undefined ? 0 : events.lastIndexOf(last.sent)).some(mayBeSent),
    stop: newest?.did === "stopped" && newest.entry === entry ? newest : undefined,
  });
}

type Restores = Readonly<Record<string, readonly RestoreEvent[]>>;

/** Leaves out attempts whose outcome was unknown until `adopt` named a transaction, because their other transactions may belong to somebody else. */
export function attemptsOf(events: readonly RestoreEvent[]): readonly Attempt[] {
  const { attempts } = whatHappened(events, undefined);
  return attempts.filter(({ entry, ended }, index) => ended !== undefined || attempts[index + 1]?.entry !== entry);
}

export const attemptsIn = (restores: Restores) =>
  Object.entries(restores).flatMap(([name, events]) => attemptsOf(events).map((one) => [name, one] as const));

export function unfinishedIn(restores: Restores): readonly Unfinished[] {
  return attemptsIn(restores).flatMap(([name, { sent, ids, ended }]) =>
    ended === undefined && ids.length > 0 && sent.machine !== undefined ? [{ name, machine: sent.machine, ids }] : [],
  );
}

/** True if another request has been made since and may have been sent, so that the machine's state is unknown. */
function isSentSince(events: readonly RestoreEvent[], { sent, entry }: Pick<Attempt, "sent" | "entry">): boolean {
  const since = events.slice(events.lastIndexOf(sent));
  // An unreadable event without an entry may concern this entry.
  return since.some((one) => mayBeSent(one) && one.entry !== entry && one.entry !== "");
}

export const mayBeSent = (event: RestoreEvent): boolean => event.did === "stopped" && event.sent === "unknown";

function isBad(event: RestoreEvent): event is BadEvent {
  if (event.did === "checked") return !event.passed;
  if (event.did === "stopped" && (event.because === "kept" || event.because === "refused")) return false;
  return event.did === "stopped" || (event.did === "ended" && event.status !== "complete");
}

export function attemptState({ ended, ids, stops }: Attempt): UnfinishedStatus | FinishedStatus {
  if (ended !== undefined) return ended.status;
  if (ids.length === 0) return "sent";
  return stops.at(-1)?.status === "pending" ? "pending" : "running";
}

/** The last result of each current check. Undefined if the check has not run in this attempt, or has not run since the failure of a check that was removed. */
export function checkResults(
  counts: Attempt | undefined,
  checks: readonly AskedCheck[],
): readonly { readonly name: string; readonly event?: Stamped<CheckedEvent> }[] {
  const ran = counts?.checks ?? [];
  const lastOf = (asked: string) => ran.findLast(({ asks }) => asks === asked);
  const failed = ran.findLastIndex(
    (one) => !one.passed && lastOf(one.asks) === one && !checks.some(({ asks }) => asks === one.asks),
  );
  return checks.map(({ name, asks }) => {
    const event = ran.slice(failed + 1).findLast((one) => one.asks === asks);
    return { name, ...(event && { event }) };
  });
}

export function openChecks(counts: Attempt | undefined, checks: readonly AskedCheck[]): readonly string[] {
  return checkResults(counts, checks).flatMap(({ name, event }) => (event?.passed === true ? [] : [name]));
}

/** When a restore that serves as a proof was completed. If no `up` saw it end, only the panel knows the time. */
export function provenAt(counts: Attempt | undefined): string | undefined {
  const { ended } = counts ?? {};
  return ended?.finishedAt ?? (ended?.isFound === true ? undefined : ended?.at);
}

/** The program's arguments for a restore, apart from its form. */
export interface Wanted {
  readonly checks: readonly AskedCheck[];
  readonly adopt?: string | undefined;
  /** @default true */
  readonly retryFailed?: boolean | undefined;
}

export interface NextStep {
  /** `repeat`: send the failed restore again. `keep`: send nothing, because someone must decide what to do. */
  readonly does: "send" | "repeat" | "wait" | "check" | "adopt" | "keep";
  readonly why: string;
}

export const isSending = (does: NextStep["does"]): boolean => does === "send" || does === "repeat";

/** Used when a complete restore is requested again, but an `up` that left no record may have sent something else in the meantime. */
function putBackText({ ids }: Attempt): string {
  const [id] = ids;
  const adopt = id === undefined ? "" : `set adopt: "${id}"; otherwise, `;
  return `already complete, but changed in between by an \`up\` that left no record and may have sent another restore, so nothing is sent. If the panel lists no other restore of the machine, ${adopt}set new triggers to restore it again`;
}

/** What the next `up` does for a restore, and why. Undefined if the restore is complete and checked, so that nothing is done. */
export function nextStep({ state, counts, attempts, putBack }: Happened, wanted: Wanted): NextStep | undefined {
  const { adopt } = wanted;
  // If `adopt` has not changed since the attempt that counts, it has already been dealt with.
  if (adopt !== undefined && adopt !== counts?.sent.adopt && state !== "complete")
    return { does: "adopt", why: `adopts transaction ${adopt} as this restore or rejects it, and sends nothing` };
  const transaction = transactionText(counts?.ids ?? []);
  switch (state) {
    case "not sent":
      if (putBack !== undefined) return { does: "keep", why: putBackText(putBack) };
      return { does: "send", why: attempts.length === 0 ? "not sent yet" : "changed" };
    case "sent":
      return { does: "wait", why: "sent but not listed yet, so the run looks for it and does not send it again" };
    case "pending":
    case "running":
      return { does: "wait", why: `${state} (${transaction}), so the run waits for it and does not send it again` };
    case "failed": {
      const failedPart = counts?.ended?.failedPart;
      const restored = (counts && transactionOf(counts)) ?? "";
      const ways = `repair the machine and ${setAdopt(wanted, restored)}, or set new triggers to restore it again`;
      if (failedPart !== undefined)
        return { does: "keep", why: `complete, but its transaction ${failedPart} failed: ${ways}` };
      return wanted.retryFailed === false
        ? { does: "keep", why: `${transaction} failed, and retryFailed is false: set new triggers to restore it again` }
        : { does: "repeat", why: `${transaction} failed` };
    }
    case "cancelled":
      return { does: "keep", why: `${transaction} was cancelled: set adopt or new triggers` };
    case "complete": {
      const open = openChecks(counts, wanted.checks);
      return open.length === 0 ? undefined : { does: "check", why: `runs checks, sends nothing: ${open.join(", ")}` };
    }
  }
}

export function transactionText(ids: readonly string[]): string {
  return ids.length === 0 ? "no transaction" : transactionsNamed(ids);
}
