import { format, resolveConfig } from "prettier";

/** Formats the text of a generated file, so that it passes the same check as other files. */
export async function formatted(text: string, path: string): Promise<string> {
  return format(text, { ...(await resolveConfig(path)), filepath: path });
}
