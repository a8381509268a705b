/**
 * HTML by template literal: what stands between `${` and `}` is text and is escaped, unless it was made by this tag itself.
 * So there is no way to forget it.
 */
export class Markup {
  constructor(readonly text: string) {}
}

export type Part = string | number | undefined | Markup | readonly Part[];

export function markup(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  let text = strings[0] ?? "";
  parts.forEach((part, index) => {
    text += rendered(part) + (strings[index + 1] ?? "");
  });
  return new Markup(text);
}

function rendered(part: Part): string {
  if (part === undefined) return "";
  if (part instanceof Markup) return part.text;
  if (typeof part === "object") return part.map(rendered).join("");
  return escaped(String(part));
}

const named: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => named[character] ?? "");
}
