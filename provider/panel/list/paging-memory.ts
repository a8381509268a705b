/** What a client has learned of how this panel pages one of its lists. */
export interface PagingMemory {
  /** `/page/p/per_page/n` was seen to honour both numbers, for every n up to this one. */
  bothUpTo: number;
  /** `/page/p/per_page/n` was seen to be answered with anything else. */
  bothFail: boolean;
  /** The most rows this panel gives for `/per_page/n`, once that was seen to be fewer than asked for. */
  cap: number | undefined;
  /** `/page/p` alone was seen to give ten rows, as documented. */
  pagesOfTen: boolean;
  /** What a page after the last one holds. */
  pastTheEnd: "unknown" | "empty" | "repeats";
}

export function newPagingMemory(): PagingMemory {
  return { bothUpTo: 0, bothFail: false, cap: undefined, pagesOfTen: false, pastTheEnd: "unknown" };
}
