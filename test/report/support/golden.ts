import { join } from "node:path";
import { readReport, report, toHtml, toJson, toJunit, toMarkdown, type Report } from "../../../report";
import * as cases from "./cases";

/** The golden files are meant to be read, so each case is written as Markdown, but only the run with all outcomes is written in the other formats. */

export const folder = join(__dirname, "..", "golden");

export function goldenReports(): Readonly<Record<string, Report>> {
  const earlier = cases.history().map((state) => readReport(toJson(report(state))));
  return {
    everything: report(cases.everything, { earlier }),
    passed: report(cases.passed, { earlier }),
    "broken-off": report(cases.brokenOff),
    restores: report(cases.restores),
  };
}

interface GoldenFile {
  readonly name: string;
  readonly file: string;
  readonly text: string;
}

export function goldenFiles(): readonly GoldenFile[] {
  const reports = goldenReports();
  const { everything } = reports;
  return [
    ...Object.entries(reports).map(([name, made]) => ({ name: `${name}.md`, text: toMarkdown(made) })),
    { name: "everything.html", text: withoutStyle(toHtml({ ...everything!, plan: undefined })) },
    { name: "everything.json", text: toJson({ ...everything!, plan: undefined }) },
    { name: "everything.xml", text: toJunit(everything!) },
  ].map((one) => ({ ...one, file: join(folder, one.name) }));
}

/** The style sheet is left out, because it is the same on every page. */
function withoutStyle(text: string): string {
  return text
    .replace(/<style>[\s\S]*?<\/style>/, "<style></style>")
    .replace(/'sha256-[^']+'|&#39;sha256-.+?&#39;/, "'sha256-'");
}
