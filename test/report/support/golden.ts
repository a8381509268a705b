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
import { toHtml as runbookToHtml } from "../../../cli/runbook/to-html";
import { toMarkdown as runbookToMarkdown } from "../../../cli/runbook/to-markdown";
import { runbookCase } from "../../cli/support/runbook-cases";
import * as cases from "./cases";

/**
 * The golden files: every report in every format, divided into parts. A file holds one part for all runs, each text once below the names
 * of its runs, so a change of one part is a change of one file. The order of each run's parts is kept, too. JSON stands dense, with as much on
 * a line as fits.
 */

export const folder = join(__dirname, "..", "golden");

interface Format {
  readonly render: (made: Report) => string;
  /** Matches the first line of a part; the first group that matches is the part's name. */
  readonly begins: RegExp;
}

const formats: Readonly<Record<string, Format>> = {
  html: {
    render: (made) => withDensePlan(withoutStyle(toHtml(made))),
    begins:
      /^<(?:(head|header|nav|footer)\b|section [^>]*aria-label(?:ledby)?="([^"]+)"|dl class="(figures|facts)"|details><summary>(The plan)\b)/,
  },
  md: {
    render: toMarkdown,
    begins:
      /^(?:#### (What needs attention|Not carried out)|\| (Goal) \||<details><summary>(Changes|\w+(?=<))|<(sub)>)/,
  },
  json: { render: (made) => dense(JSON.parse(toJson(made)), "", true), begins: /^ {2}"(\w+)":/ },
  junit: { render: toJunit, begins: /^<testsuite name=".*: (wave \d+|the run)\b/ },
};

const plainGoals: ReportOptions = {
  goalTimeSeconds: 1_500,
  goalAgeSeconds: 86_400,
  takenAt: { "1007": "2026-11-21T01:00:00Z" },
};

/** Every run with golden files. */
export function goldenReports(): Readonly<Record<string, Report>> {
  return {
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

interface GoldenFile {
  readonly name: string;
  readonly file: string;
  readonly text: string;
}

export function goldenFiles(): readonly GoldenFile[] {
  const reports = Object.entries(goldenReports());
  const history = historyPage(cases.history().map((state) => readReport(toJson(report(state)))));
  const kept = Object.entries(formats).flatMap(([format, { render, begins }]) => {
    return byPart(format, new Map(reports.map(([name, made]) => [name, partsOf(render(made), begins)])));
  });
  const runbook = pageOf(runbookOf(runbookCase));
  return [
    ...kept,
    { name: "history.html", text: withoutStyle(history) },
    { name: "runbook.html", text: withoutStyle(runbookToHtml(runbook)) },
    { name: "runbook.md", text: runbookToMarkdown(runbook) },
  ].map((one) => ({
    ...one,
    file: join(folder, one.name),
  }));
}

/** The parts of a text by name, in their order. Joined, they are the text. */
function partsOf(text: string, begins: RegExp): ReadonlyMap<string, string> {
  const parts = new Map<string, string>();
  let part = "beginning";
  for (const line of text.split(/(?<=\n)/)) {
    const name = begins
      .exec(line)
      ?.slice(1)
      .find((group) => group !== undefined);
    if (name !== undefined) {
      const times = [...parts.keys()].filter((known) => known.replace(/ \(\d+\)$/, "") === name).length;
      part = times === 0 ? name : `${name} (${String(times + 1)})`;
    }
    parts.set(part, (parts.get(part) ?? "") + line);
  }
  return parts;
}

function byPart(
  format: string,
  ofRuns: ReadonlyMap<string, ReadonlyMap<string, string>>,
): readonly { readonly name: string; readonly text: string }[] {
  const names = new Set([...ofRuns.values()].flatMap((parts) => [...parts.keys()]));
  const files = [...names].map((part) => {
    const runsByText = new Map<string, string[]>();
    for (const [run, parts] of ofRuns) {
      const text = parts.get(part);
      if (text !== undefined) runsByText.set(text, [...(runsByText.get(text) ?? []), run]);
    }
    const shown = [...runsByText].map(([text, runs]) => `=== ${runs.join(", ")}\n${text}\n`);
    return { name: `${format}/${fileName(part)}.txt`, text: shown.join("") };
  });
  const order = [...ofRuns].map(([run, parts]) => `${run}: ${[...parts.keys()].join(", ")}\n`);
  return [...files, { name: `${format}/order.txt`, text: order.join("") }];
}

function fileName(part: string): string {
  return part
    .replaceAll(/(?<=[a-z])(?=[A-Z])|\W+/g, "-")
    .replace(/-$/, "")
    .toLowerCase();
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
