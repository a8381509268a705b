const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  // HTML before its version 5 does not know &apos;.
  "'": "&#39;",
};

/** Escapes text for HTML and for XML, as content and as a quoted attribute. Characters that XML cannot hold stay as they are. */
export function escapeMarkup(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? "");
}
