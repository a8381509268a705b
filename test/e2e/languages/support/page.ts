import { blocksOf } from "../../../docs/support/pages";

/** A language's program on a page: the first block in that language. */
export function programOnPage(language: string, page = "docs/other-languages.md"): string {
  const block = blocksOf(page).find((one) => one.language === language);
  if (block === undefined) throw new Error(`${page} has no program in ${language}`);
  return block.code;
}
