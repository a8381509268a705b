import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { errorMessage } from "../../provider/plain/text";
import {
  type EarlierReport,
  type HtmlOptions,
  readReport,
  type Report,
  toHtml,
  toJson,
  toJunit,
  toMarkdown,
} from "../../report";
import { CommandError } from "../parts/command";
import { readTextFile } from "../parts/load-state";
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

/** A file name for each subject: invalid characters are replaced, and a number is added if the name is taken. */
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

/** Reads reports of earlier runs from JSON files, and from folders that contain such files at any depth. */
export async function readEarlierReports(places: readonly string[]): Promise<readonly EarlierReport[]> {
  const files = await Promise.all(places.map(reportFilesIn));
  return Promise.all(files.flat().map(readEarlierReport));
}

const isOfPackage = /(?:^|[\\/])node_modules[\\/]/;

/** The file itself, or a folder's files with names that `report` uses, such as `report.json` and `report-shop.json`. */
async function reportFilesIn(place: string): Promise<readonly string[]> {
  const names = await readdir(place, { recursive: true }).catch(() => undefined);
  if (names === undefined) return [place];
  const isOwn = (name: string): boolean => /^report(?:-[^/]*)?\.json$/.test(basename(name)) && !isOfPackage.test(name);
  const reports = names.filter(isOwn).sort();
  if (reports.length === 0)
    throw new CommandError(`--history: ${place} contains no reports (report.json or report-….json)`);
  return reports.map((name) => join(place, name));
}

async function readEarlierReport(file: string): Promise<EarlierReport> {
  const json = await readTextFile(file);
  try {
    return readReport(json);
  } catch (error) {
    throw new CommandError(`--history: ${file} ${errorMessage(error)}`, { cause: error });
  }
}
