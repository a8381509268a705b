import { firstFew } from "../../provider/plain/text";

export function count(number: number, noun: string, several = `${noun}s`): string {
  return `${String(number)} ${number === 1 ? noun : several}`;
}

/** Lists the panel's words or names, up to a limit: a sentence has room for fewer than a table. */
export function some(words: readonly string[], most = 8): string {
  return firstFew(words, most);
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
