import type { Page } from "../terms/types";

/** Exactly the newest `limit` items of a walk, or all there are; asks for no page more than that takes. */
export async function collectNewest<Item>(walk: AsyncIterable<Page<Item>>, limit: number): Promise<Page<Item>> {
  const items: Item[] = [];
  let skipped = 0;
  let panelTime: number | undefined;
  if (limit > 0) {
    for await (const page of walk) {
      items.push(...page.items);
      skipped += page.skipped;
      panelTime ??= page.panelTime;
      if (items.length >= limit) break;
    }
  }
  return { items: items.slice(0, limit), skipped, ...(panelTime === undefined ? {} : { panelTime }) };
}
