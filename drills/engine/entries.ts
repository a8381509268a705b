import { targetInWords, pointInWords } from "../../provider/engine/messages";
import { knownLater } from "../../provider/inputs/read-values";
import { own } from "../../provider/plain/plain";
import { derivedId, entryId, formText } from "../judge/history";
import type { Entry, Form, IntentText, LeftEntries } from "../judge/stored";

/** What the program requests from a wave's intent. */
export interface Asked {
  readonly run: string;
  /** In the order of the program. */
  readonly forms: Readonly<Record<string, Form>>;
  /** The last entry of its machine in the waves before, by the restore's name. */
  readonly behind: Readonly<Record<string, string>>;
}

export interface PlannedEntry {
  readonly name: string;
  readonly id: string;
  readonly form: Form;
  /** The stored entry, if it is the same restore. Without one a new entry is made, and the restore is sent. */
  readonly kept?: Entry;
}

/** A restore that will be sent, and why. */
export interface Announced {
  readonly name: string;
  readonly why: string;
  /** The restore had another entry before. */
  readonly isAgain: boolean;
}

/**
 * Compares what is asked with the stored entries. An entry whose id is unchanged stays; all others are made again. A restore that was changed and
 * changed back is another restore, because nobody knows what a killed `up` sent in between.
 */
export function planEntries(
  { run, forms, behind }: Asked,
  stored: { readonly run: string | undefined } & IntentText,
): { readonly entries: readonly PlannedEntry[]; readonly announced: readonly Announced[] } {
  const lastOf = new Map<string, { readonly id: string; readonly name: string }>();
  const announced: Announced[] = [];
  const entries = Object.entries(forms).map(([name, form]): PlannedEntry => {
    const before = lastOf.get(form.machine);
    const id = entryId(run, name, form, before?.id ?? behind[name]);
    if (form.machine !== knownLater) lastOf.set(form.machine, { id, name });
    const old = own(stored.entries, name);
    const isOtherRun = stored.run !== undefined && stored.run !== run;
    if (!isOtherRun && old !== undefined && derivedId(old.id) === id) return { name, id: old.id, form, kept: old };
    const times = isOtherRun ? 0 : (leftOf(stored, name)?.ids ?? []).filter((one) => derivedId(one) === id).length;
    if (times > 0) {
      announced.push({ name, why: `asked for again: ${formInWords(form)}`, isAgain: true });
      return { name, id: `${id}~${String(times)}`, form };
    }
    const why = isOtherRun
      ? `run ${run}`
      : old === undefined
        ? "new"
        : changedText(old, form, before?.name ?? (own(behind, name) && "the restore of an earlier wave"));
    announced.push({
      name,
      why: `${why}: ${formInWords(form)}`,
      isAgain: old !== undefined,
    });
    return { name, id, form };
  });
  return { entries, announced };
}

/** Another restore was asked for since the same was asked for first. */
export const isAskedAgain = (id: string): boolean => derivedId(id) !== id;

export function leftOf({ left = {} }: IntentText, name: string): LeftEntries | undefined {
  return own(left, name);
}

/** Entries that are no longer requested are kept until the run ends. */
export function leftAfter(
  stored: IntentText,
  entries: Readonly<Record<string, Entry>>,
  now: () => Date,
): Readonly<Record<string, LeftEntries>> {
  const names = [...new Set([...Object.keys(stored.left ?? {}), ...Object.keys(stored.entries)])];
  return Object.fromEntries(
    names.flatMap((name): [string, LeftEntries][] => {
      const [before, old] = [leftOf(stored, name), stored.entries[name]];
      if (old === undefined || entries[name]?.id === old.id) return before ? [[name, before]] : [];
      const machine = old.paths === undefined ? old.machine : "";
      const ids = [...(before?.ids ?? []), old.id];
      const machines = [...(before?.machines ?? []), machine];
      const filesOf = [...(before?.filesOf ?? []), machine === "" ? old.machine : ""];
      const at = [...(before?.at ?? []), now().toISOString()];
      return [[name, { at, ids, machines, filesOf, mark: before?.mark ?? old.mark }]];
    }),
  );
}

function changedText(old: Entry, form: Form, behind: string | undefined): string {
  const names = ["machine", "point", "paths", "triggers"] as const;
  const changed = names.filter((name) => formText({ ...old, [name]: form[name] }) !== formText(old));
  if (changed.length > 0) return `${changed.join(", ")} changed`;
  return behind === undefined ? "the previous restore of its machine was taken out" : `behind ${behind}`;
}

export function formInWords(form: Pick<Form, "machine" | "point" | "paths">): string {
  return `${targetInWords(form)} from ${pointInWords(form.point)}`;
}
