import { errorMessage } from "../../provider/plain/text";
import { CommandError } from "../parts/command";
import { readTextFile } from "../parts/load-state";

/** Reads a list of machines: ids, one a line, or a list in JSON. Lines that begin with # are comments. */
export async function readInventory(file: string): Promise<readonly string[]> {
  const text = (await readTextFile(file)).replace(/^\u{feff}/u, "");
  const ids = text.trimStart().startsWith("[") ? idsInJson(text, file) : idsInLines(text);
  if (ids.length === 0) throw new CommandError(`--inventory: ${file} names no machine`);
  return [...new Set(ids)];
}

function idsInLines(text: string): readonly string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
}

function idsInJson(text: string, file: string): readonly string[] {
  let ids: unknown;
  try {
    ids = JSON.parse(text);
  } catch (error) {
    throw new CommandError(`--inventory: ${file} is not JSON: ${errorMessage(error)}`, { cause: error });
  }
  if (!Array.isArray(ids) || !ids.every((id) => typeof id === "string" || typeof id === "number"))
    throw new CommandError(`--inventory: ${file} is no list of ids, like [41, "web-2"]`);
  return ids.map(String);
}
