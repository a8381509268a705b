/** Nothing that comes from outside is Markdown, HTML, a mention, a reference or a link: it is text. */
const meaning = /[\\`*_{}[\]()<>#!|~&$]/g;

export function text(value: string): string {
  return (
    value
      .replaceAll(meaning, (character) => `&#${String(character.charCodeAt(0))};`)
      .replace(/^([-+=]|\d+[.)])/, (mark) => mark.replaceAll(/./g, (one) => `&#${String(one.charCodeAt(0))};`))
      // An invisible joiner keeps what looks like one from becoming a mention or a link.
      .replaceAll("@", "@&#8288;")
      .replaceAll(/&#35;(?=\d)/g, "&#35;&#8288;")
      .replaceAll("://", ":&#8288;//")
      .replaceAll(/\bwww\./gi, "www&#8288;.")
  );
}

/** As code: names and numbers of the panel. Only what ends or opens markup has to be taken care of. */
export function code(value: string): string {
  return `<code>${text(value)}</code>`;
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

export function table(heads: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  return ["", row(heads), row(heads.map(() => "---")), ...rows.map(row), ""];
}

export function folded(title: string, lines: readonly string[]): readonly string[] {
  return [`<details><summary>${title}</summary>`, "", ...lines, "", "</details>", ""];
}
