import { checkLabel } from "../provider/inputs/read-check";
import type { Check, EarlierTry, Goal, NotCarriedOut, Report, Step, Wave } from "./model/model";
import { checkText, goalNames, marginText, durationText } from "./model/format";
import { chosenText, titleOf } from "./model/summary";

interface Case {
  readonly name: string;
  readonly classname: string;
  readonly seconds?: number | undefined;
  readonly outcome: CaseOutcome;
  readonly properties?: Attributes;
}

interface Suite {
  readonly name: string;
  readonly timestamp?: string | undefined;
  readonly cases: readonly Case[];
  readonly about?: Attributes;
}

/** A failure is a missed goal or a failed check; an error is a restore that failed or whose end is not known. */
type CaseOutcome =
  { readonly is: "passed" } | { readonly is: "failure" | "error" | "skipped"; readonly message: string };

const passed: CaseOutcome = { is: "passed" };

/** Renders JUnit XML: a suite per wave, a case per restore, check and goal, and a last suite for the whole run. */
export function toJunit(report: Report): string {
  const waves = report.waves.length > 0 ? report.waves : [{ index: 0, state: "not begun", restores: [] } as const];
  const suites: readonly Suite[] = [
    ...waves.map((wave) => ({
      name: suiteName(report, wave),
      timestamp: wave.startedAt ?? report.run.startedAt,
      cases: casesOf(report, wave),
    })),
    {
      name: `${report.scope.name}: the run`,
      timestamp: report.run.startedAt,
      cases: runCases(report),
      about: runProperties(report),
    },
  ];
  const all = suites.flatMap(({ cases }) => cases);
  const body = suites.map(({ name, timestamp, cases, about }) =>
    element(
      "testsuite",
      { name, ...totals(cases), ...(timestamp !== undefined && { timestamp: timestamp.replace(/(\.\d+)?Z$/, "") }) },
      [...(about === undefined ? [] : [properties(about)]), ...cases.map(caseElement)],
    ),
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element("testsuites", { name: titleOf(report), ...totals(all) }, body)}\n`;
}

function suiteName({ scope }: Report, { name, index }: Pick<Wave, "name" | "index">): string {
  return name === undefined ? scope.name : `${scope.name}: wave ${String(index + 1)}, ${name}`;
}

function casesOf(report: Report, wave: Wave): readonly Case[] {
  const classname = `${report.scope.name}.${wave.name ?? "restores"}`;
  const missing = report.notCarriedOut.filter((one) => one.wave === wave.name);
  const names = new Set([...wave.restores.map(({ name }) => name), ...missing.map(({ restore }) => restore)]);
  const skipped = new Set(missing.filter(({ what }) => what === "not begun").map(({ restore }) => restore));
  return [
    ...wave.restores.flatMap((step) => [
      ...(step.earlierTries ?? []).map((one, index) => tryCase(step, one, index, classname)),
      restoreCase(step, classname),
      ...step.checks.map((check) => checkCase(step, check, classname)),
    ]),
    ...missing.map((one) => missingCase(one, classname)),
    ...report.goals
      .filter(({ restore }) => restore !== undefined && names.has(restore))
      .map((goal) =>
        goalCase(report, goal, classname, skipped.has(goal.restore ?? "") ? "not carried out" : "carried out"),
      ),
  ];
}

function restoreCase(step: Step, classname: string): Case {
  const { name, result, reason, durationSeconds, virtualMachineId, recoveryPointId, transactionIds, adopted } = step;
  const { recoveryPointTakenAt, chosenBy } = step;
  return {
    name: `restore ${name}`,
    classname,
    seconds: durationSeconds,
    outcome: result === "complete" ? passed : { is: "error", message: reason ?? `the restore is ${result}` },
    properties: {
      machine: virtualMachineId,
      "recovery point": recoveryPointId,
      ...(chosenBy !== undefined && {
        "chosen by": chosenText(chosenBy),
        "taken at": recoveryPointTakenAt ?? "not known",
      }),
      transactions: transactionIds.join(", "),
      adopted: String(adopted),
    },
  };
}

/** An earlier try is skipped: it did not pass, but another try followed. */
function tryCase({ name, earlierTries = [] }: Step, one: EarlierTry, index: number, classname: string): Case {
  const which = one.transactionIds.length === 0 ? "" : ` (transaction ${one.transactionIds.join(", ")})`;
  const checks = one.checks.filter(({ result }) => result !== "passed").map(({ kind, target }) => `${kind} ${target}`);
  const failed = checks.length === 0 ? "" : `, not passed: ${checks.join(", ")}`;
  return {
    name: `restore ${name}, try ${String(index + 1)} of ${String(earlierTries.length + 1)}`,
    classname,
    outcome: { is: "skipped", message: `${one.status}${which}${failed}; it was restored again` },
  };
}

function missingCase(
  { restore, what, why, virtualMachineId, recoveryPointId, chosenBy }: NotCarriedOut,
  classname: string,
): Case {
  return {
    name: `restore ${restore}`,
    classname,
    outcome: { is: what === "not begun" ? "skipped" : "error", message: why },
    properties: {
      machine: virtualMachineId,
      "recovery point": recoveryPointId,
      ...(chosenBy !== undefined && { "chosen by": chosenText(chosenBy) }),
    },
  };
}

function checkCase({ name }: Step, check: Check, classname: string): Case {
  const outcome: CaseOutcome =
    check.result === "passed"
      ? passed
      : check.result === "failed"
        ? { is: "failure", message: checkText(check) }
        : { is: "skipped", message: "the check was not run" };
  return { name: `check ${name}: ${checkLabel(check)}`, classname, seconds: check.seconds, outcome };
}

function goalCase(
  { plan }: Report,
  goal: Goal,
  classname: string,
  carriedOut: "carried out" | "not carried out",
): Case {
  const { targetSeconds, measuredSeconds, marginSeconds, verdict, restore } = goal;
  const onlyWarns = plan?.onMissedGoal === "warn";
  const outcome: CaseOutcome =
    verdict === "met"
      ? passed
      : verdict === "missed" && measuredSeconds !== undefined && marginSeconds !== undefined
        ? {
            is: onlyWarns ? "skipped" : "failure",
            message: `${onlyWarns ? "missed, which only warns: " : ""}measured ${durationText(measuredSeconds)}: ${marginText(marginSeconds)}`,
          }
        : { is: "skipped", message: carriedOut === "carried out" ? "not measured" : "the restore was not carried out" };
  return {
    name: `goal ${restore ?? "of the whole plan"}: ${goalNames[goal.goal].toLowerCase()} within ${durationText(targetSeconds)}`,
    classname,
    outcome,
  };
}

/** Most readers show skipped cases green, so a run that is not known to be good needs a case that is not. */
function runCases(report: Report): readonly Case[] {
  const { result, reasons } = report.verdict;
  const classname = report.scope.name;
  const message = reasons.map(sentence).join(" ") || `the run is ${result}`;
  const outcome: CaseOutcome =
    result === "failed" ? { is: "failure", message } : result === "incomplete" ? { is: "error", message } : passed;
  return [
    { name: "verdict", classname, seconds: report.measured.recoveryTimeSeconds, outcome },
    ...report.goals
      .filter(({ scope }) => scope === "whole")
      .map((goal) => goalCase(report, goal, classname, "carried out")),
  ];
}

function sentence(text: string): string {
  return text.endsWith(".") ? text : `${text}.`;
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
    time: seconds(cases.reduce((sum, one) => sum + (one.seconds ?? 0), 0)),
  };
}

function caseElement({ name, classname, seconds: took = 0, outcome, properties: given }: Case): string {
  const children = [
    ...(given === undefined ? [] : [properties(given)]),
    ...(outcome.is === "passed"
      ? []
      : [element(outcome.is, { message: outcome.message, ...(outcome.is !== "skipped" && { type: outcome.is }) }, [])]),
  ];
  return element("testcase", { name, classname, time: seconds(took) }, children);
}

function properties(values: Attributes): string {
  return element(
    "properties",
    {},
    Object.entries(values).map(([name, value]) => element("property", { name, value }, [])),
  );
}

function seconds(value: number): string {
  return value.toFixed(3);
}

type Attributes = Readonly<Record<string, string | number>>;

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** An XML element. Characters that XML cannot hold were replaced when the model was made. */
function element(name: string, attributes: Attributes, children: readonly string[]): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(String(value))}"`);
  const start = `<${name}${written.join("")}`;
  return children.length === 0 ? `${start}/>` : `${start}>\n${children.join("\n")}\n</${name}>`;
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? "");
}
