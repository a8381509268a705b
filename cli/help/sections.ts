import { phrases } from "./phrases";

export interface Section {
  /** The word that a message's last line names. */
  readonly word: string;
  readonly title: string;
  readonly text: string;
  /** Parts of the messages that it is about, in lower case. */
  readonly phrases: readonly string[];
}

/** The sections of the pages: a heading of any level with the line `<!-- help: word -->` right below it. */
export function sectionsIn(markdown: string): readonly Section[] {
  return markdown.split(/^(?=#{2,4} )/m).flatMap((part): Section[] => {
    const [, title = "", word, text = ""] = /^#{2,4} (.+)\r?\n\s*<!-- help: (\w+) -->\r?\n([^]*)$/.exec(part) ?? [];
    if (word === undefined) return [];
    const said = (phrases[word] ?? []).map((one) => one.toLowerCase());
    return [{ word, title: title.trim(), text: text.trim(), phrases: said }];
  });
}

/** The section that a word names, else that of the longest part of a message, else the section that shares the most words with the message. */
export function findSection(sections: readonly Section[], words: readonly string[]): Section | undefined {
  // A terminal breaks a message's lines within words.
  const asked = words.join(" ").replace(/\s+/g, " ").trim().toLowerCase();
  const named = sections.find(({ word }) => word === asked || asked.endsWith(`pulumi-recovery help ${word}`));
  if (named !== undefined) return named;
  const [said] = sections
    .flatMap((section) => section.phrases.map((phrase) => ({ section, phrase })))
    .filter(({ phrase }) => asked.includes(phrase))
    .sort((a, b) => b.phrase.length - a.phrase.length);
  if (said !== undefined) return said.section;
  const wanted = new Set(wordsIn(asked));
  const scored = sections
    .map((section) => {
      const title = wordsIn(`${section.word} ${section.title}`);
      const inText = new Set(wordsIn(section.text));
      const score = [...wanted].reduce((sum, one) => sum + (title.includes(one) ? 3 : inText.has(one) ? 1 : 0), 0);
      return { section, score };
    })
    .sort((a, b) => b.score - a.score);
  const [best] = scored;
  return best !== undefined && best.score > 0 ? best.section : undefined;
}

/** Short words occur in every section. */
function wordsIn(text: string): readonly string[] {
  return text.toLowerCase().match(/[a-z]{4,}/g) ?? [];
}
