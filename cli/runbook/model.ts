import { ruleText } from "../../provider/inputs/read-point-rule";
import { nameInUrn } from "../../provider/inputs/resource-names";
import { parseEndpoint } from "../../provider/panel/endpoint";
import { isValidId, type MachineId, type RecoveryPointId } from "../../provider/panel/types";
import { isObject } from "../../provider/plain/plain";
import { recoveredSeconds } from "../../provider/plan/verdict";
import type { Between, Check, Notes, Step } from "../../report/model/model";
import { stepState, type StepState } from "../../report/model/summary";
import { resourcesBetween } from "../../report/state/between-waves";
import { planRunsIn, type StepGoals, type StoredPlanRun } from "../../report/state/plan-run";
import { readState, type Resource, type State } from "../../report/state/read-state";
import { definedOnly, fieldsOf, idOf, isSecret, nameOf, utcOf } from "../../report/state/values";
import { CommandError } from "../parts/command";
import { readDeclaration, type DeclaredRestore } from "../ready/declared";
import { newestOf, type KnownProof } from "../ready/proofs";
import {
  type Behind,
  behindIn,
  type Dialect,
  groupsOf,
  inOrder,
  storedFacts,
  type StoredFacts,
  type Waits,
} from "./order";

/** Everything that the page says about a stack's restores, in the order in which they would run. An unknown value is absent. */
export interface Runbook {
  readonly project?: string;
  readonly stack?: string;
  readonly stateWrittenAt?: string;
  readonly groups: readonly StepGroup[];
  readonly unreadable: readonly string[];
}

export interface PlanFacts {
  readonly name: string;
  readonly run: string;
  readonly kind: StoredPlanRun["kind"];
  readonly notes: Notes;
  readonly incidentAt?: string;
  readonly wholeGoalSeconds?: number;
  readonly onFailure: "stop" | "continue";
}

/** A wave, or restores without a plan. */
export interface StepGroup {
  readonly plan?: PlanFacts;
  readonly wave?: string;
  /** The wave before it. */
  readonly waveBefore?: string;
  /** Other resources of the program that it comes after. */
  readonly between: readonly Between[];
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
  /** The restore of the same machine before it: a step's number, or the name of a restore that is none. */
  readonly behind?: { readonly which: number | string; readonly is: Behind["is"] };
  /** What else it comes after, besides the waves of its own plan. */
  readonly after: readonly After[];
  readonly lastPoint?: { readonly id: RecoveryPointId; readonly takenAt?: string };
  readonly last?: LastTime;
  /** An earlier run that completed it, its checks passed. */
  readonly provenBefore?: KnownProof;
  /** Why it may still be under way, and its transactions as far as known. */
  readonly underWay?: { readonly says: string; readonly transactionIds: readonly string[] };
  readonly checks: readonly Check[];
  readonly goals: StepGoals;
  readonly panel?: string;
  /** Its provider's own settings, where the state has them. */
  readonly dialect: Dialect;
}

/** A step's number, the name of a restore that is no step, a plan or one of its waves, or a resource of the program. */
export type After =
  | { readonly step: number }
  | { readonly restore: string }
  | { readonly plan: string; readonly wave?: string }
  | { readonly resource: string };

type PointSource =
  | { readonly by: "id"; readonly id: RecoveryPointId }
  | { readonly by: "rule"; readonly rule: string; readonly beforeIncident: boolean }
  | { readonly by: "not known" };

interface LastTime {
  readonly result: StepState;
  readonly status: string;
  /** Why it does not count as complete. */
  readonly reason?: string;
  readonly requestedAt?: string;
  /** From the request to the end; with the checks where they were measured. */
  readonly seconds?: number;
}

/** Reads the output of `pulumi stack export`. Throws a `ReportError` if it is no state. */
export function runbookOf(exported: unknown, { plan }: { readonly plan?: string } = {}): Runbook {
  const known = withoutPlaintext(exported);
  const state = readState(known);
  const { restores: all } = readDeclaration(known, {});
  const restores = all.filter(({ stored }) => plan === undefined || stored.run?.plan === plan);
  const { unreadable } = readDeclaration(known, definedOnly({ plan }));
  if (restores.length === 0 && unreadable.length === 0) throw new CommandError(nothingIn(state, plan));
  const facts = storedFacts(known, state, all);
  const groups = groupsOf(inOrder(restores, facts));
  const numbers = new Map(groups.flatMap(({ members }) => members).map((one, index) => [one, index + 1]));
  const behind = behindIn(groups, facts);
  return definedOnly({
    project: state.project,
    stack: state.stack,
    stateWrittenAt: state.writtenAt,
    groups: groups.map(({ run, wave, waveBefore, members }) =>
      definedOnly({
        plan: run && planFacts(run),
        wave,
        waveBefore,
        between: betweenIn(state, run, wave),
        steps: members.map((one) => {
          const before = behind(one);
          return definedOnly({
            ...stepFrom(one, facts),
            number: numbers.get(one) ?? 0,
            behind: before && behindFrom(before, numbers),
            after: waitsFrom(facts.waitsOf(one), before && "restore" in before ? before.restore : undefined, numbers),
          });
        }),
      }),
    ),
    unreadable,
  });
}

function behindFrom(before: Behind, numbers: ReadonlyMap<DeclaredRestore, number>): RunbookStep["behind"] {
  const which = "urn" in before ? nameOf(nameInUrn(before.urn)) : numbers.get(before.restore);
  return which === undefined ? undefined : { which, is: before.is };
}

function betweenIn(state: State, run: StoredPlanRun | undefined, wave: string | undefined): readonly Between[] {
  const planned = run?.waves?.find(({ name }) => name === wave);
  return run === undefined || planned === undefined ? [] : resourcesBetween(state, run)(planned);
}

/** Its machine's restore before it is told apart. */
function waitsFrom(
  { restores, plans, others }: Waits,
  behind: DeclaredRestore | undefined,
  numbers: ReadonlyMap<DeclaredRestore, number>,
): readonly After[] {
  const steps = restores.flatMap((one): After[] => {
    const step = numbers.get(one);
    if (one === behind) return [];
    return [step === undefined ? { restore: one.name } : { step }];
  });
  return [...plans, ...steps, ...others.map((resource) => ({ resource }))];
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

function planFacts({ plan, run, kind, notes, incidentAt, wholeGoalSeconds, about }: StoredPlanRun): PlanFacts {
  const onFailure = about.onFailure === "continue" ? ("continue" as const) : ("stop" as const);
  return definedOnly({ name: plan, run, kind, notes: notes ?? {}, incidentAt, wholeGoalSeconds, onFailure });
}

function stepFrom(one: DeclaredRestore, facts: StoredFacts): Omit<RunbookStep, "number" | "behind" | "after"> {
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
    provenBefore: provenBefore(one, last),
    underWay: underWay(one),
    checks: stored.planned?.checks ?? [],
    goals: definedOnly({ dataAgeSeconds: one.goalSeconds, ...stored.planned?.goals }),
    panel: panelAddress(one.panel),
    dialect: facts.dialectOf(one),
  });
}

function provenBefore({ proofs }: DeclaredRestore, last: Step | undefined): KnownProof | undefined {
  const proof = newestOf(proofs);
  if (proof === undefined || last?.requestedAt === undefined) return proof;
  return Date.parse(proof.at) < Date.parse(last.requestedAt) ? proof : undefined;
}

function underWay({ outcome, stored: { step } }: DeclaredRestore): RunbookStep["underWay"] {
  return outcome.kind === "unfinished" || outcome.kind === "unconfirmed"
    ? { says: outcome.says, transactionIds: step?.transactionIds ?? [] }
    : undefined;
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
  const { result, status, requestedAt, durationSeconds, reason } = step;
  return definedOnly({
    result: stepState(step),
    status,
    reason: status === "not counted" ? reason : undefined,
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
