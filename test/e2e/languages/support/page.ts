import { blocksOf } from "../../../docs/support/pages";

const page = "docs/other-languages.md";

/** The program in a language on the page about other languages: the first block of it. */
export function programOnPage(language: string): string {
  const block = blocksOf(page).find((one) => one.language === language);
  if (block === undefined) throw new Error(`${page} has no program in ${language}`);
  return block.code;
}
