import { capitalized } from "../../provider/plain/text";
import { formatDuration } from "../../provider/inputs/duration";
import { afterIncidentText } from "../../drills/judge/goals";
import { provenAt, type RestoreState, unfinishedIn } from "../../drills/judge/history";
import { isOfPoint } from "../../drills/judge/restores";
import type { Goals, Unfinished } from "../../drills/judge/stored";
import type { StatePlan } from "../../drills/judge/state";
import { ruleText } from "../../provider/inputs/read-point-rule";
import { isOwnResource, nameInUrn } from "../../provider/inputs/resource-names";
import type { RestoreKind } from "../../provider/inputs/restore-table";
import { endpointProblem, parseEndpoint } from "../../provider/panel/endpoint";
import type { Format } from "../../provider/panel/types";
import { measuredSeconds } from "../../provider/plain/clock";
import { omitUndefined } from "../../provider/plain/plain";
import { readText } from "../../provider/plain/stored-fields";
import { readableTime } from "../../report/model/format";
import { noRestore, restoresOfPlan, type StackRestore, type StackState } from "../parts/stack-state";

/** Everything on the page, in the order in which restores run. An unknown value is absent. */
export interface Runbook {
  readonly from: StackState["from"];
  readonly project?: string;
  readonly stack?: string;
  readonly writtenAt?: string;
  readonly isUnderWay: boolean;
  readonly panels: readonly RunbookPanel[];
  readonly groups: readonly Group[];
  readonly unreadable: readonly string[];
  /** Transactions that an earlier run of a plan sent, and whose outcome is not stored. */
  readonly leftOpen: readonly Unfinished[];
}

/** A panel, and the form of requests to it. */
export interface RunbookPanel {
  readonly address?: string;
  readonly format: Format;
  readonly apiVersion?: string;
}

/** A wave, or the restores without a plan. */
export interface Group {
  readonly plan?: string;
  readonly wave?: string;
  readonly facts: readonly (readonly [string, string])[];
  /** What the group depends on: the previous wave, and other resources in the program. */
  readonly after: readonly string[];
  readonly steps: readonly RunbookStep[];
}

export interface RunbookStep {
  readonly number: number;
  readonly name: string;
  readonly kind: RestoreKind;
  readonly machine: string;
  /** A recovery point's id. */
  readonly point?: string;
  readonly rule?: string;
  /** The point that the rule chose last. */
  readonly chosen?: string;
  readonly paths: readonly string[];
  readonly after: readonly string[];
  readonly goals: Goals;
  /** Only the names of the checks. What they send is in the program. */
  readonly checks: readonly string[];
  readonly state: RestoreState;
  readonly transactions: readonly string[];
  readonly seconds?: number;
  readonly provenAt?: string;
  /** The index of the step's panel in `panels`. */
  readonly panel: number;
}

export function runbookOf(stack: StackState, plan: string | undefined): Runbook {
  const { from, project, stack: name, writtenAt, isUnderWay, unreadable } = stack;
  const restores = restoresOfPlan(stack, plan);
  if (restores.length === 0 && unreadable.length === 0) throw noRestore(stack, "runbook");
  const panels: RunbookPanel[] = [];
  const panelFor = panelFinder(stack);
  const panelOf = (restore: StackRestore): number => {
    const panel = panelFor(restore);
    const known = panels.findIndex((one) => JSON.stringify(one) === JSON.stringify(panel));
    return known === -1 ? panels.push(panel) - 1 : known;
  };
  const numbers = new Map(inOrder(restores, stack).map((one, index) => [one, index + 1]));
  const byUrn = new Map([...numbers].flatMap(([one, number]) => (one.plan === undefined ? [[one.urn, number]] : [])));
  const lastOf = new Map<string, number>();
  const steps = [...numbers].map(([one, number]) => {
    const previous = lastOf.get(one.machine);
    lastOf.set(one.machine, number);
    const ofMachine = previous === undefined ? [] : [`step ${String(previous)}, on the same machine`];
    const others = one.plan === undefined ? dependenciesOf(one.resource?.urn, stack, byUrn) : [];
    const after = [...new Set([...ofMachine, ...others])];
    return { of: one, step: stepOf(one, { number, after, panel: panelOf(one) }) };
  });
  const groups: { of: StackRestore; steps: RunbookStep[] }[] = [];
  for (const { of, step } of steps) {
    const last = groups.at(-1);
    if (last !== undefined && isOfOneGroup(last.of, of)) last.steps.push(step);
    else groups.push({ of, steps: [step] });
  }
  return omitUndefined<Runbook>({
    ...{ from, project, stack: name, writtenAt, isUnderWay, panels, unreadable },
    groups: groups.map((group) => groupOf(group, stack)),
    leftOpen: stack.plans.filter((one) => plan === undefined || one.name === plan).flatMap(leftOpenIn),
  });
}

function leftOpenIn({ run: { run }, waves }: StatePlan): readonly Unfinished[] {
  return waves.flatMap(({ intentRun, waveRun, entries, restores, earlierSends = [] }) => {
    // A run that was killed has requested these restores, and may have sent them without leaving a record.
    const isKilled = ![run, waveRun].includes(intentRun);
    return [
      ...earlierSends.flatMap(({ unfinished }) => unfinished),
      ...(waveRun === run ? [] : unfinishedIn(restores)),
      ...(isKilled ? Object.entries(entries).map(([name, { machine }]) => ({ name, machine, ids: [] })) : []),
    ];
  });
}

/**
 * Sorts restores in the order of the state, which is a valid order because the engine stores a resource after all its dependencies. A wave that is not
 * stored yet follows the previous wave.
 */
function inOrder(restores: readonly StackRestore[], { resources, plans }: StackState): readonly StackRestore[] {
  const places = new Map([...resources.keys()].map((urn, index) => [urn, index]));
  const waves = new Map<string, number>();
  for (const plan of plans) {
    let last = places.get(plan.urn) ?? 0;
    for (const { urn, intentUrn } of plan.waves) {
      last = Math.max(last, places.get(urn) ?? places.get(intentUrn) ?? last);
      waves.set(urn, last);
    }
  }
  const placeOf = ({ urn, resource }: StackRestore): number =>
    waves.get(urn) ?? places.get(urn) ?? places.get(resource?.urn ?? "") ?? Infinity;
  // Sorting is stable, so the restores in a wave keep the program's order.
  return [...restores].sort((a, b) => placeOf(a) - placeOf(b));
}

/** The restores in a wave form a group, and so do all restores without a plan. A planned restore has the URN of its wave. */
function isOfOneGroup(one: StackRestore, other: StackRestore): boolean {
  return one.plan === undefined ? other.plan === undefined : one.urn === other.urn;
}

/** Finds the plan by the wave's URN, because two plans with different parents may have the same name. */
function planOf({ urn }: StackRestore, { plans }: StackState): StatePlan | undefined {
  return plans.find(({ waves }) => waves.some((wave) => wave.urn === urn));
}

function groupOf(
  { of, steps }: { readonly of: StackRestore; readonly steps: readonly RunbookStep[] },
  stack: StackState,
): Group {
  const plan = planOf(of, stack);
  if (plan === undefined) return { facts: [], after: [], steps };
  const index = plan.waves.findIndex(({ name }) => name === of.wave);
  const before = plan.waves[index - 1];
  const { kind, notes = {}, incidentAt, wholeGoals = {}, onFailure } = plan.plan ?? {};
  const ends = onFailure === "continue" ? "has ended, successfully or not" : "is complete and checked";
  const facts: readonly (readonly [string, string])[] = [
    [stack.from === "preview" ? "Run" : "Last run", [plan.run.run, kind ?? []].flat().join(", ")],
    ...Object.entries(notes).map(([name, note]) => [capitalized(name), note] as const),
    [stack.from === "preview" ? "Incident" : "Incident of that run", readableTime(incidentAt) ?? ""],
    ["Goal of the whole plan", goalsText(wholeGoals)],
  ];
  return omitUndefined<Group>({
    plan: plan.name,
    wave: of.wave,
    facts: before === undefined ? facts.filter(([, value]) => value !== "") : [],
    after: [
      ...(before === undefined ? [] : [`wave ${before.name} ${ends}`]),
      ...dependenciesOf(plan.waves[index]?.intentUrn, stack, new Map()),
    ],
    steps,
  });
}

/** What the resource depends on in the program: other restores by step number, and other resources by name and type. */
function dependenciesOf(
  urn: string | undefined,
  { resources }: StackState,
  steps: ReadonlyMap<string, number>,
): readonly string[] {
  return (resources.get(urn ?? "")?.dependencies ?? []).flatMap((other) => {
    const step = steps.get(other);
    if (step !== undefined) return [`step ${String(step)}`];
    const type = resources.get(other)?.type;
    if (type === undefined || isOwnResource(type) || /^pulumi:(providers|pulumi)/.test(type)) return [];
    return [`${nameInUrn(other)} (${type}), as defined in the program`];
  });
}

function stepOf(restore: StackRestore, place: Pick<RunbookStep, "number" | "after" | "panel">): RunbookStep {
  const { name, kind, machine, rule, incidentAt, planned, entry, state, happened, goals, proof } = restore;
  const { ended, sent } = happened.counts ?? {};
  const point = planned?.point ?? (typeof entry?.point === "string" ? entry.point : undefined);
  // A transaction that `adopt` names may have used a different point from the one that the rule chose.
  const isUsed = sent === undefined || entry === undefined || isOfPoint(sent, entry);
  // A point that was chosen before the incident was known may have been taken after it.
  const isLate = afterIncidentText(entry?.chosen?.takenAt, incidentAt) !== undefined;
  const chosen = isUsed && !isLate ? (entry?.chosen?.id ?? (rule === undefined ? undefined : point)) : undefined;
  return omitUndefined<RunbookStep>({
    ...place,
    name,
    kind,
    machine,
    point: rule === undefined && point !== "" ? point : undefined,
    rule: rule && ruleText(rule),
    chosen: rule && chosen,
    paths: planned?.paths ?? entry?.paths ?? [],
    goals,
    checks: (planned?.checks ?? []).map((check) => check.name),
    state,
    transactions: happened.counts?.ids ?? [],
    seconds: measuredSeconds(ended),
    provenAt: state === "complete" ? provenAt(happened.counts) : proof?.at,
  });
}

/**
 * Finds the panel for a restore: the panel named in its intent, the only panel named for its provider's other restores, or the panel in the provider's
 * stored settings. A TypeScript program's default provider stores no settings.
 */
function panelFinder(stack: StackState): (restore: StackRestore) => RunbookPanel {
  const addresses = new Map<string, Set<string>>();
  for (const one of stack.restores) {
    const known = addresses.get(providerOf(one, stack)) ?? new Set();
    if (one.panel !== undefined) addresses.set(providerOf(one, stack), known.add(one.panel));
  }
  return (restore) => {
    const provider = providerOf(restore, stack);
    const [only, ...others] = addresses.get(provider) ?? [];
    const settings = stack.resources.get(provider)?.outputs ?? {};
    const setting = (key: string): string | undefined =>
      readText(settings[`recovery:${key}`]) ?? readText(settings[key]);
    return omitUndefined<RunbookPanel>({
      address: addressOf(restore.panel ?? (others.length === 0 ? only : undefined) ?? setting("endpoint")),
      format: setting("format") === "xml" ? "xml" : "json",
      apiVersion: setting("apiVersion"),
    });
  };
}

/** The URN of the restore's provider. A planned restore that is not stored yet has the plan's provider. */
function providerOf(restore: StackRestore, stack: StackState): string {
  const { provider = "" } = restore.resource ?? stack.resources.get(planOf(restore, stack)?.urn ?? "") ?? {};
  // <URN>::<id>
  return provider.split("::").slice(0, -1).join("::");
}

/** A forged state must not decide what a shell runs. */
function addressOf(panel: string | undefined): string | undefined {
  return panel === undefined || endpointProblem(panel) !== undefined ? undefined : parseEndpoint(panel).address;
}

export function goalsText({ recoveryTimeSeconds, dataAgeSeconds }: Goals): string {
  return [
    ...(recoveryTimeSeconds === undefined ? [] : [`recovery time ${formatDuration(recoveryTimeSeconds)}`]),
    ...(dataAgeSeconds === undefined ? [] : [`data age ${formatDuration(dataAgeSeconds)}`]),
  ].join(", ");
}
