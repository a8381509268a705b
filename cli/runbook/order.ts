import { readPredecessor } from "../../provider/inputs/restore-inputs";
import type { Step } from "../../report/model/model";
import type { StoredPlanRun } from "../../report/state/plan-run";
import type { Resource, State } from "../../report/state/read-state";
import { restoresIn } from "../../report/state/restores";
import type { DeclaredRestore } from "../ready/declared";

/**
 * Plans stand in the state's order, and restores without a plan behind them, each behind the restore of its machine before it. Those that a
 * plan's restore waits for stand before the plans.
 */
export function inOrder(
  restores: readonly DeclaredRestore[],
  { predecessorOf }: Pick<StoredFacts, "predecessorOf">,
): readonly DeclaredRestore[] {
  const byUrn = new Map(restores.flatMap((one) => (one.stored.urn === undefined ? [] : [[one.stored.urn, one]])));
  const before = (one: DeclaredRestore): DeclaredRestore | undefined => {
    const urn = predecessorOf(one);
    return urn === undefined ? undefined : byUrn.get(urn);
  };
  const placed = new Set<DeclaredRestore>();
  const alone = (one: DeclaredRestore): boolean => one.stored.run === undefined;
  const place = (one: DeclaredRestore): void => {
    // A circle is possible only in a state that somebody made up.
    const chain = new Set<DeclaredRestore>();
    for (let at: DeclaredRestore | undefined = one; at && alone(at) && !chain.has(at); at = before(at)) chain.add(at);
    for (const each of [...chain].reverse()) placed.add(each);
  };
  for (const one of restores) {
    const first = alone(one) ? undefined : before(one);
    if (first !== undefined) place(first);
  }
  for (const one of restores) if (!alone(one)) placed.add(one);
  const machines = new Map<string | DeclaredRestore, DeclaredRestore[]>();
  for (const one of restores.filter(alone)) {
    const key = one.machine ?? one;
    machines.set(key, [...(machines.get(key) ?? []), one]);
  }
  for (const one of [...machines.values()].flat()) place(one);
  return [...placed];
}

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

/**
 * Finds the restore that another one waits for: by the state's record, or else the one of its machine before it on the page. A wave waits for
 * those of earlier waves as a whole.
 */
export function behindIn(
  groups: readonly Group[],
  { predecessorOf }: Pick<StoredFacts, "predecessorOf">,
): (one: DeclaredRestore) => { readonly restore: DeclaredRestore } | { readonly urn: string } | undefined {
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
    const restore = (urn === undefined ? undefined : byUrn.get(urn)) ?? before.get(one);
    if (restore === undefined) return urn === undefined ? undefined : { urn };
    const isInEarlierWave =
      restore.stored.run !== undefined && restore.stored.run === one.stored.run && restore.wave !== one.wave;
    return isInEarlierWave ? undefined : { restore };
  };
}

export interface StoredFacts {
  /** The URN of the restore of its machine before it. */
  readonly predecessorOf: (one: DeclaredRestore) => string | undefined;
  /** Its last run, also an earlier one. */
  readonly lastRunOf: (one: DeclaredRestore) => Step | undefined;
  readonly intentOf: (one: DeclaredRestore) => Resource | undefined;
}

export function storedFacts(state: State): StoredFacts {
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
  };
}
