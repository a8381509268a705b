import type {
  ChosenPoint,
  Entry,
  Form,
  Goals,
  PlanCheck,
  PlanRestore,
  PlanText,
  RestoreEvent,
  RunBy,
} from "../../../provider/start";
import { plain } from "../engine";
import { markOf, stampsOf, type Played, usual } from "./restores";
import { at, type Exported, exportedStack, shown, type PendingOperation, type StackResource } from "./stack";

export interface PlayedStep extends Played {
  readonly goals?: Goals;
  readonly checks?: readonly PlayedCheck[];
  readonly chosen?: Omit<ChosenPoint, "id" | "takenAt">;
  readonly failedPart?: string;
  /** What the adopted transaction shows, and why it was adopted, if this differs from the request. */
  readonly showing?: object;
  /** All attempts before the last attempt, oldest first. */
  readonly earlier?: readonly Pick<Played, "status" | "transaction" | "requested" | "queued" | "ran">[];
  /** How the last `up` gave up on the restore, after all other events. */
  readonly stop?: { readonly sent: "no" | "yes" | "unknown"; readonly why: string };
  /** How far the run got. @default "sent" */
  readonly came?: "not begun" | "asked for" | "sent";
  readonly log?: string;
  /** How many seconds the last attempt spent searching for an earlier attempt's restore. */
  readonly waited?: number;
}

interface PlayedCheck extends Pick<PlanCheck, "name" | "kind" | "host"> {
  /** @default "passed" */
  readonly result?: "passed" | "failed" | "not run";
  readonly seconds?: number;
  readonly attempts?: number;
  readonly why?: string;
  readonly later?: true;
  readonly failedBefore?: true;
}

interface PlayedWave {
  readonly name: string;
  readonly goals?: Goals;
  readonly restores: readonly PlayedStep[];
  /** @default the plan's run */
  readonly run?: string;
  /** How far the run got with the wave. @default "carried out" */
  readonly came?: "not begun" | "asked for" | "carried out";
}

export interface PlayedPlan extends Partial<Omit<PlanText, "waves" | "run" | "wholeGoals">> {
  readonly plan?: string;
  readonly run?: string;
  readonly startedAt?: string;
  readonly wholeGoalSeconds?: number;
  readonly waves: readonly PlayedWave[];
  readonly by?: RunBy;
  readonly changed?: Readonly<Record<string, string>>;
  readonly pending?: readonly PendingOperation[];
}

export function stackOfPlan(played: PlayedPlan): Exported {
  return exportedStack(resourcesOf(played), played.pending ?? []);
}

export function resourcesOf(played: PlayedPlan): readonly StackResource[] {
  const { plan = "shop", run = "2026-Q4", waves, startedAt = at(-30), changed = {} } = played;
  const own = (type: string, name: string, outputs: object): StackResource => ({ type, name, of: plan, outputs });
  return [
    own("PlanRun", `${plan}-run`, {
      run,
      startedAt,
      up: "up-1",
      by: played.by ?? { user: "ada", host: "runner-7", version: "1.0.0" },
      plan: JSON.stringify(planTextOf(played)),
      changed,
      earlierRuns: [],
    }),
    ...waves.flatMap((wave) => {
      const { run: ofRun = run, came = "carried out" } = wave;
      if (came === "not begun") return [];
      const entries = wave.restores
        .filter((step) => step.came !== "not begun")
        .map((step) => [step, entryOf(ofRun, step)] as const);
      const marks = { m1: { ...markOf({}), process: "up-1" } };
      const asked = { entries: Object.fromEntries(entries.map(([{ name }, entry]) => [name, entry])), marks };
      const name = `${plan}-wave-${wave.name}`;
      const intent = own("WaveIntent", `${name}-intent`, { run: ofRun, restores: JSON.stringify(asked) });
      if (came === "asked for") return [intent];
      const record = {
        restores: Object.fromEntries(entries.map(([step, entry]) => [step.name, eventsOf(step, entry)])),
        proofs: {},
      };
      return [intent, own("Wave", name, { run: ofRun, record: JSON.stringify(record), ...logsOf(wave) })];
    }),
  ];
}

/** A plan called shop and its waves. A restore without a status has no record. If `carriedOut` is set, waves that it does not name have only an intent. */
export function plan(
  waves: Readonly<Record<string, Readonly<Record<string, Partial<PlayedStep>>>>>,
  { carriedOut, ...more }: Partial<PlayedPlan> & { readonly carriedOut?: readonly string[] } = {},
): readonly StackResource[] {
  const stepOf = ([name, one]: readonly [string, Partial<PlayedStep>]): PlayedStep => {
    return { ...usual, name, requested: 0, came: one.status === undefined ? "asked for" : "sent", ...one };
  };
  const played = Object.entries(waves).map(([name, restores]) => ({
    name,
    came: carriedOut?.includes(name) === false ? ("asked for" as const) : ("carried out" as const),
    restores: Object.entries(restores).map(stepOf),
  }));
  return resourcesOf({ startedAt: at(0), ...more, waves: played });
}

function logsOf({ restores }: PlayedWave): object {
  const logs = restores.flatMap(({ name, log }) =>
    log === undefined ? [] : [[name, `${log}\n\ncheck smoke:\n200 OK`] as const],
  );
  return logs.length === 0 ? {} : { logs: shown(JSON.stringify(Object.fromEntries(logs))) };
}

function planTextOf(played: PlayedPlan): PlanText {
  const { wholeGoalSeconds, waves } = played;
  const others = ["plan", "startedAt", "wholeGoalSeconds", "waves", "by", "changed", "pending"];
  const text = Object.fromEntries(Object.entries(played).filter(([name]) => !others.includes(name)));
  return {
    run: "2026-Q4",
    kind: "drill",
    onFailure: "stop",
    onMissedGoal: "fail",
    ...text,
    ...(wholeGoalSeconds !== undefined && { wholeGoals: { recoveryTimeSeconds: wholeGoalSeconds } }),
    waves: waves.map(({ name, goals, restores }) => ({
      name,
      ...(goals && { goals }),
      restores: Object.fromEntries(restores.map((step) => [step.name, plannedOf(step)])),
    })),
  };
}

function plannedOf(step: PlayedStep): PlanRestore {
  const { point, ...form } = formOf(step);
  return plain<PlanRestore>({
    ...form,
    point: typeof point === "string" ? point : undefined,
    rule: step.rule,
    takenAt: step.rule ? undefined : step.takenAt,
    goals: step.goals,
    checks: (step.checks ?? []).map(({ name, kind, host }) => plain<PlanCheck>({ name, kind, asks: name, host })),
  });
}

function formOf({ machine, point = 1007, rule, paths, triggers }: PlayedStep): Form {
  return plain<Form>({ machine: String(machine), point: rule ?? String(point), paths, triggers });
}

function entryOf(run: string, step: PlayedStep): Entry {
  const { name, rule, takenAt = at(-3_600), chosen, point = 1007 } = step;
  return {
    id: `${run} ${name}`,
    mark: "m1",
    ...formOf(step),
    ...(rule && { chosen: { id: String(point), takenAt, ...(chosen ?? { listed: 1, fitted: 1 }) } }),
  };
}

function eventsOf(step: PlayedStep, { id: entry, machine }: Entry): readonly RestoreEvent[] {
  const { came = "sent", stop, checks = [], point = 1007, paths } = step;
  const sent = { up: "up-1", machine, point: String(point), ...(paths && { paths }) };
  const attempt = (one: Partial<PlayedStep>, isLast: boolean): readonly RestoreEvent[] => {
    const { status = "complete", transaction, requested = 0, queued = 5, ran = 0, adopted, failedPart, warnings } = one;
    const [begin, end] = [at(requested), at(requested + queued + ran)];
    const isEnded = status === "complete" || status === "failed" || status === "cancelled";
    const waited = isLast && step.waited !== undefined && { waitedSeconds: step.waited };
    const more = { ...(failedPart !== undefined && { failedPart }), ...(warnings && { warnings }) };
    const ending = isEnded
      ? { at: end, entry, did: "ended", status, ...stampsOf({ ...step, ...one }), ...more }
      : { at: end, entry, did: "stopped", sent: "yes", why: `is ${status}`, status };
    return [
      adopted
        ? { at: begin, entry, did: "adopted", why: "found", ...sent, ...step.showing }
        : { at: begin, entry, did: "posted", answer: "accepted", ...sent, ...waited },
      ...(transaction === undefined ? [] : [{ at: begin, entry, did: "listed", ids: [transaction] } as const]),
      ending as RestoreEvent,
      ...(isLast && status === "complete" ? checks : []).flatMap((check): RestoreEvent[] => {
        const { name, result = "passed", seconds = 1, attempts = 1, why, later, failedBefore } = check;
        if (result === "not run") return [];
        const about = { check: name, asks: name, passed: result === "passed", attempts, seconds };
        const event = { at: at(requested + queued + ran + seconds), entry, did: "checked", ...about } as const;
        return [
          ...(failedBefore === true ? [{ ...event, passed: false }] : []),
          { ...event, ...(why !== undefined && { why }), ...(later && { later }) },
        ];
      }),
    ];
  };
  return [
    ...(step.earlier ?? []).flatMap((one) => attempt(one, false)),
    ...(came === "sent" ? attempt(step, true) : []),
    ...(stop === undefined ? [] : [{ at: at(3_000), entry, did: "stopped", ...stop } as const]),
  ];
}
