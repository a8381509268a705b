import { knownLater } from "../../provider/inputs/read-values";
import { groupBy, own } from "../../provider/plain/plain";
import { firstFew } from "../../provider/plain/text";
import { adoptUnusedText } from "../../provider/restore/messages";
import { type AskedRestore, isLookedForFirst, isUnsettled, type Recorded } from "../judge/asked";
import { isSending, nextStep, type NextStep } from "../judge/history";
import type { WaveOptions } from "../inputs/wave-texts";
import type { Entry, Form } from "../judge/stored";
import { changeText, formInWords } from "./entries";

const mostLines = 20;

/** What a new wave will overwrite. */
export function firstText(forms: Readonly<Record<string, Form>>, incidentAt: string | undefined): string {
  const shown = Object.entries(forms).map(([name, form]) => ({ name, why: formInWords(form, incidentAt) }));
  const short = Object.values(forms).map(({ machine, point, paths }) => {
    const isBefore = typeof point !== "string" && (point.before ?? incidentAt) !== undefined;
    const from = typeof point === "string" ? point : `${point.pick}${isBefore ? " before" : ""}`;
    const name = machine === knownLater ? "a machine not yet known" : machine;
    return `${name} (${paths === undefined ? "" : "files, "}${from})`;
  });
  return withReasons(`overwrites ${firstFew(short, 4)}`, shown);
}

export const keptTexts = (names: readonly string[], total: number): readonly string[] =>
  names.length === 0
    ? []
    : [
        `${sumText(names, total)} left as is: ${firstFew(names)} (complete; a changed rule or incidentAt sends nothing: set new triggers to restore again)`,
      ];

interface NamedStep extends NextStep {
  readonly name: string;
  /** What will be done, in words. Absent if the wave's intent already says it. */
  readonly sum?: string;
  /** Why, in a few words. */
  readonly because?: string;
}

interface How {
  readonly incidentAt: string | undefined;
  /** The name of a run that begins now. */
  readonly newRun: string | undefined;
  /** Whether this `up` makes the entry. */
  readonly isNew: (entry: Entry) => boolean;
  /** Whether the wave's intent already lists the restores that are sent for the first time. */
  readonly isNamed: boolean;
  /** Why the restore with this mark cannot continue: the mark was made on a panel other than the one in the settings. */
  readonly whyNot: (mark: string) => string | undefined;
  /** For each machine, an incomplete restore that holds back the machine's later restores. `stepsOf` adds this wave's restores. */
  readonly kept: Map<string, string>;
}

/** What the next `up` does with each restore that is not complete and checked. */
export function stepsOf(
  restores: readonly AskedRestore[],
  options: WaveOptions,
  record: Recorded,
  { incidentAt, newRun, isNew, isNamed, whyNot, kept }: How,
): readonly NamedStep[] {
  const stepOf = (restore: AskedRestore): NamedStep | undefined => {
    const { name, asked, entry, happened } = restore;
    const { checks = [], adopt, retryFailed } = own(options, name) ?? {};
    const step = nextStep(happened, { checks, adopt, retryFailed });
    if (step === undefined) return undefined;
    const { does } = step;
    const behind = isSending(does) ? kept.get(entry.machine) : undefined;
    const whyKept = ["check", "keep"].includes(does) ? undefined : whyNot(entry.mark);
    if (behind !== undefined || whyKept !== undefined || does === "keep") kept.set(entry.machine, name);
    if (behind !== undefined) return { name, does: "keep", sum: "held back", why: `waits until ${behind} is complete` };
    if (whyKept !== undefined) return { name, does: "keep", sum: sums.keep, why: whyKept };
    if (!isSending(does)) return { name, ...step, sum: sums[does] };
    const isLookedFor = !isNew(entry) || isLookedForFirst(restore, record);
    const what = `${formInWords(entry, incidentAt)}${isLookedFor ? "; first checks whether a restore was already sent" : ""}`;
    if (does === "repeat") return { name, does, sum: sums.repeat, because: "failed", why: `${step.why}: ${what}` };
    const isPerhapsSent = !isNew(entry) && (happened.isOpen || isUnsettled(asked, name, record));
    const reason = newRun === undefined ? (changeText(entry) ?? step.why) : `run ${newRun}`;
    const because = isPerhapsSent ? "perhaps sent" : reason;
    const why = `${because}: ${what}`;
    if (isNamed && entry.asked === undefined && !isLookedFor) return { name, does, why };
    if (isPerhapsSent) return { name, does, sum: `${sums.send} unless already sent`, because, why };
    const isFirst = newRun === undefined && happened.attempts.length === 0 && !happened.isOpen;
    return { name, does, sum: isFirst ? sums.send : sums.repeat, because, why };
  };
  return restores.map(stepOf).filter((step) => step !== undefined);
}

/** The restores of whole machines that will be sent, by machine. */
export function wholeSends(restores: readonly AskedRestore[], steps: readonly NamedStep[]): Map<string, string> {
  const sending = new Set(steps.filter(({ does }) => isSending(does)).map(({ name }) => name));
  const whole = restores.filter(({ name, entry }) => sending.has(name) && entry.paths === undefined);
  return new Map(whole.map(({ name, entry }) => [entry.machine, name]));
}

/** Warnings about complete restores, which are not repeated, although one of these restores overwrites their whole machine. */
export function overwrittenTexts(
  restores: readonly AskedRestore[],
  whole: ReadonlyMap<string, string>,
): readonly string[] {
  return restores.flatMap(({ name, entry, happened }) => {
    const over = happened.state === "complete" ? whole.get(entry.machine) : undefined;
    return over === undefined ? [] : [`${name}: ${over} overwrites it; set new triggers to restore it again`];
  });
}

/** Warnings about complete restores whose `adopt` now names another transaction. */
export function unusedAdopts(restores: readonly AskedRestore[], options: WaveOptions): readonly string[] {
  return restores.flatMap(({ name, happened: { state, counts } }) => {
    const adopt = own(options, name)?.adopt;
    if (adopt === undefined || state !== "complete") return [];
    const isKnown = counts?.sent.adopt === adopt || counts?.ids.includes(adopt);
    return isKnown ? [] : [`${name}: ${adoptUnusedText(adopt)}`];
  });
}

const sums: Readonly<Record<NextStep["does"], string>> = {
  repeat: "will be restored again",
  send: "will be restored",
  adopt: "will be adopted",
  wait: "already sent",
  check: "will be checked",
  keep: "left as is",
};

/** `3 of 334 will be restored again: vm0, vm3, vm6 (failed)`, then each restore with its reason. */
export function stepsTexts(steps: readonly NamedStep[], total: number): readonly string[] {
  const isSent = ({ does }: NamedStep): boolean => isSending(does);
  // Lists restores that will be sent first, because a large wave is not listed in full.
  const said = [...steps.filter(isSent), ...steps.filter((one) => !isSent(one))].filter((one) => one.sum !== undefined);
  const parts = [...groupBy(said, ({ sum = "" }) => sum)].map(([sum, alike]) => {
    const names = alike.map(({ name }) => name);
    const [because, ...others] = new Set(alike.map((one) => one.because));
    const why = because === undefined || others.length > 0 ? "" : ` (${because})`;
    return `${sumText(names, total)} ${sum}: ${firstFew(names)}${why}`;
  });
  return said.length === 0 ? [] : [withReasons(parts.join("; "), said)];
}

function sumText(names: readonly string[], total: number): string {
  return `${String(names.length)} of ${String(total)}`;
}

function withReasons(sum: string, all: readonly { readonly name: string; readonly why: string }[]): string {
  const more = all.length > mostLines ? [`and ${String(all.length - mostLines)} more`] : [];
  return [sum, ...all.slice(0, mostLines).map(({ name, why }) => `  ${name}: ${why}`), ...more].join("\n");
}
