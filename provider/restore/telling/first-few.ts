/** A list for a sentence: a panel may have shown hundreds. */
export function firstFew(items: readonly string[]): string {
  const few = items.slice(0, mostNamed).join(", ");
  return items.length > mostNamed ? `${few} and ${String(items.length - mostNamed)} more` : few;
}

const mostNamed = 5;
