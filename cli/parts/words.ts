import { formatDuration } from "../../provider/inputs/duration";

export function count(number: number, noun: string, several = `${noun}s`): string {
  return `${String(number)} ${number === 1 ? noun : several}`;
}

/** `9d 2h`: people compare at most two units. */
export function roughly(seconds: number): string {
  const whole = Math.floor(Math.abs(seconds));
  const smallest = whole >= 86_400 ? 3_600 : whole >= 3_600 ? 60 : 1;
  return `${seconds < 0 ? "-" : ""}${formatDuration(whole - (whole % smallest))}`;
}

/** Stored reasons end in various ways. */
export function withoutFullStop(text: string): string {
  return text.trimEnd().replace(/[.!?]$/, "");
}

/** Wraps a text into lines of at most `width` columns; longer words get a line of their own. */
export function wrapped(text: string, width: number, first: string, rest = first): readonly string[] {
  const done: string[] = [];
  let line = first;
  let isEmpty = true;
  for (const word of text.split(/\s+/).filter((each) => each !== "")) {
    if (!isEmpty && line.length + 1 + word.length > width) {
      done.push(line);
      line = rest;
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...done, line];
}
