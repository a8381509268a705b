/** Does the same with each item, so many at a time, first come first served. */
export async function atATime<Item>(
  places: number,
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  // One iterator for all places: each takes the next item.
  const left = items.values();
  await Promise.all(
    Array.from({ length: places }, async () => {
      for (const item of left) await work(item);
    }),
  );
}
