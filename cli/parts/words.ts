import { firstFew } from "../../provider/plain/text";

/** How the commands speak. */

export function count(number: number, noun: string, several = `${noun}s`): string {
  return `${String(number)} ${number === 1 ? noun : several}`;
}

/** Words and names of a panel: a table has room for more of them than a sentence. */
export function some(words: readonly string[], most = 8): string {
  return firstFew(words, most);
}

/** Lines no longer than `width`, as far as the words allow. */
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
