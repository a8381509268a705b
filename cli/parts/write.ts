import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { errorMessage } from "../../provider/plain/text";
import { CommandError } from "./command";

/** Writes a file into a folder, which is made where there is none; its path. */
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

/** Not Node's own way of making all of them: below a folder such as /proc, where none can be made, that never ends. */
function createFolder(folder: string): void {
  if (existsSync(folder)) return;
  createFolder(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another job may have made it meanwhile.
    if (!existsSync(folder)) throw error;
  }
}
