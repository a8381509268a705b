export interface Section {
  /** The word that a message's last line names. */
  readonly word: string;
  readonly title: string;
  readonly text: string;
}

/** The sections of the page: a heading of any level with the line `<!-- help: word -->` right below it. */
export function sectionsIn(markdown: string): readonly Section[] {
  return markdown.split(/^(?=#{2,4} )/m).flatMap((part): Section[] => {
    const [, title = "", word, text = ""] = /^#{2,4} (.+)\r?\n\s*<!-- help: ([a-z]+) -->\r?\n([^]*)$/.exec(part) ?? [];
    return word === undefined ? [] : [{ word, title: title.trim(), text: text.trim() }];
  });
}

/** The section that a word names, or else the section that shares the most words with the message. */
export function findSection(sections: readonly Section[], words: readonly string[]): Section | undefined {
  const asked = words.join(" ").toLowerCase();
  const named = sections.find(({ word }) => word === asked || asked.endsWith(`pulumi-recovery help ${word}`));
  if (named !== undefined) return named;
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
