import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { errorMessage } from "../../provider/plain/text";
import { type EarlierReport, readReport, ReportError } from "../../report";
import { CommandError } from "./command";
import { readTextFile } from "./load-state";

/** Reads reports of earlier runs from JSON files, and from folders that contain such files at any depth. */
export async function readEarlierReports(places: readonly string[]): Promise<readonly EarlierReport[]> {
  const files = await Promise.all(places.map(reportFilesIn));
  return Promise.all(files.flat().map(readEarlierReport));
}

/** The file itself, or the files of a folder that `report` has named: `report.json`, `report-shop.json`. */
async function reportFilesIn(place: string): Promise<readonly string[]> {
  const isFolder = await stat(place).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) return [place];
  const names = await readdir(place, { recursive: true }).catch((error: unknown) => {
    throw new CommandError(`--history: ${place} cannot be read: ${errorMessage(error)}`, { cause: error });
  });
  const reports = names.filter((name) => /^report(?:-[^/]*)?\.json$/.test(basename(name))).sort();
  if (reports.length === 0)
    throw new CommandError(`--history: ${place} holds no report: no report.json and no report-….json`);
  return reports.map((name) => join(place, name));
}

async function readEarlierReport(file: string): Promise<EarlierReport> {
  const json = await readTextFile(file);
  try {
    return readReport(json);
  } catch (error) {
    if (error instanceof ReportError) throw new CommandError(`--history: ${file} ${error.message}`, { cause: error });
    throw error;
  }
}
