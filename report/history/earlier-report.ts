import { isObject, asList } from "../../provider/plain/plain";
import { isOfOtherPoint, provenAt } from "../../provider/plan/proofs";
import { createHash } from "node:crypto";
import { ReportError } from "../state/read-state";
import type { ChosenBy, Goal, GoalWord, Report, Step, StepResult, VerdictWord } from "../model/model";
import { amountOf, fieldsOf, idOf, definedOnly, nameOf, utcOf, textsOf, type Fields } from "../state/values";

/** The part of another run's report that is compared. Nothing in the file is trusted. */
export interface EarlierReport {
  /** The hash of the given file. */
  readonly sha256: string;
  readonly scope: {
    readonly kind: string;
    readonly name: string;
    readonly project?: string;
    readonly stack?: string;
  };
  /** The same for all reports of one run. */
  readonly runKey: string;
  /** When the reported state was written. */
  readonly stateWrittenAt?: string;
  readonly run?: string;
  readonly kind?: string;
  readonly startedAt?: string;
  readonly verdict: VerdictWord;
  readonly planChanged?: boolean;
  readonly recoveryTimeSeconds?: number;
  readonly recoveryTimeGoalSeconds?: number;
  readonly steps: readonly EarlierStep[];
}

/** A restore in the report of another run. */
export interface EarlierStep {
  readonly name: string;
  readonly kind?: string;
  /** When it was back: complete, its checks passed. */
  readonly provenAt?: string;
  /** Tells what was restored and checked: in a plan its revision, without one what is shown. Absent where that is not known in full. */
  readonly definition?: string;
  readonly virtualMachineId: string;
  readonly result: StepResult | "not carried out";
  readonly recoveryPointId?: string;
  readonly recoveryPointTakenAt?: string;
  readonly chosenBy?: ChosenBy;
  readonly recoveredSeconds?: number;
  readonly dataAgeSeconds?: number;
  readonly recoveryTimeGoalSeconds?: number;
  readonly dataAgeGoalSeconds?: number;
  /** The result of the recovery time goal in that report. */
  readonly recoveryTimeGoal?: GoalWord;
  /** The result of the data age goal in that report. */
  readonly dataAgeGoal?: GoalWord;
  /** True if it missed any goal. */
  readonly missed: "a goal" | "no goal";
}

/** Reads a report in its JSON form. Throws a `ReportError` for anything else, and for an unknown format. */
export function readReport(json: string): EarlierReport {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw new ReportError("is not JSON");
  }
  if (!isObject(value) || !isObject(value["verdict"]) || !Array.isArray(value["waves"])) {
    throw new ReportError("is not a report in its JSON form");
  }
  if (value["formatVersion"] !== 1) {
    throw new ReportError(`is of format ${nameOf(value["formatVersion"]) ?? "none"}; this release reads format 1`);
  }
  return earlierReportFrom(value, createHash("sha256").update(json).digest("hex"));
}

const verdicts: readonly VerdictWord[] = ["passed", "passed with warnings", "failed", "incomplete"];
const goalWords: readonly GoalWord[] = ["met", "missed", "not measured"];
const results: readonly StepResult[] = ["complete", "failed", "cancelled", "unfinished"];

function earlierReportFrom(value: Fields, sha256: string): EarlierReport {
  const run = fieldsOf(value["run"]);
  const plan = fieldsOf(value["plan"]);
  const scope = scopeFrom(fieldsOf(value["scope"]));
  const goals = asList(value["goals"]).map(fieldsOf);
  const ofRestores = new Map<string, Fields>();
  for (const goal of goals) ofRestores.set(goalKey(nameOf(goal["goal"]), nameOf(goal["restore"])), goal);
  const target = (kind: Goal["goal"], restore?: string): number | undefined =>
    amountOf(ofRestores.get(goalKey(kind, restore))?.["targetSeconds"]);
  const step = (fields: Fields, name: string, result: EarlierStep["result"]): EarlierStep => {
    const goalVerdict = (kind: Goal["goal"]): GoalWord | undefined =>
      goalWords.find((word) => word === ofRestores.get(goalKey(kind, name))?.["verdict"]);
    const [recoveryTimeGoal, dataAgeGoal] = [goalVerdict("recoveryTime"), goalVerdict("dataAge")];
    const about = definedOnly({
      name,
      virtualMachineId: idOf(fields["virtualMachineId"]) ?? "not stored",
      kind: nameOf(fields["kind"]),
      recoveryPointId: idOf(fields["recoveryPointId"]),
      chosenBy: chosenByFrom(fieldsOf(fields["chosenBy"])),
    });
    const { checks } = fields;
    const isBack =
      result === "complete" && Array.isArray(checks) && checks.every((check) => fieldsOf(check)["result"] === "passed");
    const stamps = { finishedAt: utcOf(fields["finishedAt"]), checkedAt: utcOf(fields["checkedAt"]) };
    return definedOnly({
      ...about,
      result,
      provenAt: isBack ? provenAt(definedOnly(stamps)) : undefined,
      definition: isOfOtherPoint({ warnings: textsOf(fields["warnings"]) })
        ? undefined
        : scope.kind === "plan"
          ? idOf(fields["revision"])
          : shownDefinition({ ...about, paths: textsOf(fields["paths"]), panel: textsOf(run["panels"]).join(" ") }),
      recoveryPointTakenAt: utcOf(fields["recoveryPointTakenAt"]),
      recoveredSeconds: amountOf(fields["recoveredSeconds"]),
      // Earlier releases gave an age to restores that had not completed.
      dataAgeSeconds: result === "complete" ? amountOf(fields["dataAgeSeconds"]) : undefined,
      recoveryTimeGoalSeconds: target("recoveryTime", name),
      dataAgeGoalSeconds: target("dataAge", name),
      recoveryTimeGoal,
      dataAgeGoal,
      missed: [recoveryTimeGoal, dataAgeGoal].includes("missed") ? ("a goal" as const) : ("no goal" as const),
    });
  };
  const restores = asList(value["waves"])
    .flatMap((wave) => asList(fieldsOf(wave)["restores"]))
    .map(fieldsOf);
  const missing = asList(value["notCarriedOut"]).map(fieldsOf);
  const name = nameOf(run["name"]);
  const startedAt = utcOf(run["startedAt"]);
  // Restores without a plan have no run that begins: they are told by their transactions.
  const transactions =
    scope.kind === "plan" ? [] : restores.map(({ transactionIds }) => textsOf(transactionIds)).sort();
  return definedOnly({
    sha256,
    scope,
    runKey: JSON.stringify([scopeKey(scope), name, startedAt, transactions]),
    stateWrittenAt: utcOf(fieldsOf(value["source"])["stateWrittenAt"]),
    run: name,
    kind: nameOf(run["kind"]),
    startedAt,
    verdict: verdicts.find((word) => word === fieldsOf(value["verdict"])["result"]) ?? "incomplete",
    planChanged: typeof plan["changed"] === "boolean" ? plan["changed"] : undefined,
    recoveryTimeSeconds: amountOf(fieldsOf(value["measured"])["recoveryTimeSeconds"]),
    recoveryTimeGoalSeconds: target("recoveryTime"),
    steps: [
      ...restores.map((fields) =>
        step(
          fields,
          nameOf(fields["name"]) ?? "unnamed",
          results.find((word) => word === fields["result"]) ?? "unfinished",
        ),
      ),
      ...missing.map((fields) =>
        step(
          fields,
          nameOf(fields["restore"]) ?? "unnamed",
          fields["what"] === "not begun" ? "not carried out" : "unfinished",
        ),
      ),
    ],
  });
}

function scopeFrom({ kind, name, project, stack }: Fields): EarlierReport["scope"] {
  return definedOnly({
    kind: nameOf(kind) ?? "restores",
    name: nameOf(name) ?? "unnamed",
    project: nameOf(project),
    stack: nameOf(stack),
  });
}

/** Tells a plan, or the restores of a stack, from those of the same name in other stacks and projects. */
export function scopeKey({ kind, name, project, stack }: EarlierReport["scope"]): string {
  return JSON.stringify([kind, name, project, stack]);
}

/** One report of each run, oldest run first: the one of the latest state. */
export function oneOfEachRun(reports: readonly EarlierReport[]): readonly EarlierReport[] {
  const latest = new Map<string, EarlierReport>();
  for (const report of reports) {
    const other = latest.get(report.runKey);
    if (other === undefined || (other.stateWrittenAt ?? "") <= (report.stateWrittenAt ?? ""))
      latest.set(report.runKey, report);
  }
  return [...latest.values()].sort(byStart);
}

/** Records keep so many paths. */
const maxPaths = 100;

/** What is restored, and on which panel: two of one text are the same restore. Undefined where a record may leave paths out. */
export function shownDefinition({
  panel = "",
  kind,
  virtualMachineId,
  recoveryPointId,
  chosenBy,
  paths = [],
}: {
  readonly panel: string | undefined;
  readonly kind?: string;
  readonly virtualMachineId: string;
  readonly recoveryPointId?: string;
  readonly chosenBy?: Pick<ChosenBy, "rule">;
  readonly paths?: readonly string[];
}): string | undefined {
  if (paths.length >= maxPaths) return undefined;
  const point = chosenBy?.rule ?? recoveryPointId;
  return JSON.stringify([panel, kind, virtualMachineId, point, kind === "FileRestore" ? [...paths].sort() : []]);
}

function chosenByFrom({ rule, listed, fitted, incidentAt }: Fields): ChosenBy | undefined {
  const words = nameOf(rule);
  if (words === undefined) return undefined;
  return definedOnly({
    rule: words,
    listed: amountOf(listed),
    fitted: amountOf(fitted),
    incidentAt: utcOf(incidentAt),
  });
}

function goalKey(kind: string | undefined, restore: string | undefined): string {
  return `${kind ?? ""}\n${restore ?? ""}`;
}

/** Identifies a restore across runs: by name and machine, not by recovery point. */
export function restoreKey({ name, virtualMachineId }: Pick<EarlierStep, "name" | "virtualMachineId">): string {
  return `${virtualMachineId}\n${name}`;
}

/** Sorts oldest first; reports without a start come before all others. */
function byStart(a: EarlierReport, b: EarlierReport): number {
  const [first = "", second = ""] = [a.startedAt, b.startedAt];
  return first < second ? -1 : first > second ? 1 : 0;
}

/** Adds the figures of the run before: those of the newest earlier report of the same plan, or of the same restores without one, in this stack. */
export function withEarlierRun(report: Report, earlier: readonly EarlierReport[]): Report {
  const start = report.run.startedAt === undefined ? Infinity : Date.parse(report.run.startedAt);
  const before = oneOfEachRun(earlier.filter(({ scope }) => scopeKey(scope) === scopeKey(report.scope)))
    .filter(({ startedAt }) => startedAt !== undefined && Date.parse(startedAt) < start)
    .at(-1);
  if (before === undefined) return report;
  const steps = new Map(before.steps.map((step) => [restoreKey(step), step]));
  return {
    ...report,
    before: definedOnly({
      run: before.run,
      startedAt: before.startedAt,
      verdict: before.verdict,
      recoveryTimeSeconds: before.recoveryTimeSeconds,
      sha256: before.sha256,
    }),
    waves: report.waves.map((wave) => ({
      ...wave,
      restores: wave.restores.map((step) => withStepBefore(step, steps.get(restoreKey(step)))),
    })),
  };
}

function withStepBefore(step: Step, before: EarlierStep | undefined): Step {
  if (before === undefined || before.result === "not carried out") return step;
  const { result, recoveredSeconds, dataAgeSeconds } = before;
  return { ...step, before: definedOnly({ result, recoveredSeconds, dataAgeSeconds }) };
}
