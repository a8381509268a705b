import { decidingInputs, meansSame } from "../inputs/restore-table";
import { asList, deepEqual, isObject, omit, omitUndefined, type Properties } from "../plain/plain";
import type {
  DefinedCheck,
  DefinedRestore,
  StoredChangedValue,
  StoredDefinition,
  StoredPlan,
  StoredRevision,
} from "./stored";

/** The plan of a run, and what else a change of the run is told of. */
export interface RunFacts {
  readonly asGiven: unknown;
  /** Undefined in a state of an earlier release: secrets then agree with anything. */
  readonly definition: StoredDefinition | undefined;
  readonly kind: unknown;
  readonly incidentAt: unknown;
  readonly notes: unknown;
}

/** JSON in which the engine finds no colour of its own, and no half of a surrogate pair: what a check sends stays as it was given. */
export function definitionText(definition: unknown): string {
  return JSON.stringify(definition).replaceAll("<{%", "\\u003c{%");
}

/** Reads a run's definition. Earlier releases stored its parts, and the first none. */
export function readDefinition(stored: unknown): StoredDefinition | undefined {
  const whole = typeof stored === "string" ? parsed(stored) : stored;
  return isObject(whole) && Array.isArray(whole["waves"]) ? (whole as unknown as StoredDefinition) : undefined;
}

/** Somebody may have edited the state. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** The restores of a plan by their names, which are unique in it. */
function restoresIn(definition: StoredDefinition | undefined): ReadonlyMap<string, DefinedRestore> {
  const waves = definition?.waves ?? [];
  return new Map(waves.flatMap(({ restores }) => Object.entries(restores)));
}

type Revisions = Readonly<Record<string, StoredRevision>>;

/** The revisions of a plan's restores: `next` where machine, point or rule, paths, own triggers or checks are others than before. */
export function revisionsOf(
  next: string,
  definition: StoredDefinition,
  before: { readonly definition?: StoredDefinition | undefined; readonly revisions?: Revisions } = {},
): Revisions {
  const restoresBefore = restoresIn(before.definition);
  const revisions = [...restoresIn(definition)].map(([name, restore]) => {
    const [old, known] = [restoresBefore.get(name), before.revisions?.[name]];
    if (old && known && isSameRestore(old, restore)) return [name, known] as const;
    const checks = checkIds(restore.checks, { checks: old?.checks ?? [], ids: known?.checks ?? [] }, next);
    return [name, { at: next, checks }] as const;
  });
  return Object.fromEntries(revisions);
}

function isSameRestore(a: DefinedRestore, b: DefinedRestore): boolean {
  return (
    decidingInputs.every((name) => meansSame(name, a[name], b[name])) &&
    a.checks.length === b.checks.length &&
    a.checks.every((check, index) => isSameCheck(check, b.checks[index]))
  );
}

/** A name of a check is for people: another one makes no other check. */
function isSameCheck(a: DefinedCheck, b: DefinedCheck | undefined): boolean {
  return b !== undefined && deepEqual(omit(a, "name"), omit(b, "name"));
}

/** A check keeps its id, wherever it stands among the others. */
function checkIds(
  checks: readonly DefinedCheck[],
  before: { readonly checks: readonly DefinedCheck[]; readonly ids: readonly string[] },
  revision: string,
): readonly string[] {
  const taken = new Set<string>();
  return checks.map((check, index) => {
    const place = before.checks.findIndex(
      (old, place) => isSameCheck(old, check) && !taken.has(before.ids[place] ?? ""),
    );
    const id = before.ids[place] ?? `${revision}.${String(index)}`;
    taken.add(id);
    return id;
  });
}

/** True if a restore's stored inputs are what the run's definition says: otherwise the run was left out. The first trigger is the run's name. */
export function isDefinedAs(inputs: Properties, definition: DefinedRestore): boolean {
  return decidingInputs.every((name) => {
    const [stored, defined] = [inputs[name], definition[name]];
    if (name === "triggers") return meansSame(name, asList(stored).slice(1), defined ?? []);
    // A rule determines the point, which only the restore knows.
    if (name === "recoveryPointId" && definition.recoveryPoint !== undefined) return true;
    return meansSame(name, stored, defined);
  });
}

const maxPaths = 100;

/** The changes of a plan during its run, with waves by their names. Triggers count: a change of them restores again. */
export function changesOf(before: RunFacts, after: RunFacts): readonly StoredChangedValue[] {
  return changesBetween(before, after, "triggers count");
}

/** The paths in which a plan differs from the one that the run before began with. Triggers do not count: new ones belong to a new run. */
export function changedPaths(before: RunFacts, after: RunFacts): readonly string[] {
  const plan = ({ asGiven, definition }: RunFacts): RunFacts => ({ ...noFacts, asGiven, definition });
  return changesBetween(plan(before), plan(after), "without triggers").map(({ path }) => path);
}

const noFacts = { kind: undefined, incidentAt: undefined, notes: undefined };

function changesBetween(
  before: RunFacts,
  after: RunFacts,
  triggers: "triggers count" | "without triggers",
): readonly StoredChangedValue[] {
  const byName = (plan: unknown): Properties =>
    wavesByName(triggers === "triggers count" ? plan : withoutTriggers(plan));
  const facts = ({ kind, incidentAt, notes }: RunFacts): object => ({ kind, incidentAt, notes });
  const shown = differences(
    { ...facts(before), ...byName(before.asGiven) },
    { ...facts(after), ...byName(after.asGiven) },
  );
  if (before.definition === undefined || after.definition === undefined) return shown.slice(0, maxPaths);
  const whole = differences(byName(withTimesOnce(before.definition)), byName(withTimesOnce(after.definition)));
  // A secret has no value that can be shown.
  const hiddenPaths = whole
    .map(({ path }) => shownPath(path))
    .filter((path) => !shown.some((one) => covers(one.path, path)));
  const hidden = [...new Set(hiddenPaths)].map((path) => ({ path }));
  return [...shown, ...hidden].slice(0, maxPaths);
}

/** The times of a check stand beside what is given, with their defaults filled in. */
function withTimesOnce(definition: StoredDefinition): unknown {
  return mapRestores(definition, (restore) => ({
    ...restore,
    checks: asList(restore["checks"]).map((check) => {
      const { given, ...shown } = objectOf(check);
      return { ...shown, given: omit(objectOf(given), "every", "within", "after") };
    }),
  }));
}

/** `….checks[0].given.headers.authorization` is written as the program gives it, without `given`. */
function shownPath(path: string): string {
  return path.replace(/(\.checks\[\d+\])\.given(?=\.|$)/, "$1");
}

/** True if a change that is shown tells of a path too: the one is part of the other, or is the shown form of a check's part. */
function covers(shown: string, path: string): boolean {
  const isPartOf = (part: string, of: string): boolean =>
    part === of || (part.startsWith(of) && [".", "["].includes(part.charAt(of.length)));
  const [, check, part = ""] = /^(.*\.checks\[\d+\])\.(\w+)/.exec(path) ?? [];
  const form = ["http", "tcp", "command"].includes(part)
    ? "target"
    : ["status", "contains"].includes(part)
      ? "expects"
      : "";
  return isPartOf(path, shown) || isPartOf(shown, path) || (check !== undefined && shown === `${check}.${form}`);
}

function wavesByName(plan: unknown): Properties {
  const { waves, ...others } = objectOf(plan);
  const named = asList(waves).map((wave) => [String(objectOf(wave)["name"]), omit(objectOf(wave), "name")] as const);
  return { ...others, order: named.map(([name]) => name), waves: Object.fromEntries(named) };
}

function withoutTriggers(plan: unknown): unknown {
  return mapRestores(objectOf(plan), (restore) => omit(restore, "triggers"));
}

/** Somebody may have edited the state, so the parts of a plan may be anything. */
function mapRestores(
  plan: Properties | StoredDefinition | StoredPlan,
  change: (restore: Properties) => unknown,
): unknown {
  const ofWave = (wave: unknown): unknown => ({
    ...objectOf(wave),
    restores: Object.fromEntries(
      Object.entries(objectOf(objectOf(wave)["restores"])).map(([name, restore]) => [name, change(objectOf(restore))]),
    ),
  });
  return { ...plan, waves: asList(plan.waves).map(ofWave) };
}

function objectOf(value: unknown): Properties {
  return isObject(value) ? value : {};
}

function differences(before: unknown, after: unknown): readonly StoredChangedValue[] {
  const found: StoredChangedValue[] = [];
  compare(canonical(before), canonical(after), "", found);
  return found;
}

function compare(before: unknown, after: unknown, path: string, found: StoredChangedValue[]): void {
  if (found.length >= maxPaths || deepEqual(before, after)) return;
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

const longestValue = 300;

function shortText(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length <= longestValue ? text : `${text.slice(0, longestValue - 1)}…`;
}

/** The same data with sorted properties and without absent ones. To the engine null is absent, too. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (!isBranch(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== undefined && inner !== null)
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      .map(([key, inner]) => [key, canonical(inner)]),
  );
}
