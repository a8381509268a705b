import { targetInWords, pointInWords } from "../../provider/engine/messages";
import { ruleForIncident } from "../../provider/inputs/read-point-rule";
import type { Message } from "../../provider/plain/message";
import { omit, omitUndefined, own } from "../../provider/plain/plain";
import { allAsked, eventsOf, firstSent, targetOf, whyKept } from "../judge/asked";
import { entryId, formText, transactionText, whatHappened } from "../judge/history";
import type { AskedFor, Entry, Form, IntentText, WaveRecord } from "../judge/stored";

export interface Asked {
  readonly run: string;
  /** In program order. */
  readonly forms: Readonly<Record<string, Form>>;
  readonly incidentAt?: string | undefined;
}

export type PlannedWave = Pick<IntentText, "entries" | "gone">;

export const allAskedIn = ({ entries, gone = {} }: PlannedWave): readonly AskedFor[] => [
  ...Object.values(entries).flatMap(allAsked),
  ...Object.values(gone).flat(),
];

/** The mark of an entry that does not exist yet. */
export const notMade = "";

/** Compares the requests with the stored entries. An entry whose id is unchanged is kept; all others are replaced. */
export function planEntries(
  { run, forms, incidentAt }: Asked,
  stored: { readonly run: string | undefined } & PlannedWave,
): PlannedWave {
  const before: PlannedWave = stored.run === run ? stored : { entries: {} };
  const askedBefore = (name: string): readonly AskedFor[] => {
    const old = own(before.entries, name);
    if (old === undefined) return own(before.gone ?? {}, name) ?? [];
    return [...(old.asked ?? []), omit(old, "asked")];
  };
  const entries = Object.entries(forms).map(([name, form]): [string, Entry] => {
    const old = own(before.entries, name) ?? lastOf(own(before.gone ?? {}, name));
    const id = entryId(run, name, form, incidentAt);
    if (old?.id === id) return [name, old];
    const asked = askedBefore(name);
    return [name, { id, mark: notMade, ...form, ...(asked.length > 0 && { asked }) }];
  });
  const names = Object.keys({ ...before.gone, ...before.entries }).filter((name) => !Object.hasOwn(forms, name));
  const gone = names.map((name) => [name, askedBefore(name)] as const);
  return omitUndefined<PlannedWave>({
    entries: Object.fromEntries(entries),
    gone: gone.length > 0 ? Object.fromEntries(gone) : undefined,
  });
}

/** The last request for a restore that was removed from the plan. If the restore is added back unchanged, it continues with this entry. */
function lastOf(gone: readonly AskedFor[] = []): Entry | undefined {
  const last = gone.at(-1);
  return last && { ...last, ...(gone.length > 1 && { asked: gone.slice(0, -1) }) };
}

/** Why nothing in a wave is sent: a restore was changed or removed, and the run would send it again or lose track of it. */
export function refusalOf(
  { entries, gone = {} }: PlannedWave,
  record: WaveRecord,
  laterWave: (entry: Entry) => string | undefined,
): Message | undefined {
  const [first, ...others] = [
    ...Object.entries(gone).map(([name, all]) => whyNotTakenOut(name, all, record)),
    ...Object.entries(entries).map(([name, entry]) => whyNotChanged(name, entry, record, laterWave)),
  ].filter((why) => why !== undefined);
  return first && { ...first, lines: others.map(({ what }) => what), help: "plan" };
}

type Refused = Pick<Message, "what" | "next">;

function whyNotTakenOut(name: string, all: readonly AskedFor[], record: WaveRecord): Refused | undefined {
  const first = firstSent(all, name, record);
  if (first === undefined) return undefined;
  return {
    what: `${name} cannot be removed, renamed or moved in this run: ${sentText(name, first, record)}`,
    next: `Keep ${name} in its wave and add any new restore under another name; ${howToGiveUp}; or begin a new run`,
  };
}

function whyNotChanged(
  name: string,
  entry: Entry,
  record: WaveRecord,
  laterWave: (entry: Entry) => string | undefined,
): Refused | undefined {
  const all = allAsked(entry);
  const why = whyKept(entry, all, name, record);
  const first = firstSent(all, name, record);
  if (why === "other target" && first !== undefined)
    return {
      what: `${name} cannot restore ${targetOf(entry)} in this run: ${sentText(name, first, record)}`,
      next: `Change ${name} back and add a restore of ${targetOf(entry)} under another name; ${howToGiveUp}; or begin a new run`,
    };
  const later = first === undefined || first === entry ? laterWave(entry) : undefined;
  if (later !== undefined)
    return {
      what: `${name} cannot restore ${targetOf(entry)} in this wave: the later wave ${later} may have restored it in this run`,
      next: `Keep the machine in wave ${later}; or, if nothing was sent to it, give ${name} new triggers`,
    };
  if (why !== "refused") return undefined;
  return {
    what: `${name} is complete and checked, and this change would restore ${targetOf(entry)} again, from ${pointInWords(entry.point)}`,
    next: `Give ${name} new triggers to restore it again; or change it back, and make the change in a new run`,
  };
}

const howToGiveUp =
  'to give up on a failed restore, set retryFailed: false (it is not sent again) and onFailure: "continue" (the later waves start)';

function sentText(name: string, first: NonNullable<ReturnType<typeof firstSent>>, record: WaveRecord): string {
  const ids = whatHappened(eventsOf(record, name), undefined).attempts.flatMap((one) => one.ids);
  return `a restore of ${targetOf(first)} was sent for it, or may have been (${transactionText(ids)})`;
}

/** What has changed in a restore since its previous request. */
export function changeText({ asked = [], ...form }: Entry): string | undefined {
  const old = asked.at(-1);
  if (old === undefined) return undefined;
  const names = ["machine", "point", "paths", "triggers"] as const;
  const changed = names.filter((name) => formText({ ...old, [name]: form[name] }) !== formText(old));
  return `${changed.length > 0 ? changed.join(", ") : "incidentAt"} changed`;
}

/** Describes a restore by its recovery point if the point is known, otherwise by its rule and the plan's incident. */
export function formInWords(
  { chosen, ...form }: Pick<Entry, "machine" | "point" | "paths" | "chosen">,
  incidentAt?: string,
): string {
  const rule = typeof form.point === "string" ? form.point : ruleForIncident(form.point, incidentAt);
  return `${targetInWords(form)} from ${pointInWords(chosen?.id ?? rule)}`;
}
