/** How the commands speak. */

export function count(number: number, noun: string, several = `${noun}s`): string {
  return `${String(number)} ${number === 1 ? noun : several}`;
}

/** The first of them, and how many more there are. */
export function some(words: readonly string[], most = 8): string {
  const more = words.length - most;
  return more > 0 ? `${words.slice(0, most).join(", ")} and ${String(more)} more` : words.join(", ");
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
