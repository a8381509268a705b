export type Attributes = Readonly<Record<string, string | number>>;

const named: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** An element of attributes and elements. What XML cannot carry was taken out of every text on its way into the model. */
export function element(name: string, attributes: Attributes, children: readonly string[]): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(String(value))}"`);
  const start = `<${name}${written.join("")}`;
  return children.length === 0 ? `${start}/>` : `${start}>\n${children.join("\n")}\n</${name}>`;
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => named[character] ?? "");
}
