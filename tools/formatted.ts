import { format, resolveConfig } from "prettier";

/** A generated file's text as the formatter wants it, so that it passes the same check as what is written by hand. */
export async function formatted(text: string, path: string): Promise<string> {
  return format(text, { ...(await resolveConfig(path)), filepath: path });
}
