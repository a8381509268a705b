import { safeText } from "../../report/model/format";
import { escapeMarkdown } from "../../report/to-markdown";
import type { Block, Page, Text } from "./content";

export function toMarkdown({ title, about, sections }: Page): string {
  return [
    `# ${escapeMarkdown(safeText(title))}`,
    ...about.map(words),
    ...sections.flatMap(({ title: heading, blocks }) => [
      `## ${escapeMarkdown(safeText(heading))}`,
      ...blocks.flatMap(blockOf),
    ]),
    "",
  ].join("\n\n");
}

function blockOf(block: Block): readonly string[] {
  if ("paragraph" in block) return [words(block.paragraph)];
  if ("list" in block) return [block.list.map((item) => `- ${words(item)}`).join("\n")];
  if ("facts" in block)
    return [block.facts.map(([name, value]) => `- ${escapeMarkdown(safeText(name))}: ${words(value)}`).join("\n")];
  if ("lines" in block) return [fenced(block.lines)];
  return [`### ${escapeMarkdown(safeText(block.card))}`, ...block.blocks.flatMap(blockOf)];
}

function words(text: Text): string {
  return text
    .map((one) => (typeof one === "string" ? escapeMarkdown(safeText(one)) : coded(safeText(one.code))))
    .join("");
}

/** A fence longer than any run of backquotes inside. */
function fenced(lines: string): string {
  const fence = "`".repeat(Math.max(3, longestRun(lines) + 1));
  return `${fence}sh\n${lines}\n${fence}`;
}

function coded(code: string): string {
  const fence = "`".repeat(longestRun(code) + 1);
  return code.includes("`") ? `${fence} ${code} ${fence}` : `${fence}${code}${fence}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}
