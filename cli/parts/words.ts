import { formatElapsed } from "../../provider/plain/clock";

export function count(number: number, noun: string, several = `${noun}s`): string {
  return `${String(number)} ${number === 1 ? noun : several}`;
}

/** The one spelling of durations: `1h 5m 5s`. */
export function duration(seconds: number): string {
  return formatElapsed(Math.abs(seconds) * 1_000);
}

/** `9d 2h`: people compare two units at most. */
export function roughly(seconds: number): string {
  const units = [86_400, 3_600, 60, 1];
  const names = ["d", "h", "m", "s"];
  const whole = Math.floor(Math.abs(seconds));
  const largest = units.findIndex((unit) => whole >= unit);
  if (largest === -1) return "0s";
  let rest = whole;
  const parts = units.slice(largest, largest + 2).flatMap((unit, index) => {
    const amount = Math.floor(rest / unit);
    rest -= amount * unit;
    return amount === 0 ? [] : [`${String(amount)}${names[largest + index] ?? ""}`];
  });
  return `${seconds < 0 ? "-" : ""}${parts.join(" ")}`;
}

/** Stored reasons end in many ways. */
export function withoutFullStop(text: string): string {
  return text.trimEnd().replace(/[.!?]$/, "");
}

/** Wraps a text into lines of at most `width` columns; longer words keep a line of their own. */
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
