import { asList } from "../../provider/plain/plain";
import type { Format } from "../../provider/panel/types";
import { readPredecessor } from "../../provider/inputs/restore-inputs";
import type { Step } from "../../report/model/model";
import type { StoredPlanRun } from "../../report/state/plan-run";
import { kindOf, type Resource, type State } from "../../report/state/read-state";
import { restoresIn } from "../../report/state/restores";
import { definedOnly, fieldsOf, nameOf } from "../../report/state/values";
import type { DeclaredRestore } from "../ready/declared";

/**
 * Plans stand by name, their waves in the plan's order, and restores without a plan behind them, by name, those of a machine together. What another
 * one waits for stands before it. The state has no order of its own to keep: the engine stores resources as they end, and what belongs to a wave by
 * name.
 */
export function inOrder(
  restores: readonly DeclaredRestore[],
  { predecessorOf, waitsOf }: Pick<StoredFacts, "predecessorOf" | "waitsOf">,
): readonly DeclaredRestore[] {
  const byUrn = new Map(restores.flatMap((one) => (one.stored.urn === undefined ? [] : [[one.stored.urn, one]])));
  const unitOf = (one: DeclaredRestore): Unit => one.stored.run ?? one;
  const units = grouped(restores, unitOf);
  const membersOf = (unit: Unit): readonly DeclaredRestore[] => units.get(unit) ?? [];
  const before = (unit: Unit): readonly Unit[] =>
    membersOf(unit).flatMap((one) => {
      const machineBefore = byUrn.get(predecessorOf(one) ?? "");
      return [...(machineBefore === undefined ? [] : [unitOf(machineBefore)]), ...waitsOf(one).units];
    });
  const begun = new Set<Unit>();
  const placed: DeclaredRestore[] = [];
  const place = (unit: Unit): void => {
    // A circle is possible only in a state that somebody made up.
    if (begun.has(unit)) return;
    begun.add(unit);
    for (const one of before(unit)) place(one);
    placed.push(...inWaves(membersOf(unit), (one) => byUrn.get(predecessorOf(one) ?? "")));
  };
  const runs = [...units.keys()].filter((unit) => "urn" in unit);
  for (const run of runs.sort((a, b) => inText(a.plan, b.plan) || inText(a.urn, b.urn))) place(run);
  const alone = restores.filter(({ stored }) => stored.run === undefined);
  const machines = grouped(alone, (one) => one.machine ?? one);
  const nameIn = (group: readonly DeclaredRestore[]): string =>
    group.map(({ name }) => name).reduce((least, name) => (name < least ? name : least));
  const groups = [...machines.values()].sort((a, b) => inText(nameIn(a), nameIn(b)));
  for (const one of groups.flat()) place(one);
  return placed;
}

/**
 * In each wave machines stand first, by name, then files: a machine that is restored behind its files overwrites them. What is known to be behind
 * another one stands behind it.
 */
function inWaves(
  members: readonly DeclaredRestore[],
  machineBefore: (one: DeclaredRestore) => DeclaredRestore | undefined,
): readonly DeclaredRestore[] {
  const placed = new Set<DeclaredRestore>();
  const begun = new Set<DeclaredRestore>();
  for (const wave of grouped(members, (one) => one.wave).values()) {
    const own = new Set(wave);
    const place = (one: DeclaredRestore): void => {
      if (begun.has(one)) return;
      begun.add(one);
      const before = machineBefore(one);
      if (before !== undefined && own.has(before)) place(before);
      placed.add(one);
    };
    const ofKind = (kind: Step["kind"]): readonly DeclaredRestore[] =>
      wave.filter((one) => one.kind === kind).sort(byName);
    for (const one of [...ofKind("VmRestore"), ...ofKind("FileRestore")]) place(one);
  }
  return [...placed];
}

function byName({ name: a }: DeclaredRestore, { name: b }: DeclaredRestore): number {
  return inText(a, b);
}

function inText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function grouped<Of, Key>(all: readonly Of[], keyOf: (one: Of) => Key): ReadonlyMap<Key, Of[]> {
  const groups = new Map<Key, Of[]>();
  for (const one of all) {
    const group = groups.get(keyOf(one));
    if (group === undefined) groups.set(keyOf(one), [one]);
    else group.push(one);
  }
  return groups;
}

/** A plan is placed as a whole. */
type Unit = StoredPlanRun | DeclaredRestore;

/** A wave, or restores without a plan, in a row. */
export interface Group {
  readonly run?: StoredPlanRun;
  readonly wave?: string;
  readonly waveBefore?: string;
  readonly members: DeclaredRestore[];
}

export function groupsOf(restores: readonly DeclaredRestore[]): readonly Group[] {
  const groups: Group[] = [];
  for (const one of restores) {
    const last = groups.at(-1);
    const { run } = one.stored;
    if (last !== undefined && last.run === run && last.wave === one.wave) {
      last.members.push(one);
      continue;
    }
    const waveBefore = run !== undefined && last?.run === run ? last.wave : undefined;
    groups.push({
      ...(run !== undefined && { run }),
      ...(one.wave !== undefined && { wave: one.wave }),
      ...(waveBefore !== undefined && { waveBefore }),
      members: [one],
    });
  }
  return groups;
}

/** The restore of the same machine before another one. */
export type Behind =
  /** `not known`: it stands before it on the page, and no run has recorded which of them comes first. */
  | { readonly restore: DeclaredRestore; readonly is: "recorded" | "not known" }
  /** It is not on the page. */
  | { readonly urn: string; readonly is: "recorded" };

/** Finds the restore of the same machine before another one. A wave waits for those of earlier waves as a whole. */
export function behindIn(
  groups: readonly Group[],
  { predecessorOf }: Pick<StoredFacts, "predecessorOf">,
): (one: DeclaredRestore) => Behind | undefined {
  const all = groups.flatMap(({ members }) => members);
  const byUrn = new Map(all.flatMap((one) => (one.stored.urn === undefined ? [] : [[one.stored.urn, one]])));
  const lastOfMachine = new Map<string, DeclaredRestore>();
  const before = new Map<DeclaredRestore, DeclaredRestore>();
  for (const one of all) {
    if (one.machine === undefined) continue;
    const last = lastOfMachine.get(one.machine);
    if (last !== undefined) before.set(one, last);
    lastOfMachine.set(one.machine, one);
  }
  return (one) => {
    const urn = predecessorOf(one);
    const recorded = urn === undefined ? undefined : byUrn.get(urn);
    const restore = recorded ?? before.get(one);
    if (restore === undefined) return urn === undefined ? undefined : { urn, is: "recorded" };
    const isInEarlierWave =
      restore.stored.run !== undefined && restore.stored.run === one.stored.run && restore.wave !== one.wave;
    return isInEarlierWave ? undefined : { restore, is: recorded === undefined ? "not known" : "recorded" };
  };
}

export interface StoredFacts {
  /** The URN of the restore of its machine before it. */
  readonly predecessorOf: (one: DeclaredRestore) => string | undefined;
  /** Its last run, also an earlier one. */
  readonly lastRunOf: (one: DeclaredRestore) => Step | undefined;
  readonly intentOf: (one: DeclaredRestore) => Resource | undefined;
  readonly waitsOf: (one: DeclaredRestore) => Waits;
  readonly dialectOf: (one: DeclaredRestore) => Dialect;
}

/** What a restore comes after besides the waves of its own plan: by `dependsOn`, its own or its plan's, or by an input. */
export interface Waits {
  readonly restores: readonly DeclaredRestore[];
  /** Other plans, or waves of them. */
  readonly plans: readonly { readonly plan: string; readonly wave?: string }[];
  /** Resources of the program that are no restores. */
  readonly others: readonly string[];
  /** All that stands before it, also behind resources that are no restores. */
  readonly units: readonly Unit[];
}

/** The settings that decide how a request is written. */
export interface Dialect {
  readonly format: Format;
  readonly apiVersion?: string;
}

export function storedFacts(exported: unknown, state: State, all: readonly DeclaredRestore[]): StoredFacts {
  const resources = new Map(state.resources.map((one) => [one.urn, one]));
  const restores = new Map(restoresIn(state.resources, "without logs").map(({ urn, step }) => [urn, step]));
  const find = <T>(all: ReadonlyMap<string, T>, urn: string | undefined): T | undefined =>
    urn === undefined ? undefined : all.get(urn);
  return {
    predecessorOf: ({ stored: { urn, intentUrn } }) =>
      [urn, intentUrn]
        .map((one) => readPredecessor(find(resources, one)?.inputs["predecessor"])?.urn)
        .find((one) => one !== undefined),
    lastRunOf: ({ stored: { step, urn }, machine }) => {
      const found = step ?? find(restores, urn);
      return machine === undefined || found?.virtualMachineId === machine ? found : undefined;
    },
    intentOf: ({ stored: { intentUrn }, machine }) => {
      const found = find(resources, intentUrn);
      return machine === undefined || found?.outputs["virtualMachineId"] === machine ? found : undefined;
    },
    waitsOf: waitsIn(dependenciesIn(exported), resources, all),
    dialectOf: ({ stored: { urn, intentUrn, run } }) => {
      const reference = find(resources, urn ?? intentUrn ?? run?.urn)?.provider ?? "";
      // <URN>::<id>
      return dialectOf(find(resources, reference.split("::").slice(0, -1).join("::")));
    },
  };
}

/** An explicit provider stores its settings, and so does the plugin's own; a program's default provider stores none. */
function dialectOf(found: Resource | undefined): Dialect {
  const setting = (key: string): string | undefined => nameOf(found?.outputs[`recovery:${key}`] ?? found?.outputs[key]);
  return definedOnly({
    format: setting("format") === "xml" ? ("xml" as const) : ("json" as const),
    apiVersion: setting("apiVersion"),
  });
}

/** The dependencies of each resource, by its URN. */
function dependenciesIn(exported: unknown): ReadonlyMap<string, readonly string[]> {
  const { deployment = exported, checkpoint } = fieldsOf(exported);
  const { resources } = fieldsOf(checkpoint === undefined ? deployment : fieldsOf(checkpoint)["latest"]);
  return new Map(
    asList(resources).flatMap((entry) => {
      const { urn, dependencies, delete: isOld } = fieldsOf(entry);
      if (typeof urn !== "string" || isOld === true) return [];
      return [[urn, asList(dependencies).filter((one) => typeof one === "string")] as const];
    }),
  );
}

function waitsIn(
  dependencies: ReadonlyMap<string, readonly string[]>,
  resources: ReadonlyMap<string, Resource>,
  all: readonly DeclaredRestore[],
): StoredFacts["waitsOf"] {
  const byUrn = new Map(
    all.flatMap((one) =>
      [one.stored.urn, one.stored.intentUrn].flatMap((urn) => (urn === undefined ? [] : [[urn, one]])),
    ),
  );
  const runs = new Map(all.flatMap(({ stored: { run } }) => (run === undefined ? [] : [[run.parent, run]])));
  const runOf = (urn: string): StoredPlanRun | undefined => {
    const resource = resources.get(urn);
    return resource === undefined || kindOf(resource.type) === undefined ? undefined : runs.get(resource.parent);
  };
  const unitsBehind = (urns: readonly string[], own: Unit): readonly Unit[] => {
    const [seen, units] = [new Set<string>(), new Set<Unit>()];
    const walk = (urn: string): void => {
      if (seen.has(urn)) return;
      seen.add(urn);
      const unit = runOf(urn) ?? byUrn.get(urn);
      if (unit === undefined) for (const next of dependencies.get(urn) ?? []) walk(next);
      else if (unit !== own) units.add(unit);
    };
    for (const urn of urns) walk(urn);
    return [...units];
  };
  return (one) => {
    const { run, urn, intentUrn } = one.stored;
    const urns = [run?.urn, urn, intentUrn].flatMap((own) => (own === undefined ? [] : (dependencies.get(own) ?? [])));
    const others = [...new Set(urns)].filter((other) => runOf(other) === undefined || runOf(other) !== run);
    const plans = [...new Set(others.map(runOf))].flatMap((of) =>
      of === undefined
        ? []
        : partsOfPlan(
            of,
            others.flatMap((other) => (runOf(other) === of ? (resources.get(other) ?? []) : [])),
          ),
    );
    const restores = others.flatMap((other) => {
      const restore = byUrn.get(other);
      const isPart = plans.some(({ plan, wave }) => plan === restore?.plan && (wave ?? restore.wave) === restore.wave);
      return restore === undefined || restore === one || isPart ? [] : [restore];
    });
    return {
      restores: [...new Set(restores)],
      plans,
      others: others.flatMap((other) => {
        const resource = resources.get(other);
        const isOther = resource !== undefined && kindOf(resource.type) === undefined;
        return isOther && !resource.type.startsWith("pulumi:providers:") ? [resource.name] : [];
      }),
      units: unitsBehind(urns, run ?? one),
    };
  };
}

/** A plan as a whole where its verdict is waited for, as everything behind the plan does; else its waves. */
function partsOfPlan({ plan }: StoredPlanRun, found: readonly Resource[]): Waits["plans"] {
  if (found.some(({ type }) => kindOf(type) === "planVerdict")) return [{ plan }];
  const waves = found.flatMap(({ type, outputs }) =>
    kindOf(type) === "planWave" ? (nameOf(outputs["name"]) ?? []) : [],
  );
  return [...new Set(waves)].map((wave) => ({ plan, wave }));
}
