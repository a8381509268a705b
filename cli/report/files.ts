import { toHtml, toJson, toJunit, toMarkdown, type HtmlOptions, type Report } from "../../report";
import { writeIntoFolder } from "../parts/write";
import type { ReportFormat } from "./arguments";

type Render = (report: Report, html: HtmlOptions) => string;

const renderers: Readonly<Record<ReportFormat, { readonly ending: string; readonly render: Render }>> = {
  html: { ending: "html", render: toHtml },
  md: { ending: "md", render: toMarkdown },
  json: { ending: "json", render: toJson },
  junit: { ending: "junit.xml", render: toJunit },
};

/** Writes the report in each format and returns the files' paths. */
export function writeReport(
  report: Report,
  {
    formats,
    folder,
    html,
  }: { readonly formats: readonly ReportFormat[]; readonly folder: string; readonly html: HtmlOptions },
  name: string,
): readonly string[] {
  return formats.map((format) => {
    const { ending, render } = renderers[format];
    return writeIntoFolder(folder, `${name}.${ending}`, render(report, html));
  });
}

/**
 * File names for subjects. A plan whose name is fit for a file always gets it. Other names lose the characters that a file's name
 * must not hold, and get a number if that name is taken.
 */
export function fileNames(subjects: readonly string[]): readonly string[] {
  if (subjects.length === 1) return ["report"];
  const plain = subjects.map((subject) => subject.replaceAll(/[^A-Za-z0-9_-]+/g, "-").slice(0, 60));
  const names = new Map<number, string>();
  const taken = new Set<string>();
  const take = (index: number, name: string): void => {
    if (names.has(index) || taken.has(name.toLowerCase())) return;
    names.set(index, `report-${name}`);
    taken.add(name.toLowerCase());
  };
  plain.forEach((name, index) => {
    if (name === subjects[index]) take(index, name);
  });
  plain.forEach((name, index) => {
    take(index, name);
    for (let number = 2; !names.has(index); number++) take(index, `${name}-${String(number)}`);
  });
  return subjects.map((_, index) => names.get(index) ?? "report");
}
