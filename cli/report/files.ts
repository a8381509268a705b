import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../../provider/plain/text";
import { toHtml, toJson, toJunit, toMarkdown, type Report } from "../../report";
import { CommandError } from "../parts/command";
import type { Format } from "./arguments";

const renderers: Readonly<Record<Format, { readonly ending: string; readonly render: (report: Report) => string }>> = {
  html: { ending: "html", render: toHtml },
  md: { ending: "md", render: toMarkdown },
  json: { ending: "json", render: toJson },
  junit: { ending: "junit.xml", render: toJunit },
};

/** Writes the report in each format; the paths of what was written. */
export function writeReport(
  report: Report,
  formats: readonly Format[],
  folder: string,
  name: string,
): readonly string[] {
  return formats.map((format) => {
    const { ending, render } = renderers[format];
    return write(folder, `${name}.${ending}`, render(report));
  });
}

export function write(folder: string, name: string, text: string): string {
  const file = join(folder, name);
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, text);
  } catch (error) {
    throw new CommandError(`${file} cannot be written: ${messageOf(error)}`, { cause: error });
  }
  return file;
}

/** File names for subjects: a plan's name may hold what a file's must not, and two may come out alike. */
export function fileNames(subjects: readonly string[]): readonly string[] {
  if (subjects.length === 1) return ["report"];
  const taken = new Set<string>();
  return subjects.map((subject, index) => {
    const plain = `report-${subject.replaceAll(/[^A-Za-z0-9_-]+/g, "-").slice(0, 60)}`;
    const name = taken.has(plain.toLowerCase()) ? `${plain}-${String(index + 1)}` : plain;
    taken.add(name.toLowerCase());
    return name;
  });
}
