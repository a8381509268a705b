import { escapeMarkdown, table } from "../../report/to-markdown";
import type { Block, Facts, Page, Piece, Text } from "./text";

/** Renders Markdown for a wiki, a ticket or a terminal. */
export function toMarkdown({ title, about, facts, sections }: Page): string {
  return [
    `# ${words(title)}`,
    "",
    ...about.flatMap((one) => [words(one), ""]),
    ...factLines(facts),
    ...sections.flatMap((section) => [`## ${words(section.title)}`, "", ...section.blocks.flatMap(blockLines)]),
  ]
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .replace(/\n*$/, "\n");
}

function blockLines(block: Block): readonly string[] {
  switch (block.kind) {
    case "paragraph":
      return [words(block.text), ""];
    case "list":
      return [...block.items.map((item) => `- ${words(item)}`), ""];
    case "facts":
      return factLines(block.facts);
    case "commands":
      return ["```sh", block.lines, "```", ""];
    case "step":
      return [`### ${String(block.number)}. ${words(block.title)}`, ""];
    case "table":
      return table(
        block.heads,
        block.rows.map((row) => row.map(words)),
      );
  }
}

function factLines(facts: Facts): readonly string[] {
  return [...facts.map(([name, value]) => `- ${name}: ${words(value)}`), ""];
}

function words(text: Text): string {
  return text.map(word).join("");
}

function word(piece: Piece): string {
  if ("own" in piece) return piece.own;
  if ("value" in piece) return escapeMarkdown(piece.value);
  if ("code" in piece) return codeText(piece.code);
  return "bold" in piece ? `**${words(piece.bold)}**` : String(piece.step);
}

/** A code span reads well in a terminal. A backtick ends it, a bar a cell, and not every wiki takes the rest as it is. */
function codeText(words: string): string {
  return /[`|<>&]|^\s|\s$|^$/.test(words) ? `<code>${escapeMarkdown(words)}</code>` : `\`${words}\``;
}
