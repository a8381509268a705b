import { verdictOfRun, recoveredSeconds } from "../../../provider/plan/verdict";
import type { StoredCheck } from "../../../provider/inputs/read-check";
import type { StoredGoals } from "../../../provider/inputs/read-goals";
import { judgedPlan, judgedWave, type JudgedRun } from "../../../provider/plan/judged";
import type {
  StoredPlan,
  StoredRun,
  StoredStep,
  StoredTry,
  StoredVerdict,
  StoredWave,
} from "../../../provider/plan/stored";
import { at, exportedStack, shown, type PendingOperation, type StackResource } from "./stack";
import { figuresOf, intentResource, kindOf, restoreResource, type Played } from "./restores";

export interface PlayedStep extends Played {
  readonly goals?: StoredGoals;
  readonly checks?: readonly PlayedCheck[];
  readonly log?: string;
  /** From the end to the moment when the runner noticed it: longer if a run was cut off. */
  readonly noticedAfter?: number;
  /** How far the restore came; default: to its end. */
  readonly came?: "not begun" | "intent saved" | "posted";
  /** Earlier tries in the run. */
  readonly earlierTries?: readonly StoredTry[];
  /** The number of its revision, in its wave's record. @default that of the run */
  readonly revision?: number;
  /** The number of its revision in the run. Earlier releases stored none, in neither. @default 1 */
  readonly planned?: number | "no revisions";
}

export interface PlayedCheck {
  readonly kind: StoredCheck["kind"];
  readonly name?: string;
  readonly target: string;
  readonly result?: StoredCheck["result"];
  readonly seconds?: number;
  readonly tries?: number;
  readonly reason?: string;
  readonly addedLater?: boolean;
  readonly expects?: string;
}

interface PlayedWave {
  readonly name: string;
  readonly goals?: StoredGoals;
  readonly restores: readonly PlayedStep[];
  /** Restores that were taken out of the plan within the run. */
  readonly takenOut?: readonly PlayedStep[];
  /** Resources of the program that its restores come after. */
  readonly between?: readonly StackResource[];
  /** Whether the wave's own resource is stored. */
  readonly stored?: boolean;
  /** The output of its checks, as in an export with shown secrets. */
  readonly output?: unknown;
}

export interface PlayedPlan {
  readonly plan?: string;
  readonly run?: string;
  readonly kind?: StoredRun["kind"];
  readonly goals?: StoredGoals;
  readonly wholeGoalSeconds?: number;
  readonly onFailure?: StoredPlan["onFailure"];
  readonly onMissedGoal?: StoredPlan["onMissedGoal"];
  readonly waves: readonly PlayedWave[];
  readonly verdict?: Partial<StoredVerdict> | "not stored";
  readonly runFields?: object;
  readonly pending?: readonly PendingOperation[];
}

/** The state that a plan's run leaves. */
export function stackOfPlan(played: PlayedPlan): object {
  return exportedStack(resourcesOf(played), played.pending ?? []);
}

export function resourcesOf(played: PlayedPlan): readonly StackResource[] {
  const { plan = "shop", run = "2026-Q4", waves, verdict = {} } = played;
  const own = (type: string, name: string, outputs: object, initErrors: readonly string[] = []): StackResource => ({
    type,
    name,
    of: plan,
    outputs,
    ...(initErrors.length > 0 && { initErrors }),
  });
  return [
    own("PlanRun", `${plan}-run`, { ...storedRun(played), ...played.runFields }),
    ...waves.flatMap((wave, index) => {
      const steps = wave.restores.map((step) => ({
        ...step,
        name: `${plan}-${step.name}`,
        of: plan,
        triggers: [run, ...(step.triggers ?? [])],
        ...(wave.between && { after: wave.between }),
      }));
      const reasons = wave.restores.flatMap(({ name, status = "complete" }) =>
        status === "complete" ? [] : [`${name} is ${status}`],
      );
      return [
        ...(wave.between ?? []),
        ...steps.filter(({ came }) => came !== "not begun").map(intentResource),
        ...steps
          .filter(({ came }) => came !== "not begun" && came !== "intent saved")
          .map((step) => ({
            ...restoreResource({ ...step, ...(wave.stored !== false && { status: "accepted" }) }),
            id: "posted-after-4999",
          })),
        ...(wave.stored === false
          ? []
          : [own("PlanWave", `${plan}-wave-${wave.name}`, storedWave(played, wave, index), reasons)]),
      ];
    }),
    ...(verdict === "not stored"
      ? []
      : [
          own("PlanVerdict", `${plan}-verdict`, {
            ...storedVerdict(played, verdict),
            lastChangeAt: { ...storedRun(played), ...played.runFields }.history?.at(-1)?.at,
          }),
        ]),
  ];
}

function storedRun({
  plan = "shop",
  run = "2026-Q4",
  kind = "drill",
  goals,
  wholeGoalSeconds,
  onFailure = "stop",
  onMissedGoal = "fail",
  waves,
}: PlayedPlan): StoredRun {
  const asGiven: StoredPlan = {
    ...(goals && { goals }),
    ...(wholeGoalSeconds !== undefined && { wholeGoals: { recoveryTimeSeconds: wholeGoalSeconds } }),
    onFailure,
    onMissedGoal,
    waves: waves.map((wave) => ({
      name: wave.name,
      ...(wave.goals && { goals: wave.goals }),
      restores: Object.fromEntries(
        wave.restores.map((step) => [
          step.name,
          {
            virtualMachineId: String(step.machine),
            ...(step.rule ? { recoveryPoint: step.rule } : { recoveryPointId: String(step.point ?? 1007) }),
            ...(step.paths && { paths: step.paths }),
            ...(step.takenAt !== undefined && !step.rule && { recoveryPointTakenAt: step.takenAt }),
            ...(step.goals && { goals: step.goals }),
            ...(step.triggers && { triggers: step.triggers }),
            checks: (step.checks ?? []).map(({ kind, name, target, expects }) => ({
              kind,
              ...(name && { name }),
              target,
              ...pace,
              ...(expects !== undefined && { expects }),
            })),
          },
        ]),
      ),
    })),
  };
  return {
    formatVersion: 1,
    plan,
    run,
    kind,
    asGiven,
    ...(!waves.some(({ restores }) => restores.some(({ planned }) => planned === "no revisions")) && {
      revisions: Object.fromEntries(
        waves.flatMap(({ restores }) =>
          restores.map(({ name, planned = 1 }) => [name, { at: `run-1/${String(planned)}`, checks: [] }]),
        ),
      ),
    }),
    previous: { run: "2026-Q3", startedAt: "2026-08-20T09:00:00Z" },
    changed: false,
    history: [],
    startedAt: at(-8),
    by: { user: "mara", host: "runner-7" },
    pipeline: {
      name: "GitHub Actions",
      url: "https://ci.example.com/shop/runs/812",
      run: "812",
      commit: "0f1e2d3c4b5a69788796a5b4c3d2e1f001122334",
      ref: "refs/heads/main",
      actor: "mara",
    },
    versions: { "pulumi-recovery": "1.1.0", "@pulumi/pulumi": "3.248.0", node: "v20.20.2" },
    panel: "https://panel.example.com",
    notes: {
      scenario: "Loss of data centre north: shop restored from last night’s backups",
      owner: "Platform team",
      approver: "H. Okafor",
      reference: "BCP-2026-04",
    },
  };
}

function revisionOf({ planned = 1, revision = planned as number }: PlayedStep): Pick<StoredStep, "revision"> {
  return planned === "no revisions" ? {} : { revision: `run-1/${String(revision)}` };
}

/** The run as its verdict is handed it; of the postings nothing. */
export function judgedRun(run: StoredRun): JudgedRun {
  const { plan, run: name, asGiven, revisions, history, startedAt, incidentAt } = run;
  return {
    plan,
    run: name,
    asked: judgedPlan(asGiven),
    ...(revisions && {
      revisions: Object.fromEntries(Object.entries(revisions).map(([one, { at: own }]) => [one, own])),
    }),
    history,
    startedAt,
    ...(incidentAt !== undefined && { incidentAt }),
  };
}

const pace = { everySeconds: 5, withinSeconds: 300, afterSeconds: 0 };

function storedWave({ plan = "shop", run = "2026-Q4" }: PlayedPlan, wave: PlayedWave, index: number): object {
  const logs = Object.fromEntries(wave.restores.flatMap(({ name, log }) => (log === undefined ? [] : [[name, log]])));
  const requests = wave.restores.map(({ requested = 0 }) => requested);
  const stored: StoredWave = {
    formatVersion: 1,
    plan,
    run,
    index,
    name: wave.name,
    round: 0,
    restores: Object.fromEntries(wave.restores.map((step) => [step.name, storedStep(step, plan)])),
    earlierTries: {
      ...Object.fromEntries((wave.takenOut ?? []).map((step) => [step.name, triesOf(step, plan)])),
      ...Object.fromEntries(
        wave.restores.flatMap((step) => (step.earlierTries ? [[step.name, step.earlierTries]] : [])),
      ),
    },
    startedAt: at(requests.length === 0 ? 0 : Math.min(...requests)),
    endedAt: at(Math.max(0, ...wave.restores.map((step) => endOf(step)))),
    reasons: [],
  };
  return {
    ...stored,
    ...(wave.output !== undefined && { checkOutput: shown(wave.output) }),
    ...(Object.keys(logs).length > 0 && { logOutput: shown(logs) }),
  };
}

const soon = 4;

function endOf({ requested = 0, queued = 5, ran = 0, checks = [], noticedAfter = soon }: PlayedStep): number {
  return requested + queued + ran + (checks.length > 0 ? noticedAfter : 0) + checkedSeconds(checks);
}

function checkedSeconds(checks: readonly PlayedCheck[]): number {
  return checks.reduce((most, { seconds = 12 }) => Math.max(most, seconds), 0);
}

/** The tries of a restore that was taken out. */
function triesOf(step: PlayedStep, plan: string): readonly StoredTry[] {
  return [...(step.earlierTries ?? []), tryOf(storedStep(step, plan))];
}

function tryOf(step: StoredStep): StoredTry {
  const { revision, virtualMachineId, recoveryPointId, status, transactionIds, requestedAt, finishedAt, checks } = step;
  return JSON.parse(
    JSON.stringify({
      revision,
      virtualMachineId,
      recoveryPointId,
      status,
      transactionIds,
      requestedAt,
      finishedAt,
      checks,
    }),
  ) as StoredTry;
}

function storedStep(step: PlayedStep, plan: string): StoredStep {
  const { requested = 0, queued = 5, ran = 0, checks = [], status = "complete", noticedAfter = soon } = step;
  const checked = status === "complete" && checks.length > 0;
  const figures = figuresOf({ ...step, listed: "without paths" }) as StoredStep;
  const stored: StoredStep = {
    ...figures,
    kind: kindOf(step),
    ...(step.paths && { paths: step.paths, pathCount: step.paths.length }),
    ...(step.chosenFrom && { chosenFrom: step.chosenFrom }),
    ...(step.takenAt !== undefined && { recoveryPointTakenAt: step.takenAt }),
    ...(checked && {
      noticedAt: at(requested + queued + ran + noticedAfter),
      noticedAfterSeconds: noticedAfter,
      checkedAt: at(endOf(step)),
      checkedSeconds: checkedSeconds(checks),
    }),
    checks: checks.map(
      ({ kind, name, target, result = "passed", seconds: took = 12, tries = 2, reason, addedLater, expects }) => ({
        kind,
        ...(name && { name }),
        target,
        ...(expects !== undefined && { expects }),
        ...pace,
        result: checked ? result : "not run",
        tries: checked ? tries : 0,
        ...(checked && { seconds: took }),
        ...(reason !== undefined && { reason }),
        ...(addedLater === true && { addedLater }),
      }),
    ),
    ...(status !== "complete" && {
      reason: `machine ${String(step.machine)}: transaction ${step.transaction ?? "unknown"} ended as ${status}`,
    }),
    posting: `intent-${plan}-${step.name}/posted-after-4999`,
    ...revisionOf(step),
  };
  const recovered = recoveredSeconds({ ...stored, ...(step.earlierTries && { earlierTries: step.earlierTries }) });
  return { ...stored, ...(recovered !== undefined && { recoveredSeconds: recovered }) };
}

function storedVerdict(played: PlayedPlan, given: Partial<StoredVerdict>): object {
  const { plan = "shop", run = "2026-Q4", waves } = played;
  const recoveryTimeSeconds = recoveryTimeOf(played);
  const planned = waves.reduce((sum, { restores }) => sum + restores.length, 0);
  const last = waves.flatMap(({ restores }) => restores.map(endOf));
  return {
    formatVersion: 1,
    plan,
    run,
    verdict: "passed",
    reasons: [],
    ...(recoveryTimeSeconds !== undefined && { recoveryTimeSeconds }),
    counts: {
      planned,
      complete: planned,
      failed: 0,
      cancelled: 0,
      unfinished: 0,
      notCarriedOut: 0,
      adopted: 0,
      checks: { passed: 0, failed: 0, notRun: 0 },
    },
    goals: [],
    decidedAt: at(Math.max(...last) + 2),
    ...given,
  };
}

/** The recovery time that the plan itself stores. */
export function recoveryTimeOf(played: PlayedPlan): number | undefined {
  const waves = played.waves.map((wave, index) => judgedWave(storedWave(played, wave, index) as StoredWave));
  return verdictOfRun(judgedRun(storedRun(played)), waves, at(0)).recoveryTimeSeconds;
}
