import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Formats the text of a generated file, so that it passes the same check as other files. */
export async function formatted(text: string, path: string): Promise<string> {
  const { format } = await import("oxfmt");
  const options = JSON.parse(readFileSync(join(__dirname, "..", ".oxfmtrc.json"), "utf8")) as { printWidth: number };
  return (await format(path, text, options)).code;
}
