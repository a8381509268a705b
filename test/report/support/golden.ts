import { join } from "node:path";
import {
  historyPage,
  readReport,
  report,
  toHtml,
  toJson,
  toJunit,
  toMarkdown,
  type Report,
  type ReportOptions,
} from "../../../report";
import { pageOf } from "../../../cli/runbook/content";
import { runbookOf } from "../../../cli/runbook/model";
import { toMarkdown as runbookToMarkdown } from "../../../cli/runbook/to-markdown";
import { runbookCase } from "../../cli/support/runbook-cases";
import * as cases from "./cases";

/**
 * The golden files are there to be read: each story as Markdown, and all that can happen in one run as page, JSON and JUnit XML, too.
 * `shows-the-same.test.ts` holds the pages of the other stories to their Markdown. JSON stands dense, with as much on a line as fits.
 */

export const folder = join(__dirname, "..", "golden");

const plainGoals: ReportOptions = {
  goalTimeSeconds: 1_500,
  goalAgeSeconds: 86_400,
  takenAt: { "1007": "2026-11-21T01:00:00Z" },
};

/** Every story. */
export function goldenReports(): Readonly<Record<string, Report>> {
  return {
    everything: report(cases.everything, { earlier: [readReport(toJson(report(cases.earlier)))] }),
    passed: report(cases.passed),
    "by-rule": report(cases.byRule),
    "passed-with-warnings": report(cases.withWarnings, { earlier: [readReport(toJson(report(cases.earlier)))] }),
    failed: report(cases.failed),
    "check-failed": report(cases.checkFailed),
    "broken-off": report(cases.brokenOff),
    retried: report(cases.retried),
    changed: report(cases.changed),
    restores: report(cases.restores, plainGoals),
    hostile: report(cases.hostile),
    empty: report(cases.empty, { stack: "drill" }),
  };
}

/** The states of which there are runbooks. */
export const runbookStates: Readonly<Record<string, object>> = {
  runbook: runbookCase,
  "runbook-by-rule": cases.byRule,
  "runbook-broken-off": cases.brokenOff,
};

interface GoldenFile {
  readonly name: string;
  readonly file: string;
  readonly text: string;
}

export function goldenFiles(): readonly GoldenFile[] {
  const reports = goldenReports();
  const { everything, "passed-with-warnings": withWarnings } = reports;
  const history = historyPage(cases.history().map((state) => readReport(toJson(report(state)))));
  return [
    ...Object.entries(reports).map(([name, made]) => ({ name: `${name}.md`, text: toMarkdown(made) })),
    { name: "everything.html", text: withDensePlan(withoutStyle(toHtml(everything!))) },
    { name: "everything.json", text: dense(JSON.parse(toJson(everything!)), "", true) },
    { name: "everything.xml", text: toJunit(everything!) },
    { name: "passed-with-warnings.xml", text: toJunit(withWarnings!) },
    { name: "history.html", text: withoutStyle(history) },
    ...Object.entries(runbookStates).map(([name, state]) => ({
      name: `${name}.md`,
      text: runbookToMarkdown(pageOf(runbookOf(state))),
    })),
  ].map((one) => ({ ...one, file: join(folder, one.name) }));
}

/** JSON with as much on each line as fits. At the top every property has a line of its own: the parts begin there. */
function dense(value: unknown, indent = "", isTop = false): string {
  const flat = JSON.stringify(value);
  if (typeof value !== "object" || value === null || (!isTop && fits(indent + flat))) return flat;
  const inner = `${indent}  `;
  const items = Array.isArray(value)
    ? value.map((item) => dense(item, inner))
    : Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${dense(item, inner)}`);
  const [first = "", ...others] = items;
  const lines = others.reduce((text, item) => {
    const last = text.slice(text.lastIndexOf("\n") + 1);
    const isOneLine = !isTop && !item.includes("\n") && !last.startsWith(`${inner}}`) && !last.startsWith(`${inner}]`);
    return isOneLine && fits(`${last}, ${item}`) ? `${text}, ${item}` : `${text},\n${inner}${item}`;
  }, inner + first);
  return Array.isArray(value) ? `[\n${lines}\n${indent}]` : `{\n${lines}\n${indent}}`;
}

function fits(line: string): boolean {
  return line.length <= 150;
}

/** The plan as given is JSON in the page. All else that is escaped in it stays so. */
function withDensePlan(page: string): string {
  return page.replace(/(?<=<pre tabindex="0">)\{[^<]*\}(?=<\/pre>)/, (plan) =>
    dense(JSON.parse(plan.replaceAll("&quot;", '"'))).replaceAll('"', "&quot;"),
  );
}

/** The style sheet is left out: it is the same in every page. Each cell of a table gets a line. */
function withoutStyle(text: string): string {
  return text
    .replace(/<style>[\s\S]*?<\/style>/, "<style></style>")
    .replace(/'sha256-[^']+'|&#39;sha256-.+?&#39;/, "'sha256-'")
    .replaceAll(/<\/t[dh]>(?=<t[dh])/g, "$&\n");
}
