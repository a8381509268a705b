import { otherTriesOf, triesSinceBack } from "../../provider/plan/verdict";
import { checkText, countText, durationText, goalNames, marginText, numberText } from "./format";
import type { Change, EarlierTry, Goal, GoalWord, NotCarriedOut, Report, Step, StepResult, TakenOut } from "./model";
import { chosenText, goalFor, goalsByKey, type GoalSummary, stepsOf, stepState, type StepState } from "./summary";

/* The columns of every table that HTML and Markdown both have. */

/** A part of a cell, which each format shows in its own way. */
export type Part =
  | string
  | { readonly status: StepState | StepResult | GoalWord | NotCarriedOut["what"] }
  | { readonly time: string }
  | { readonly id: string }
  | { readonly code: string }
  | { readonly transactions: readonly string[] }
  /** The name of a restore that has a row of its own. */
  | { readonly restore: string }
  /** Words about a goal, which stand out if it is not met. */
  | { readonly words: string; readonly of: GoalWord };

/** The lines of a cell. The first one is a dash if there is none. */
export type Cell = readonly (Part | undefined)[];

export interface Column<Row> {
  readonly head: string;
  /** `name`: heads its row. `long`: may break. `figure`: does not. */
  readonly is?: "name" | "long" | "figure";
  readonly cell: (row: Row) => Cell;
}

/** A row of the restores: its last try, or an earlier one. */
export type RestoreRow = { readonly step: Step } | { readonly step: Step; readonly earlier: EarlierTry };

/** The rows of a restore, the last try first. */
export function restoreRows(step: Step): readonly RestoreRow[] {
  return [{ step }, ...(step.earlierTries ?? []).map((earlier) => ({ step, earlier }))];
}

export function restoreColumns(report: Report): readonly Column<RestoreRow>[] {
  const goals = goalsByKey(report);
  const isChecked = stepsOf(report).some(({ checks }) => checks.length > 0);
  const column = (
    head: string,
    is: Column<Step>["is"],
    cell: (step: Step) => Cell,
    ofTry: (one: EarlierTry, step: Step) => Cell = () => [],
  ): Column<RestoreRow> => ({
    head,
    ...(is !== undefined && { is }),
    cell: (row) => ("earlier" in row ? ofTry(row.earlier, row.step) : cell(row.step)),
  });
  const figure = (head: string, secondsOf: (step: Step) => number | undefined, kind?: Goal["goal"]) =>
    column(head, "figure", (step) => [
      seconds(secondsOf(step)),
      ...(kind === undefined ? [] : goalLines(goalFor(goals, kind, step.name))),
      beforeLine(step, kind),
    ]);
  return [
    column(
      "Restore",
      "name",
      ({ name, kind, paths = [], virtualMachineId }) => [
        name,
        `${kind === "FileRestore" ? `${countText(paths.length, "path")} of machine` : "machine"} ${virtualMachineId}`,
      ],
      (one, step) => [step.name, ...tryTitle(one, step)],
    ),
    column(
      "Result",
      undefined,
      (step) => [{ status: stepState(step) }, checksLine(step), step.adopted ? "adopted" : undefined],
      tryLines,
    ),
    figure("Recovered in", ({ recoveredSeconds }) => recoveredSeconds, "recoveryTime"),
    figure("Queued", ({ queuedSeconds }) => queuedSeconds),
    figure("Ran", ({ ranSeconds }) => ranSeconds),
    ...(isChecked ? [figure("Checked", ({ checkedSeconds }) => checkedSeconds)] : []),
    figure("Data age", ({ dataAgeSeconds }) => dataAgeSeconds, "dataAge"),
    column("Requested, finished (UTC)", "figure", timeLines, timeLines),
    column("Recovery point (UTC)", undefined, (step) => [
      { id: step.recoveryPointId },
      time(step.recoveryPointTakenAt),
      step.chosenBy && chosenText(step.chosenBy),
    ]),
    column("Transaction", undefined, transactionLine, transactionLine),
  ];
}

export const notCarriedOutColumns: readonly Column<NotCarriedOut>[] = [
  { head: "Restore", is: "name", cell: ({ restore }) => [restore] },
  { head: "Wave", cell: ({ wave }) => [wave] },
  { head: "Machine", cell: ({ virtualMachineId }) => [{ id: virtualMachineId }] },
  {
    head: "Recovery point",
    cell: ({ recoveryPointId, chosenBy }) => [{ id: recoveryPointId }, chosenBy && chosenText(chosenBy)],
  },
  { head: "What is known", cell: ({ what }) => [{ status: what }] },
  { head: "Why", is: "long", cell: ({ why }) => [why] },
];

export const goalColumns: readonly Column<GoalSummary>[] = [
  {
    head: "Goal",
    is: "name",
    cell: ({ scope, kind }) => [
      scope === "whole" ? `Overall ${goalNames[kind].toLowerCase()}` : `${goalNames[kind]} of each restore`,
    ],
  },
  {
    head: "Target",
    cell: ({ targets: [least, most] }) => [
      least === most ? durationText(least) : `${durationText(least)} to ${durationText(most)}`,
    ],
  },
  {
    head: "Measured, tightest",
    cell: ({ tightest }) => [
      seconds(tightest?.measuredSeconds) ?? "not measured",
      tightest?.restore === undefined ? undefined : { restore: tightest.restore },
    ],
  },
  {
    head: "Margin",
    cell: ({ tightest }) => [tightest?.marginSeconds === undefined ? undefined : marginText(tightest.marginSeconds)],
  },
  {
    head: "Verdict",
    cell: ({ scope, met, missed, notMeasured }) => [
      { status: missed > 0 ? "missed" : notMeasured > 0 ? "not measured" : "met" },
      scope === "whole" ? undefined : goalTally({ met, missed, notMeasured }),
    ],
  },
];

/** A value that a change of the plan gave another text. */
export interface ChangedRow {
  readonly change: Change;
  readonly value: Change["values"][number];
}

export const changeColumns: readonly Column<ChangedRow>[] = [
  { head: "What was changed", is: "name", cell: ({ value }) => [{ code: value.path }] },
  { head: "Before", is: "long", cell: ({ value: { before } }) => [before] },
  { head: "After", is: "long", cell: ({ value: { before, after } }) => [after ?? (before && "taken out")] },
  { head: "When (UTC), and by whom", is: "figure", cell: ({ change }) => [time(change.at), whoText(change)] },
];

/** A restore that was taken out of the plan, and one of its tries. */
export interface TakenOutRow {
  readonly of: TakenOut;
  readonly one: EarlierTry;
}

export const takenOutColumns: readonly Column<TakenOutRow>[] = [
  {
    head: "Taken out",
    is: "name",
    cell: ({ of: { restore, virtualMachineId, tries }, one }) => [
      restore,
      `machine ${virtualMachineId}`,
      tries.length === 1 ? undefined : `try ${String(tries.indexOf(one) + 1)} of ${String(tries.length)}`,
    ],
  },
  { head: "Wave", cell: ({ of: { wave } }) => [wave] },
  { head: "How it had stood", is: "long", cell: ({ one }) => tryLines(one) },
  { head: "Requested, finished (UTC)", is: "figure", cell: ({ one }) => timeLines(one) },
  { head: "Transaction", cell: ({ one }) => transactionLine(one) },
];

function seconds(value: number | undefined): string | undefined {
  return value === undefined ? undefined : durationText(value);
}

function time(iso: string | undefined): Part | undefined {
  return iso === undefined ? undefined : { time: iso };
}

function timeLines({ requestedAt, finishedAt }: Pick<Step, "requestedAt" | "finishedAt">): Cell {
  return [time(requestedAt), time(finishedAt)];
}

function transactionLine({ transactionIds }: Pick<Step, "transactionIds">): Cell {
  return transactionIds.length === 0 ? [] : [{ transactions: transactionIds }];
}

function goalLines(goal: Goal | undefined): Cell {
  if (goal === undefined) return [];
  const { targetSeconds, verdict, marginSeconds } = goal;
  return [
    { words: `goal ${durationText(targetSeconds)} ${verdict}`, of: verdict },
    marginSeconds === undefined ? undefined : { words: marginText(marginSeconds), of: verdict },
  ];
}

function beforeLine({ before }: Step, kind: Goal["goal"] | undefined): string | undefined {
  if (before === undefined || kind === undefined) return undefined;
  return `before: ${seconds(kind === "recoveryTime" ? before.recoveredSeconds : before.dataAgeSeconds) ?? "not measured"}`;
}

function checksLine({ checks }: Step): string | undefined {
  if (checks.length === 0) return undefined;
  const passed = checks.filter(({ result }) => result === "passed").length;
  return `${numberText(passed)} of ${countText(checks.length, "check")} passed`;
}

/** The result of a try, and its checks that did not pass. */
function tryLines({ result, checks }: EarlierTry): Cell {
  const failed = result === "complete" ? checks.filter((check) => check.result !== "passed") : [];
  return [{ status: failed.length > 0 ? "check failed" : result }, ...failed.map(checkText)];
}

/** A try with the restore's own transactions is this very try, before the plan was changed. */
function tryTitle(one: EarlierTry, step: Step): readonly string[] {
  const others = otherTriesOf(step);
  if (!others.includes(one)) return ["this try, before the plan was changed"];
  return [
    `earlier try ${String(others.indexOf(one) + 1)}`,
    triesSinceBack(others).includes(one) ? "counts in the recovery time" : "was back, and was restored again",
  ];
}

function goalTally({ met, missed, notMeasured }: Pick<GoalSummary, "met" | "missed" | "notMeasured">): string {
  const all = numberText(met + missed + notMeasured);
  return [
    met > 0 ? `${numberText(met)} of ${all} met` : [],
    missed > 0 ? `${numberText(missed)} missed` : [],
    notMeasured > 0 ? `${numberText(notMeasured)} not measured` : [],
  ]
    .flat()
    .join(", ");
}

/** `ada on runner-7`, or by whom the pipeline was started. */
function whoText({ user, host, pipeline }: Change): string | undefined {
  if (pipeline !== undefined)
    return [pipeline.actor ?? user, pipeline.name].filter((part) => part !== undefined).join(", ");
  return user === undefined ? host : host === undefined ? user : `${user} on ${host}`;
}
