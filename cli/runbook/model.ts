import { readPredecessor } from "../../provider/inputs/restore-inputs";
import { ruleText } from "../../provider/inputs/read-point-rule";
import { nameInUrn } from "../../provider/inputs/resource-names";
import { parseEndpoint } from "../../provider/panel/endpoint";
import { isValidId, type MachineId, type RecoveryPointId } from "../../provider/panel/types";
import { isObject } from "../../provider/plain/plain";
import { recoveredSeconds } from "../../provider/plan/verdict";
import type { Check, Notes, Step } from "../../report/model/model";
import { planRunsIn, type StepGoals, type StoredPlanRun } from "../../report/state/plan-run";
import { readState, type Resource, type State } from "../../report/state/read-state";
import { restoresIn } from "../../report/state/restores";
import { definedOnly, fieldsOf, idOf, isSecret, nameOf, textsOf, utcOf } from "../../report/state/values";
import { CommandError } from "../parts/command";
import { readDeclaration, type DeclaredRestore } from "../ready/declared";

/** Everything that the page says about a stack's restores, in the order in which they would run. An unknown value is absent. */
export interface Runbook {
  readonly project?: string;
  readonly stack?: string;
  readonly stateWrittenAt?: string;
  readonly plans: readonly PlanFacts[];
  readonly groups: readonly StepGroup[];
  /** The addresses of the panels. */
  readonly panels: readonly string[];
  readonly unreadable: readonly string[];
}

export interface PlanFacts {
  readonly name: string;
  readonly run: string;
  readonly kind: StoredPlanRun["kind"];
  readonly notes: Notes;
  readonly incidentAt?: string;
  readonly wholeGoalSeconds?: number;
}

/** A wave, or restores without a plan. */
export interface StepGroup {
  readonly plan?: PlanFacts;
  readonly wave?: string;
  /** The wave before it. */
  readonly waveBefore?: string;
  readonly steps: readonly RunbookStep[];
}

export interface RunbookStep {
  readonly number: number;
  readonly name: string;
  readonly kind: Step["kind"];
  readonly machine?: MachineId;
  readonly point: PointSource;
  /** The paths of a restore of files, as they are sent. */
  readonly paths?: readonly string[];
  /** The restore of the same machine before it: a step, or the name of a restore that is none. */
  readonly behind?: { readonly step: number } | { readonly name: string };
  readonly lastPoint?: { readonly id: RecoveryPointId; readonly takenAt?: string };
  readonly last?: LastTime;
  readonly checks: readonly Check[];
  readonly goals: StepGoals;
  readonly panel?: string;
}

export type PointSource =
  | { readonly by: "id"; readonly id: RecoveryPointId }
  | { readonly by: "rule"; readonly rule: string; readonly beforeIncident: boolean }
  | { readonly by: "not known" };

export interface LastTime {
  readonly result: Step["result"];
  readonly status: string;
  readonly requestedAt?: string;
  /** From the request to the end; with the checks where they were measured. */
  readonly seconds?: number;
}

/** Reads the output of `pulumi stack export`. Throws a `ReportError` if it is no state. */
export function runbookOf(exported: unknown, { plan }: { readonly plan?: string } = {}): Runbook {
  const known = withoutPlaintext(exported);
  const state = readState(known);
  const { restores, unreadable } = readDeclaration(known, definedOnly({ plan }));
  if (restores.length === 0 && unreadable.length === 0) throw new CommandError(nothingIn(state, plan));
  const groups = groupsOf(inOrder(restores, state));
  const numbers = new Map(groups.flatMap(({ members }) => members).map((one, index) => [one, index + 1]));
  const byUrn = new Map(restores.flatMap((one) => (one.stored.urn === undefined ? [] : [[one.stored.urn, one]])));
  const facts = stateFacts(state);
  const plans = new Map<StoredPlanRun, PlanFacts>();
  const planOf = (run: StoredPlanRun): PlanFacts => {
    const made = plans.get(run) ?? planFacts(run);
    plans.set(run, made);
    return made;
  };
  const stepGroups = groups.map(({ run, wave, waveBefore, members }): StepGroup => {
    const earlier = new Map<string, DeclaredRestore>();
    const steps = members.map((one) => {
      const sameWave = one.machine === undefined ? undefined : earlier.get(one.machine);
      if (one.machine !== undefined) earlier.set(one.machine, one);
      const urn = facts.predecessorOf(one);
      const before = (urn === undefined ? undefined : byUrn.get(urn)) ?? (run === undefined ? undefined : sameWave);
      const number = before === undefined ? undefined : numbers.get(before);
      return definedOnly({
        ...stepFrom(one, facts),
        number: numbers.get(one) ?? 0,
        behind:
          number !== undefined
            ? { step: number }
            : urn === undefined
              ? undefined
              : { name: nameOf(nameInUrn(urn)) ?? "unnamed" },
      });
    });
    return definedOnly({ plan: run && planOf(run), wave, waveBefore, steps });
  });
  return definedOnly({
    project: state.project,
    stack: state.stack,
    stateWrittenAt: state.writtenAt,
    plans: [...plans.values()],
    groups: stepGroups,
    panels: [...new Set(stepGroups.flatMap(({ steps }) => steps.flatMap(({ panel }) => panel ?? [])))].sort(),
    unreadable,
  });
}

function nothingIn(state: State, plan: string | undefined): string {
  if (plan === undefined) return "the state holds no restore: `pulumi up` stores them";
  const plans = planRunsIn(state).map((run) => run.plan);
  return plans.includes(plan)
    ? `plan ${plan} holds no restore`
    : `the state holds no plan ${plan}; it holds ${plans.join(", ") || "none"}`;
}

/** Secrets that `--show-secrets` has decrypted are as unknown as encrypted ones: a page on paper has many readers. */
function withoutPlaintext(value: unknown): unknown {
  if (isSecret(value)) return Object.fromEntries(Object.entries(value).filter(([key]) => key !== "plaintext"));
  if (Array.isArray(value)) return value.map(withoutPlaintext);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutPlaintext(item)]));
}

interface StateFacts {
  predecessorOf(one: DeclaredRestore): string | undefined;
  /** Its last run, also an earlier one. */
  lastRunOf(one: DeclaredRestore): Step | undefined;
  intentOf(one: DeclaredRestore): Resource | undefined;
}

function stateFacts(state: State): StateFacts {
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
    intentOf: ({ stored: { intentUrn } }) => find(resources, intentUrn),
  };
}

function planFacts({ plan, run, kind, notes, incidentAt, wholeGoalSeconds }: StoredPlanRun): PlanFacts {
  return definedOnly({ name: plan, run, kind, notes: notes ?? {}, incidentAt, wholeGoalSeconds });
}

/**
 * Plans stand in the state's order, and restores without a plan behind them, each behind the restore of its machine before it. Those that a
 * plan's restore waits for stand before the plans.
 */
function inOrder(restores: readonly DeclaredRestore[], state: State): readonly DeclaredRestore[] {
  const { predecessorOf } = stateFacts(state);
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

interface Group {
  readonly run?: StoredPlanRun;
  readonly wave?: string;
  readonly waveBefore?: string;
  readonly members: DeclaredRestore[];
}

function groupsOf(restores: readonly DeclaredRestore[]): readonly Group[] {
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

function stepFrom(one: DeclaredRestore, facts: StateFacts): Omit<RunbookStep, "number" | "behind"> {
  const { name, kind, stored, machine } = one;
  const last = facts.lastRunOf(one);
  return definedOnly({
    name,
    kind,
    machine: machine as MachineId | undefined,
    point: pointSource(one),
    paths: kind === "FileRestore" ? exactPaths(stored.paths) : undefined,
    lastPoint: lastPointOf(last, facts.intentOf(one)),
    last: last && lastTime(last),
    checks: stored.planned?.checks ?? [],
    goals: definedOnly({ dataAgeSeconds: one.goalSeconds, ...stored.planned?.goals }),
    panel: panelAddress(one.panel),
  });
}

function pointSource({ from, stored: { planned } }: DeclaredRestore): PointSource {
  switch (from.kind) {
    case "point":
      return { by: "id", id: from.id as RecoveryPointId };
    case "rule":
      return {
        by: "rule",
        rule: ruleText(from.rule),
        beforeIncident: planned?.usesIncidentAt === true,
      };
    case "not known":
      return { by: "not known" };
  }
}

function lastPointOf(last: Step | undefined, intent: Resource | undefined): RunbookStep["lastPoint"] {
  const choice = fieldsOf(intent?.outputs["choice"]);
  const points = [
    { id: last?.recoveryPointId, takenAt: last?.recoveryPointTakenAt },
    { id: idOf(intent?.outputs["recoveryPointId"]), takenAt: utcOf(choice["recoveryPointTakenAt"]) },
  ];
  const found = points.find(({ id }) => id !== undefined && id !== "not stored" && id !== "secret" && isValidId(id));
  return found && definedOnly({ id: found.id as RecoveryPointId, takenAt: found.takenAt });
}

function lastTime(step: Step): LastTime {
  const { result, status, requestedAt, durationSeconds } = step;
  return definedOnly({
    result,
    status,
    requestedAt,
    seconds: result === "complete" ? (recoveredSeconds(step) ?? durationSeconds) : undefined,
  });
}

/** The paths as they are sent: a shortened or masked one restores something else. */
function exactPaths(stored: unknown): readonly string[] | undefined {
  if (!Array.isArray(stored) || stored.length === 0) return undefined;
  const paths: readonly unknown[] = stored;
  return paths.every((path) => typeof path === "string" && path.startsWith("/"))
    ? (paths as readonly string[])
    : undefined;
}

/** A state that somebody made up must not decide what a shell runs, and an address without credentials is short. */
function panelAddress(panel: string | undefined): string | undefined {
  if (panel === undefined) return undefined;
  try {
    const { address } = parseEndpoint(panel);
    return address.length <= 300 ? address : undefined;
  } catch {
    return undefined;
  }
}

/** Paths for the eye: a path with a character that cannot be shown is shown with a sign in its place. */
export function shownPaths(paths: readonly string[]): readonly string[] {
  return textsOf(paths);
}
