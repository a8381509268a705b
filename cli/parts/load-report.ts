import { type EarlierReport, readReport, ReportError } from "../../report";
import { CommandError } from "./command";
import { readTextFile } from "./load-state";

/** Reads a report of an earlier run from its JSON file. */
export async function readEarlierReport(file: string): Promise<EarlierReport> {
  const json = await readTextFile(file);
  try {
    return readReport(json);
  } catch (error) {
    if (error instanceof ReportError) throw new CommandError(`--history: ${file} ${error.message}`, { cause: error });
    throw error;
  }
}
