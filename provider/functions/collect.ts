import type { Page } from "../panel/terms/types";

/** The first `limit` rows of a walk. Leaving the loop asks for no further page. */
export async function collect<Item>(pages: AsyncIterable<Page<Item>>, limit: number): Promise<Item[]> {
  const items: Item[] = [];
  for await (const page of pages) {
    items.push(...page.items.slice(0, limit - items.length));
    if (items.length >= limit) break;
  }
  return items;
}
