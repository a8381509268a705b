import type { Check, NotCarriedOut, Report, Step, Wave } from "../model/model";
import {
  changeColumns,
  notCarriedOutColumns,
  restoreColumns,
  restoreRows,
  takenOutColumns,
  type Column,
} from "../model/columns";
import { isAsPlanned, goalsByKey, stepsOf } from "../model/summary";
import type { Links } from "./links";
import { cellsOf, headsOf } from "./cells";
import { foldableTable, type FoldableRow } from "./folding";
import { statusWord, markup, type Markup, type Section, columnHead, dash, section, subline, time } from "./parts";
import { durationText } from "../model/format";

export function restoresSection(report: Report, links: Links): Section | undefined {
  if (stepsOf(report).length === 0) return undefined;
  const goals = goalsByKey(report);
  const columns = restoreColumns(report);
  const groups = report.waves
    .filter((wave) => wave.restores.length > 0)
    .map((wave) => {
      const rows = wave.restores.map((step): FoldableRow => ({
        markup: markup`${restoreRows(step).map((row) => ("earlier" in row ? rowOf(columns, row, links, markup` class="try"`) : rowOf(columns, row, links, idOf(step, links))))}`,
        is: isAsPlanned(step, goals) ? "as planned" : "remarkable",
      }));
      const title = titleOf(wave);
      return { title, above: title === undefined ? undefined : waveRow(title, wave, columns.length), rows };
    });
  return section(
    "restores",
    "Restores",
    report.before === undefined ? undefined : "Below each figure: its goal, and the figure of the run before.",
    foldableTable({
      label: "Restores",
      heads: headsOf(columns),
      noun: "restore",
      foldedAs: "complete and as planned",
      groups,
    }),
  );
}

function rowOf<Row>(columns: readonly Column<Row>[], row: Row, links: Links, attributes?: Markup): Markup {
  return markup`<tr${attributes}>${cellsOf(columns, row, links)}</tr>
`;
}

function idOf(row: Step | NotCarriedOut, links: Links): Markup {
  return markup` id="${links.idOf(row)}"`;
}

export function titleOf({ name, index }: Wave): string | undefined {
  return name === undefined ? undefined : `Wave ${String(index + 1)}: ${name}`;
}

function waveRow(title: string, { startedAt, endedAt, state }: Wave, columns: number): Markup {
  const when =
    startedAt === undefined
      ? state
      : markup`waited for from ${time(startedAt)}${endedAt === undefined ? undefined : markup` to ${time(endedAt)}`}`;
  return markup`<tr class="wave"><th scope="rowgroup" class="sticky">${title}</th><td colspan="${columns - 1}" class="soft small">${when}</td></tr>`;
}

function durationCell(seconds: Check["seconds"]): Markup | string {
  return seconds === undefined ? dash : durationText(seconds);
}

export function checksSection(report: Report, links: Links): Section | undefined {
  const all = stepsOf(report).flatMap((step) => step.checks.map((check) => ({ step, check })));
  if (all.length === 0) return undefined;
  const heads = [
    columnHead("Restore", "sticky"),
    columnHead("Check", "long"),
    columnHead("Result"),
    columnHead("Tries"),
    columnHead("Took"),
    columnHead("Allowed"),
  ];
  const rows = all.map(({ step, check }): FoldableRow => ({
    markup: markup`<tr><th scope="row" class="sticky">${links.toRow(step.name)}</th><td class="long">${check.name === undefined ? undefined : markup`${check.name}<br>`}${check.kind} <code>${check.target}</code>${subline(check.expects === undefined ? undefined : `expects ${check.expects}`)}${subline(check.reason)}${check.addedLater === true ? subline("added later, measured by itself") : undefined}</td><td>${statusWord(check.result)}</td><td>${check.tries ?? dash}</td><td class="nowrap">${durationCell(check.seconds)}</td><td class="nowrap">${durationCell(check.withinSeconds)}</td></tr>
`,
    is: check.result === "passed" ? "as planned" : "remarkable",
  }));
  return section(
    "checks",
    "Checks",
    "The runner made them after each restore had ended.",
    foldableTable({ label: "Checks", heads, noun: "check", foldedAs: "passed", groups: [{ rows }] }),
  );
}

/** Everything that was changed in the plan after the run began, and how what was taken out had stood. */
export function changesSection({ changes = [], takenOut = [] }: Report, links: Links): Section | undefined {
  if (changes.length + takenOut.length === 0) return undefined;
  const many = { noun: "value", foldedAs: "" };
  const values = changes.flatMap((change) =>
    change.values.map((value): FoldableRow => ({
      markup: rowOf(changeColumns, { change, value }, links),
      is: "remarkable",
    })),
  );
  const tries = takenOut.flatMap((of) =>
    of.tries.map((one): FoldableRow => ({ markup: rowOf(takenOutColumns, { of, one }, links), is: "remarkable" })),
  );
  return section(
    "changes",
    "Changes after the run began",
    "What was changed, when and by whom, and how what was taken out had stood. Nothing here is ever taken back.",
    [
      values.length === 0
        ? undefined
        : foldableTable({
            ...many,
            label: "Changed values",
            heads: headsOf(changeColumns),
            groups: [{ rows: values }],
          }),
      tries.length === 0
        ? undefined
        : foldableTable({
            ...many,
            noun: "record",
            label: "Restores that were taken out",
            heads: headsOf(takenOutColumns),
            groups: [{ rows: tries }],
          }),
    ],
  );
}

export function notCarriedOutSection(report: Report, links: Links): Section | undefined {
  if (report.notCarriedOut.length === 0) return undefined;
  const rows = report.notCarriedOut.map((one): FoldableRow => ({
    markup: rowOf(notCarriedOutColumns, one, links, idOf(one, links)),
    is: "remarkable",
  }));
  return section(
    "not-carried-out",
    "Not carried out, or not known",
    "All values are as planned. The panel may have carried out a restore whose outcome is not stored.",
    foldableTable({
      label: "Not carried out, or not known",
      heads: headsOf(notCarriedOutColumns),
      noun: "restore",
      foldedAs: "",
      groups: [{ rows }],
    }),
  );
}
