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

export function rendered(report: Report, format: ReportFormat, html: HtmlOptions): string {
  return renderers[format].render(report, html);
}

/** Writes the report in each format and returns the files' paths. */
export function writeReport(
  report: Report,
  { formats, html }: { readonly formats: readonly ReportFormat[]; readonly html: HtmlOptions },
  folder: string,
  name: string,
): readonly string[] {
  return formats.map((format) =>
    writeIntoFolder(folder, `${name}.${renderers[format].ending}`, rendered(report, format, html)),
  );
}

/** A file name for each subject: without characters that are invalid in file names, and with a number if the name is taken. */
export function fileNames(subjects: readonly string[]): readonly string[] {
  if (subjects.length === 1) return ["report"];
  const plain = subjects.map((subject) => subject.replaceAll(/[^A-Za-z0-9_-]+/g, "-").slice(0, 60));
  // A plan whose name is a valid file name always gets that name.
  const taken = new Set(plain.filter((name, index) => name === subjects[index]).map((name) => name.toLowerCase()));
  const given = new Set<string>();
  return plain.map((name, index) => {
    let free = name;
    const isOwn = name === subjects[index] && !given.has(name.toLowerCase());
    for (let number = 2; !isOwn && taken.has(free.toLowerCase()); number++) free = `${name}-${String(number)}`;
    taken.add(free.toLowerCase());
    given.add(free.toLowerCase());
    return `report-${free}`;
  });
}
