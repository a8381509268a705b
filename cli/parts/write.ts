import { appendFileSync, existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { errorMessage } from "../../provider/plain/text";
import { CommandError, type ExitCode, exitCodes, type Io } from "./command";

/** Writes a file, creates its folder if necessary, and returns the file's path. */
export function writeIntoFolder(folder: string, name: string, text: string): string {
  const file = join(folder, name);
  try {
    createFolder(resolve(folder));
    writeFileSync(file, text);
  } catch (error) {
    throw new CommandError(`${file} cannot be written: ${errorMessage(error)}`, { cause: error });
  }
  return file;
}

/** Creates a folder and its parents. Node's recursive `mkdir` hangs below a folder such as /proc. */
export function createFolder(folder: string): void {
  if (existsSync(folder)) return;
  createFolder(dirname(folder));
  mkdirSync(folder);
}

/** GitHub shows at most 1,024 kB of summary per step. A longer summary is not shown at all. */
const mostBytes = 1_000_000;

/** Appends to the job's summary, if the pipeline has one, and reports the result. */
export function appendJobSummary(markdown: string, whereTheRestIs: string, io: Io): ExitCode {
  try {
    append(markdown, whereTheRestIs, io);
    return exitCodes.done;
  } catch (error) {
    io.warn(`the job's summary cannot be written: ${errorMessage(error)}`);
    return exitCodes.cannot;
  }
}

function append(markdown: string, whereTheRestIs: string, { environment, say }: Io): void {
  const file = environment["GITHUB_STEP_SUMMARY"];
  if (file === undefined || file === "") {
    say(`No job summary here (GITHUB_STEP_SUMMARY is not set). ${whereTheRestIs}`);
    return;
  }
  const room = mostBytes - (existsSync(file) ? statSync(file).size : 0);
  const part = cutMarkdown(`${markdown}\n`, room, whereTheRestIs);
  appendFileSync(file, part);
  say(part === `${markdown}\n` ? "Appended to the job's summary" : "Appended to the job's summary, cut to fit");
}

/** Cuts Markdown at the end of a line, closes any open `<details>` element and adds a notice, even if nothing else fits. */
function cutMarkdown(markdown: string, mostBytes: number, whereTheRestIs: string): string {
  if (Buffer.byteLength(markdown) <= mostBytes) return markdown;
  const cutNotice = `\n\n**Cut here:** the job's summary has no more room. ${whereTheRestIs}\n`;
  const closing = "\n\n</details>\n";
  const room = Math.max(0, mostBytes - Buffer.byteLength(cutNotice) - Buffer.byteLength(closing));
  // Drops the last line, because the cut may have split a character in it.
  const part = Buffer.from(markdown).subarray(0, room).toString("utf8");
  const lines = part.slice(0, Math.max(0, part.lastIndexOf("\n")));
  const open = (lines.match(/^<details>/gm) ?? []).length > (lines.match(/^<\/details>$/gm) ?? []).length;
  return `${lines}${open ? closing : ""}${cutNotice}`;
}
