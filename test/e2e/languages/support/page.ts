import { blocksOf } from "../../../docs/support/pages";

/** The program on a page in the given language: the first code block in that language. */
export function programOnPage(language: string, page = "docs/other-languages.md"): string {
  const block = blocksOf(page).find((one) => one.language === language);
  if (block === undefined) throw new Error(`${page} has no program in ${language}`);
  return block.code;
}
