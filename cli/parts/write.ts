import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { errorMessage } from "../../provider/plain/text";
import { CommandError } from "./command";

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

/** Creates a folder and its parents. Node's recursive `mkdir` never returns below a folder such as /proc. */
export function createFolder(folder: string): void {
  if (existsSync(folder)) return;
  createFolder(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another job may have created it in the meantime.
    if (!existsSync(folder)) throw error;
  }
}
