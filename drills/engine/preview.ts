import { knownLater } from "../../provider/inputs/read-values";
import { own } from "../../provider/plain/plain";
import { firstFew } from "../../provider/plain/text";
import { adoptUnusedText } from "../../provider/restore/messages";
import { type AskedRestore, isLookedForFirst, type Recorded } from "../judge/asked";
import { isSending, nextStep, type NextStep } from "../judge/history";
import type { Form, WaveOptions } from "../judge/stored";
import { changeText, formInWords } from "./entries";

const mostLines = 20;

/** What a new wave will overwrite. */
export function firstText(forms: Readonly<Record<string, Form>>, incidentAt: string | undefined): string {
  const shown = Object.entries(forms).map(([name, form]) => ({ name, why: formInWords(form, incidentAt) }));
  const short = Object.values(forms).map(({ machine, point, paths }) => {
    const isBefore = typeof point !== "string" && (point.before ?? incidentAt) !== undefined;
    const from = typeof point === "string" ? point : `${point.pick}${isBefore ? " before" : ""}`;
    const name = machine === knownLater ? "a machine known only later" : machine;
    return `${name} (${paths === undefined ? "" : "files, "}${from})`;
  });
  return withReasons(`overwrites ${firstFew(short, 4)}`, shown);
}

/** The effects of a changed plan: first the total, because a row shows one line, then each restore with its reason. */
export function announcementText(
  made: readonly AskedRestore[],
  run: string | undefined,
  total: number,
  incidentAt: string | undefined,
  record: Recorded,
): string {
  const names = made.map(({ name }) => name);
  const whys = made.map(({ entry }) => (run === undefined ? (changeText(entry) ?? "new") : `run ${run}`));
  const isFirst = ({ happened }: AskedRestore): boolean => happened.attempts.length === 0 && !happened.isOpen;
  const again = run === undefined && made.some(isFirst) ? "" : " again";
  const [why = ""] = whys;
  const isAll = whys.every((one) => one === why);
  const reasons = made.map((one, index) => {
    const first = isLookedForFirst(one, record) ? "; first looks for what was sent before" : "";
    return { name: one.name, why: `${String(whys[index])}: ${formInWords(one.entry, incidentAt)}${first}` };
  });
  return withReasons(
    `${sumText(names, total)} will be restored${again}: ${firstFew(names, 5)}${isAll ? ` (${why})` : ""}`,
    reasons,
  );
}

export const keptText = (names: readonly string[], total: number): string =>
  `${sumText(names, total)} left as it is: ${firstFew(names, 5)} (complete: a changed rule or incidentAt sends nothing; new triggers restore again)`;

export interface NamedStep extends NextStep {
  readonly name: string;
}

export function stepsOf(
  restores: readonly AskedRestore[],
  options: WaveOptions,
  whyNot: (mark: string) => string | undefined,
  incidentAt: string | undefined,
): readonly NamedStep[] {
  return restores.flatMap(({ name, entry, happened }) => {
    const { checks = [], adopt, retryFailed } = own(options, name) ?? {};
    const step = nextStep(happened, { checks, adopt, retryFailed });
    if (step === undefined) return [];
    const whyKept = ["check", "keep"].includes(step.does) ? undefined : whyNot(entry.mark);
    if (whyKept !== undefined) return [{ name, does: "keep" as const, why: whyKept }];
    return [{ name, ...step, why: isSending(step.does) ? `${formInWords(entry, incidentAt)}: ${step.why}` : step.why }];
  });
}

/** Warnings about complete restores that are left as they are, although their whole machine is restored again. */
export function overwrittenTexts(
  restores: readonly AskedRestore[],
  sending: ReadonlyMap<string, unknown>,
): readonly string[] {
  const whole = new Map(
    restores
      .filter(({ name, entry }) => sending.has(name) && entry.paths === undefined)
      .map(({ name, entry }) => [entry.machine, name]),
  );
  return restores
    .filter(
      ({ name, entry, happened }) => happened.state === "complete" && !sending.has(name) && whole.has(entry.machine),
    )
    .map(
      ({ name, entry }) => `${name}: ${whole.get(entry.machine) ?? ""} overwrites it; new triggers restore it again`,
    );
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
  send: "will be restored, unless an earlier run has sent them",
  adopt: "will be adopted",
  wait: "waited for",
  check: "checked again",
  keep: "left as it is",
};

/** `3 of 334 will be restored again: vm0, vm3, vm6 (failed)` */
export function stepsText(steps: readonly NamedStep[], total: number): string {
  const sum = (Object.keys(sums) as NextStep["does"][]).flatMap((does) => {
    const names = steps.filter((step) => step.does === does).map(({ name }) => name);
    const failed = does === "repeat" ? " (failed)" : "";
    return names.length === 0 ? [] : [`${sumText(names, total)} ${sums[does]}: ${firstFew(names, 5)}${failed}`];
  });
  return withReasons(sum.join("; "), steps);
}

function sumText(names: readonly string[], total: number): string {
  return `${String(names.length)} of ${String(total)}`;
}

function withReasons(sum: string, all: readonly { readonly name: string; readonly why: string }[]): string {
  const more = all.length > mostLines ? [`and ${String(all.length - mostLines)} more`] : [];
  return [sum, ...all.slice(0, mostLines).map(({ name, why }) => `  ${name}: ${why}`), ...more].join("\n");
}
