import { createHash } from "node:crypto";
import { type CheckFailure, Problems, type ReadContext } from "../../provider/inputs/problems";
import type { PointRule } from "../../provider/inputs/read-point-rule";
import { knownLater } from "../../provider/inputs/read-values";
import { canonicalValue } from "../../provider/inputs/restore-table";
import { asList, deepEqual, isObject, omit, omitUndefined, type Properties } from "../../provider/plain/plain";
import type { Probe } from "../checks/kinds";
import type { CheckTimes } from "../checks/run-check";
import type { AskedCheck, Form, PlanRestore, PlanWave } from "../judge/stored";
import { shownChecks, type ShownCheck } from "./read-check";
import { type GivenWave, readRestores, type ReadRestore } from "./read-plan";

/** What a wave needs to know about a restore, apart from its form. It does not affect what is sent. */
export interface PlannedOptions extends Pick<PlanRestore, "adopt" | "retryFailed" | "captureLog" | "timeouts"> {
  readonly checks?: readonly (AskedCheck & Partial<CheckTimes> & { readonly probe: Probe })[];
}

/** 4. The secret input `__options` of a wave, as JSON: by restore name. */
export type WaveOptions = Readonly<Record<string, PlannedOptions>>;

/** The plain data that is derived from a wave's arguments once they are known. */
export interface WaveParts {
  readonly forms: Readonly<Record<string, Form>>;
  readonly options: WaveOptions;
  readonly shown: PlanWave;
}

/** `masked`: the restores with masked secrets, so that no check is named after a secret host. `problems`: only about values that were unknown until now. */
export function wavePartsOf(
  wave: Pick<GivenWave, "name" | "path" | "goals" | "restores" | "rule">,
  masked: Properties = wave.restores,
  isUnknown: ReadContext["isUnknown"] = () => false,
): { readonly parts: WaveParts; readonly problems: readonly CheckFailure[] } {
  const problems = new Problems();
  const restores = readRestores(wave.restores, wave.path, wave.rule, { isUnknown, problems });
  const parts = problems.all.length > 0 ? [] : restores.map((restore) => partsOf(restore, masked[restore.name]));
  const byName = <Value>(of: (part: RestoreParts) => Value | undefined): Readonly<Record<string, Value>> =>
    omitUndefined<Record<string, Value>>(Object.fromEntries(parts.map((part) => [part.name, of(part)])));
  const shown = { name: wave.name, ...(wave.goals && { goals: wave.goals }), restores: byName((part) => part.shown) };
  return {
    parts: { forms: byName(({ form }) => form), options: byName(({ options }) => options), shown },
    problems: problems.all,
  };
}

type RestoreParts = ReturnType<typeof partsOf>;

function partsOf(restore: ReadRestore, given: unknown) {
  const { name, inputs, takenAt, goals } = restore;
  const masked: Properties = isObject(given) ? given : {};
  const form = formIn(restore, masked["triggers"]);
  const shownAs = shownChecks(asList(masked["checks"]).filter(isObject));
  const checks = restore.checks.map(({ times, probe }, index) => {
    const shown = shownAs[index] as ShownCheck;
    // The probe is undefined only in a preview, which runs no checks.
    return { ...shown, asks: asksOf(shown.name, probe), ...times, probe: probe as Probe };
  });
  // The inputs that change neither what is restored nor what is sent.
  const { adopt, retryFailed, captureLog, timeouts } = inputs as PlannedOptions;
  const inputsShown = { adopt, retryFailed, captureLog, timeouts };
  const options = omitUndefined<PlannedOptions>({
    checks: checks.length === 0 ? undefined : checks.map((one) => omit(one, "kind", "host")),
    ...inputsShown,
  });
  const { point, ...others } = form;
  const shown = omitUndefined<PlanRestore>({
    ...others,
    ...(typeof point === "string" ? { point } : { rule: point }),
    takenAt: takenAt as string | undefined,
    goals,
    checks: checks.map((one) => omit(one, "probe")),
    ...inputsShown,
  });
  return { name, form, options: Object.keys(options).length === 0 ? undefined : options, shown };
}

/** The canonical form in which restores are compared. Leaves out values that mean the same as no value, such as an empty list of triggers. */
function formIn({ inputs, isInherited }: ReadRestore, maskedTriggers: unknown): Form {
  const value = (name: string): unknown => canonicalValue(name, inputs[name]);
  // In a preview, a placeholder word may stand in for a whole list.
  const list = (of: unknown): readonly unknown[] => (of === knownLater ? [of] : asList(of));
  const given = list(value("triggers"));
  // Triggers are only compared, so a digest of secret triggers is enough.
  const isSecret = !deepEqual(given, list(maskedTriggers));
  const triggers = isSecret ? [createHash("sha256").update(JSON.stringify(given)).digest("base64url")] : given;
  return omitUndefined<Form>({
    machine: String(value("virtualMachineId")),
    point: (value("recoveryPointId") as string | undefined) ?? (value("recoveryPoint") as PointRule),
    paths: value("paths") === undefined ? undefined : (list(value("paths")) as readonly string[]),
    triggers: triggers.length === 0 ? undefined : triggers,
    isInherited,
  });
}

/** A digest by which checks are compared, because what they send is secret. Ignores how a check is written; includes the name, to tell equal checks apart. */
function asksOf(name: string, probe: Probe | undefined): string {
  const text = JSON.stringify([name, probe], (key, value: unknown) => {
    if (!isObject(value)) return key === "status" ? [value].flat() : value;
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return entries.length === 0 ? undefined : Object.fromEntries(entries);
  });
  return createHash("sha256").update(text).digest("base64url").slice(0, 8);
}

/** The name of each machine's last restore so far. */
export type RestoredBefore = Readonly<Record<string, string>>;

/** Finds whole-machine restores that would overwrite what an earlier restore in the plan has restored. */
export function chainWave(
  forms: WaveParts["forms"],
  path: string,
  before: RestoredBefore,
): { readonly restored: RestoredBefore; readonly problems: readonly CheckFailure[] } {
  const restored = new Map(Object.entries(before));
  const problems = new Problems();
  for (const [name, { machine, paths }] of Object.entries(forms)) {
    const previous = restored.get(machine);
    if (previous !== undefined && paths === undefined)
      problems.add(
        `${path}.${name}`,
        ` restores the whole machine ${machine} and overwrites what ${previous} restored: in a plan, restore a whole machine only once, and its files only after that`,
      );
    // Two machines that are unknown in a preview are treated as different.
    if (machine !== knownLater) restored.set(machine, name);
  }
  return { restored: Object.fromEntries(restored), problems: problems.all };
}
