import { writeFileSync } from "node:fs";

/** Keeps what the terminal shows in the file that `SHOWN_FILE` names, for a note about it. */
export function keep(text: string): void {
  const { SHOWN_FILE: file } = process.env;
  if (file !== undefined) writeFileSync(file, text);
}
