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
import * as cases from "./cases";

const folder = join(__dirname, "..", "golden");

const formats = { html: toHtml, md: toMarkdown, json: toJson, "junit.xml": toJunit } as const;

const plainGoals: ReportOptions = {
  goalTimeSeconds: 1_500,
  goalAgeSeconds: 86_400,
  takenAt: { "1007": "2026-11-21T01:00:00Z" },
};

/** Every run that golden files are kept of. */
export function goldenReports(): Readonly<Record<string, Report>> {
  return {
    passed: report(cases.passed),
    "passed-with-warnings": report(cases.withWarnings, { earlier: [readReport(toJson(report(cases.earlier)))] }),
    failed: report(cases.failed),
    "check-failed": report(cases.checkFailed),
    "broken-off": report(cases.brokenOff),
    retried: report(cases.retried),
    restores: report(cases.restores, plainGoals),
    hostile: report(cases.hostile),
    empty: report(cases.empty, { stack: "drill" }),
  };
}

export function goldenFiles(): readonly { readonly name: string; readonly file: string; readonly text: string }[] {
  const reports = Object.entries(goldenReports()).flatMap(([name, made]) =>
    Object.entries(formats).map(([ending, render]) => ({
      name: `${name}.${ending}`,
      text: withoutStyle(render(made)),
    })),
  );
  const history = historyPage(cases.history().map((state) => readReport(toJson(report(state)))));
  return [...reports, { name: "history.html", text: withoutStyle(history) }].map((one) => ({
    ...one,
    file: join(folder, one.name),
  }));
}

/** The style sheet is one file, the same in every page; a change of it is not a change of all of them. */
function withoutStyle(text: string): string {
  return text
    .replace(/<style>[\s\S]*?<\/style>/, "<style></style>")
    .replace(/'sha256-[^']+'|&#39;sha256-.+?&#39;/, "'sha256-'");
}
