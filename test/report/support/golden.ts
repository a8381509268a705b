import { join } from "node:path";
import { readReport, report, toHtml, toJson, toJunit, toMarkdown, type Report } from "../../../report";
import * as cases from "./cases";

/** The golden files are meant to be read, so only the run with all outcomes is written in every format, and only the verdicts of similar runs are written. */

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
  const { everything, restores, ...others } = goldenReports();
  const verdicts = Object.values(others).map((made) => toMarkdown(made).split("<details>", 1)[0]);
  return [
    { name: "everything.md", text: toMarkdown(everything!) },
    { name: "restores.md", text: toMarkdown(restores!) },
    { name: "verdicts.md", text: verdicts.join("") },
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
