import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isRealDay } from "../../provider/plain/clock";
import { omitUndefined, isObject } from "../../provider/plain/plain";
import { errorMessage } from "../../provider/plain/text";
import { CommandError } from "./command";
import { projectFolder } from "./provider-settings";

/** An accepted question, which is still counted but no longer asked. */
export interface KnownQuestion {
  /** The code of the finding, such as `list.cost`. */
  readonly code: string;
  /** A word that the question must contain, such as a machine, a restore or a status. Without it, every question with the code is accepted. */
  readonly about?: string;
  /** The reason, for whoever reads the file. */
  readonly why: string;
  /** The last day on which the question is accepted, such as `2027-03-31`. */
  readonly until?: string;
}

export type KnownQuestions = readonly KnownQuestion[];

const knownFileName = "recovery-known.json";

/** Reads the named file, which must exist. Without a name, reads the file in the project's folder, if there is one. */
export async function loadKnownQuestions(named: string | undefined): Promise<KnownQuestions> {
  const file = named ?? join(projectFolder() ?? process.cwd(), knownFileName);
  if (named === undefined && !existsSync(file)) return [];
  const shown = named ?? knownFileName;
  try {
    return readKnownQuestions(await readFile(file, "utf8"));
  } catch (error) {
    throw new CommandError(`the known questions in ${shown} cannot be read: ${errorMessage(error)}`, { cause: error });
  }
}

/** Throws if anything in the file is wrong, because a misspelled key would accept nothing, or too much. */
function readKnownQuestions(json: string): KnownQuestions {
  const all: unknown = JSON.parse(json.replace(/^\u{feff}/u, ""));
  if (!isObject(all) || !Array.isArray(all["known"]))
    throw new Error('it must have the form { "known": [{ "code": "list.cost", "why": "…" }] }');
  return all["known"].map((entry: unknown, index) => {
    const where = `entry ${String(index + 1)}`;
    if (!isObject(entry)) throw new Error(`${where} is not an object`);
    const other = Object.keys(entry).find((name) => !(entryKeys as readonly string[]).includes(name));
    if (other !== undefined) throw new Error(`${where} has ${other}; use only ${entryKeys.join(", ")}`);
    const text = (name: (typeof entryKeys)[number]): string | undefined => {
      const value = entry[name];
      if (value !== undefined && (typeof value !== "string" || value.trim() === ""))
        throw new Error(`"${name}" in ${where} is not a string`);
      return value;
    };
    const [code, about, why, until] = entryKeys.map(text);
    if (code === undefined || why === undefined) throw new Error(`${where} needs code and why`);
    if (until !== undefined && (!/^\d{4}-\d{2}-\d{2}$/.test(until) || !isRealDay(until)))
      throw new Error(`"until" in ${where} must be a valid date, such as 2027-03-31`);
    return { code, why, ...omitUndefined({ about, until }) };
  });
}

const entryKeys = ["code", "about", "why", "until"] as const;

/** The entry that accepts a question today, if any. `text` contains the question's wording and its subject. */
export function findKnownQuestion(
  { code, text }: { readonly code: string; readonly text: string },
  questions: KnownQuestions,
  now: Date,
): KnownQuestion | undefined {
  const today = now.toISOString().slice(0, 10);
  return questions.find(
    (one) =>
      one.code === code &&
      (one.until === undefined || today <= one.until) &&
      (!one.about || containsWord(text, one.about)),
  );
}

/** Matches only whole words: 4 does not match 42. */
function containsWord(text: string, word: string): boolean {
  const plain = word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  return new RegExp(`(?<![\\p{L}\\p{N}_-])${plain}(?![\\p{L}\\p{N}_-])`, "u").test(text);
}
