import { formatDuration } from "../provider/inputs/duration";
import { goalText as measuredText } from "../drills/judge/goals";
import { escapeMarkup } from "../provider/plain/text";
import { omit, omitUndefined } from "../provider/plain/plain";
import { measuredSeconds } from "../provider/plain/clock";
import { isUtc } from "./model/format";
import type { Check, Goal, Report, Step, Wave } from "./model/model";
import { chosenText, checkText, goalsByRestore, titleOf } from "./model/summary";

type Attributes = Readonly<Record<string, string | number>>;

interface Case {
  readonly name: string;
  readonly classname: string;
  readonly seconds?: number | undefined;
  readonly outcome: CaseOutcome;
  readonly properties?: Attributes;
}

interface Suite {
  readonly name: string;
  readonly cases: readonly Case[];
  readonly about?: Attributes;
}

/** *failure*: a missed goal, a failed check or a failed verdict. *error*: a restore that may have been sent and is not complete, or an incomplete verdict. */
type CaseOutcome =
  | { readonly is: "passed" }
  | { readonly is: "failure" | "error" | "skipped"; readonly message: string };

const passed: CaseOutcome = { is: "passed" };

/** Renders JUnit XML: a suite per wave, a case per restore, check and goal, and a last suite for the whole run. No time is counted twice. */
export function toJunit(report: Report): string {
  const suites: readonly Suite[] = [
    ...report.waves.map((wave) => ({
      name: wave.name === undefined ? report.scope.name : `${report.scope.name}: wave ${wave.name}`,
      cases: casesOf(report, wave),
    })),
    { name: `${report.scope.name}: the run`, cases: runCases(report), about: runProperties(report) },
  ];
  const { startedAt } = report.run;
  const timestamp =
    startedAt !== undefined && isUtc(startedAt) ? { timestamp: startedAt.replace(/(\.\d+)?Z$/, "") } : {};
  const body = suites.map(({ name, cases, about }) =>
    element("testsuite", { name, ...totals(cases), ...timestamp }, [
      ...(about === undefined ? [] : [properties(about)]),
      ...cases.map(caseElement),
    ]),
  );
  const all = suites.flatMap(({ cases }) => cases);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element("testsuites", { name: titleOf(report), ...totals(all) }, body)}\n`;
}

function casesOf(report: Report, wave: Wave): readonly Case[] {
  const classname = `${report.scope.name}.${wave.name ?? "restores"}`;
  const goals = goalsByRestore(report);
  return wave.restores.flatMap((step) => [
    restoreCase(step, classname),
    ...step.checks.map((check) => checkCase(step, check, classname)),
    ...(goals.get(step.name) ?? []).map((goal) => goalCase(report, goal, classname)),
  ]);
}

function restoreCase(step: Step, classname: string): Case {
  const { name, state, reason = "", recoveryPointId, recoveryPointTakenAt, chosenBy, transactionIds } = step;
  const isRestored = state === "complete" || state === "not checked";
  return {
    name: `restore ${name}`,
    classname,
    seconds: measuredSeconds(step),
    outcome: isRestored ? passed : { is: state === "not sent" ? "skipped" : "error", message: `${name} ${reason}` },
    properties: omitUndefined<Record<string, string>>({
      state,
      machine: step.virtualMachineId,
      "recovery point": recoveryPointId,
      "taken at": recoveryPointTakenAt,
      "chosen by": chosenBy && chosenText(chosenBy),
      transactions: transactionIds.join(", ") || undefined,
      "requested at": step.requestedAt,
      "finished at": step.finishedAt,
      adopted: step.adopted ? "true" : undefined,
    }),
  };
}

function checkCase({ name }: Step, check: Check, classname: string): Case {
  const { result, reason, seconds } = check;
  const message = `${checkText(omit(check, "attempts", "seconds"))}${reason === undefined ? "" : `: ${reason}`}`;
  const outcome: CaseOutcome =
    result === "passed" ? passed : { is: result === "failed" ? "failure" : "skipped", message };
  return { name: `check ${name}: ${check.name}`, classname, seconds, outcome };
}

function goalCase({ plan }: Report, goal: Goal, classname: string): Case {
  const { restore, targetSeconds, result } = goal;
  const onlyWarns = typeof plan === "object" && plan !== null && "onMissedGoal" in plan && plan.onMissedGoal === "warn";
  const outcome: CaseOutcome =
    result === "met"
      ? passed
      : result === "missed"
        ? {
            is: onlyWarns ? "skipped" : "failure",
            message: `${onlyWarns ? "missed (warning only): " : ""}${measuredText(goal)}`,
          }
        : { is: "skipped", message: "not measured" };
  const what = goal.goal === "recoveryTime" ? "recovery time" : "data age";
  return {
    name: `goal ${restore ?? "of the whole plan"}: ${what} within ${formatDuration(targetSeconds)}`,
    classname,
    outcome,
  };
}

/** Most JUnit viewers show skipped cases in green, so unless a run is known to be good, it gets a case that is not skipped. */
function runCases(report: Report): readonly Case[] {
  const { result, reasons } = report.verdict;
  const classname = report.scope.name;
  const message = reasons.join("; ") || `the run is ${result}`;
  const outcome: CaseOutcome =
    result === "failed" ? { is: "failure", message } : result === "incomplete" ? { is: "error", message } : passed;
  return [
    { name: "verdict", classname, outcome },
    ...report.goals.filter(({ restore }) => restore === undefined).map((goal) => goalCase(report, goal, classname)),
  ];
}

function runProperties({ run, verdict }: Report): Attributes {
  return {
    verdict: verdict.result,
    kind: run.kind,
    ...(run.name !== undefined && { run: run.name }),
    ...(run.panels.length > 0 && { panel: run.panels.join(", ") }),
  };
}

function totals(cases: readonly Case[]): Attributes {
  const having = (is: CaseOutcome["is"]): number => cases.filter(({ outcome }) => outcome.is === is).length;
  return {
    tests: cases.length,
    failures: having("failure"),
    errors: having("error"),
    skipped: having("skipped"),
    time: cases.reduce((sum, one) => sum + (one.seconds ?? 0), 0).toFixed(3),
  };
}

function caseElement({ name, classname, seconds = 0, outcome, properties: given }: Case): string {
  const children = [
    ...(given === undefined ? [] : [properties(given)]),
    ...(outcome.is === "passed"
      ? []
      : [element(outcome.is, { message: outcome.message, ...(outcome.is !== "skipped" && { type: outcome.is }) })]),
  ];
  return element("testcase", { name, classname, time: seconds.toFixed(3) }, children);
}

function properties(values: Attributes): string {
  return element(
    "properties",
    {},
    Object.entries(values).map(([name, value]) => element("property", { name, value })),
  );
}

/** An XML element. Characters that XML does not allow were replaced when the model was made. */
function element(name: string, attributes: Attributes, children: readonly string[] = []): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeMarkup(String(value))}"`);
  const start = `<${name}${written.join("")}`;
  return children.length === 0 ? `${start}/>` : `${start}>\n${children.join("\n")}\n</${name}>`;
}
