import { formatDuration } from "../../../provider/inputs/duration";
import type { Redact } from "../../../provider/panel/secrets";
import { forTerminal } from "../../../provider/plain/text";

/** A word of the panel's for a line of text: on one line, and no longer than one can read. */
export function shown(word: string, redact: Redact): string {
  const line = forTerminal(redact(word)).replaceAll(/\s+/g, " ");
  return line.length > 50 ? `${line.slice(0, 49)}…` : line;
}

/** As people say it: whole seconds. */
export function span(seconds: number): string {
  return formatDuration(Math.round(Math.abs(seconds)));
}

export function count(number: number, noun: string, several = `${noun}s`): string {
  return `${String(number)} ${number === 1 ? noun : several}`;
}

/** The first of them, and how many more there are. */
export function some(words: readonly string[], most = 8): string {
  const more = words.length - most;
  return more > 0 ? `${words.slice(0, most).join(", ")} and ${String(more)} more` : words.join(", ");
}
