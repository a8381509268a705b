import { createHash } from "node:crypto";
import { isObject, asList, omit, omitUndefined, type Properties } from "../plain/plain";
import { hidden, type StoredChangedValue, type StoredHashes } from "./stored";

/** A plan as given, with the hashes of its hidden parts and their key where these are known. */
export interface PlanWithHashes {
  readonly asGiven: unknown;
  readonly hashes?: StoredHashes | undefined;
  readonly key?: string | undefined;
}

/**
 * Tells one plan from another. Triggers and the order of properties do not count; the order of the waves does. A digest with hashes begins
 * with `v2:` and cannot be compared with one without.
 */
export function digestOf({ asGiven, hashes }: PlanWithHashes): string {
  const text = JSON.stringify(canonical(withoutTriggers(withHashes(asGiven, hashes))));
  const digest = `sha256:${createHash("sha256").update(text).digest("hex")}`;
  return hashes === undefined ? digest : `v2:${digest}`;
}

const maxPaths = 100;

/** The paths of properties in which two plans differ; at most a hundred. Triggers do not count. */
export function changedPaths(before: PlanWithHashes, after: PlanWithHashes): readonly string[] {
  const [old, now] = comparedForms(before, after).map(withoutTriggers);
  return changedValues(old, now).map(({ path }) => path);
}

/** The members of a run, beside its plan, that a change is told of. */
export interface RunFacts extends PlanWithHashes {
  readonly kind: unknown;
  readonly incidentAt: unknown;
  readonly notes: unknown;
}

/**
 * The changes of a plan during its run, with waves by their names. Triggers count: a change of them restores again.
 */
export function changesOf(before: RunFacts, after: RunFacts): readonly StoredChangedValue[] {
  const [old, now] = comparedForms(before, after).map(wavesByName);
  const facts = ({ kind, incidentAt, notes }: RunFacts): object => ({ kind, incidentAt, notes });
  return changedValues({ ...facts(before), ...old }, { ...facts(after), ...now });
}

function wavesByName(plan: unknown): Properties {
  const { waves, ...others } = objectOf(plan);
  const named = asList(waves).map((wave) => [String(objectOf(wave)["name"]), omit(objectOf(wave), "name")] as const);
  return { ...others, order: named.map(([name]) => name), waves: Object.fromEntries(named) };
}

function comparedForms(before: PlanWithHashes, after: PlanWithHashes): readonly [unknown, unknown] {
  return areComparable(before, after)
    ? [withHashes(before.asGiven, before.hashes), withHashes(after.asGiven, after.hashes)]
    : [before.asGiven, after.asGiven];
}

function changedValues(before: unknown, after: unknown): readonly StoredChangedValue[] {
  const found: StoredChangedValue[] = [];
  compare(canonical(before), canonical(after), "", found);
  // A hidden part has no value that can be shown.
  const shown = found.map((one) =>
    one.path.endsWith(".unshown") ? { path: one.path.replace(/\.unshown$/, "") } : one,
  );
  return [...new Map(shown.map((one) => [one.path, one])).values()].slice(0, maxPaths);
}

const longestValue = 300;

function shortText(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  const text = typeof value === "string" ? value : JSON.stringify(withoutHashes(value));
  return text.length <= longestValue ? text : `${text.slice(0, longestValue - 1)}…`;
}

function withoutHashes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutHashes);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => (key === "unshown" ? [] : [[key, withoutHashes(inner)]])),
  );
}

/** True if a plan was changed. Undefined where a hidden part can only be compared by hashes and their key was lost. */
export function isChanged(before: PlanWithHashes, after: PlanWithHashes): boolean | undefined {
  if (changedPaths(before, after).length > 0) return true;
  return areComparable(before, after) || isAllShown(after.asGiven) ? false : undefined;
}

function areComparable(before: PlanWithHashes, after: PlanWithHashes): boolean {
  return (
    before.key !== undefined && before.key === after.key && before.hashes !== undefined && after.hashes !== undefined
  );
}

/** A plan without checks and without secrets. */
function isAllShown(value: unknown): boolean {
  if (value === hidden) return false;
  if (!isBranch(value)) return true;
  return Object.entries(value).every(
    ([key, inner]) => isAllShown(inner) && !(key === "checks" && Array.isArray(inner) && inner.length > 0),
  );
}

/** The plan with each hash beside the part it was made of. */
function withHashes(asGiven: unknown, hashes: StoredHashes | undefined): unknown {
  if (hashes === undefined || !isObject(asGiven)) return asGiven;
  // Somebody may have edited the state, so its parts may be anything.
  return { ...asGiven, waves: asList(asGiven["waves"]).map((wave) => ({ ...objectOf(wave), restores: ofWave(wave) })) };

  function ofWave(wave: unknown): unknown {
    const restores = Object.entries(objectOf(objectOf(wave)["restores"]));
    return Object.fromEntries(restores.map(([name, restore]) => [name, ofRestore(name, objectOf(restore))]));
  }

  function ofRestore(name: string, restore: Readonly<Record<string, unknown>>): unknown {
    const known = hashes?.[name];
    const checks = asList(restore["checks"]).map((check, index) => ({
      ...objectOf(check),
      unshown: known?.checks[index],
    }));
    return { ...restore, unshown: known?.restores, checks };
  }
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

function compare(before: unknown, after: unknown, path: string, found: StoredChangedValue[]): void {
  if (found.length >= maxPaths || JSON.stringify(before) === JSON.stringify(after)) return;
  if (isBranch(before) && isBranch(after) && Array.isArray(before) === Array.isArray(after)) {
    const [old, now] = [before, after].map((branch) => new Map(Object.entries(branch))) as [
      Map<string, unknown>,
      Map<string, unknown>,
    ];
    for (const key of new Set([...old.keys(), ...now.keys()])) {
      const own = Array.isArray(after) ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`;
      compare(old.get(key), now.get(key), own, found);
    }
    return;
  }
  found.push(omitUndefined<StoredChangedValue>({ path, before: shortText(before), after: shortText(after) }));
}

function isBranch(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function withoutTriggers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTriggers);
  if (!isBranch(value)) return value;
  // A restore may be named `virtualMachineId` too, but then the value is no text.
  const isRestore = typeof (value as { readonly virtualMachineId?: unknown }).virtualMachineId === "string";
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) =>
      isRestore && key === "triggers" ? [] : [[key, withoutTriggers(inner)]],
    ),
  );
}

/** The same data with sorted properties and without absent ones. To the engine null is absent, too. */
export function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (!isBranch(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== undefined && inner !== null)
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      .map(([key, inner]) => [key, canonical(inner)]),
  );
}
