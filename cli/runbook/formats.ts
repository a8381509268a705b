import { page } from "../../report/html/page";
import { contents, fact, markup, type Markup, section } from "../../report/html/parts";
import { safeText } from "../../report/model/format";
import { escapeMarkdown } from "../../report/to-markdown";
import type { Block, RunbookPage, Text } from "./content";

/** One card per step, which fits on a phone and is not split on paper. */
const style = `
.card { border: 1px solid var(--line); border-radius: 10px; padding: .2rem 1rem .8rem; margin: 1rem 0; break-inside: avoid; }
.card h3 { margin: .8rem 0 .3rem; }
.card .facts { grid-template-columns: 1fr; } .card .facts > div { grid-template-columns: 6.5rem minmax(0, 1fr); }
pre { overflow-wrap: anywhere; }
.post { border-left: 5px solid var(--ink); }
`;

/** Renders one HTML page that loads nothing and runs nothing. */
export function runbookHtml({ title, about, sections }: RunbookPage): string {
  const parts = sections.map(({ title: heading, blocks }, index) =>
    section(`part-${String(index + 1)}`, safeText(heading), undefined, blocks.map(htmlOf)),
  );
  return page(
    safeText(title),
    markup`<header>
<p class="eyebrow">Restores by hand</p>
<h1>${safeText(title)}</h1>
${about.map((one) => markup`<p>${htmlWords(one)}</p>\n`)}</header>
<main>
${contents(parts)}${parts}
</main>`,
    style,
  );
}

function htmlOf(block: Block): Markup {
  if ("paragraph" in block) return markup`<p>${htmlWords(block.paragraph)}</p>\n`;
  if ("list" in block) return markup`<ul>${block.list.map((item) => markup`<li>${htmlWords(item)}</li>\n`)}</ul>\n`;
  if ("facts" in block)
    return markup`<dl class="facts">${block.facts.map(([name, value]) => fact(safeText(name), htmlWords(value)))}</dl>\n`;
  if ("lines" in block) return markup`<pre class="${block.does === "restore" ? "post" : ""}">${block.lines}</pre>\n`;
  return markup`<article class="card"><h3>${safeText(block.card)}</h3>
${block.blocks.map(htmlOf)}</article>\n`;
}

function htmlWords(text: Text): readonly (string | Markup)[] {
  return text.map((one) => (typeof one === "string" ? safeText(one) : markup`<code>${safeText(one.code)}</code>`));
}

export function runbookMarkdown({ title, about, sections }: RunbookPage): string {
  return [
    `# ${escapeMarkdown(safeText(title))}`,
    ...about.map(markdownWords),
    ...sections.flatMap(({ title: heading, blocks }) => [
      `## ${escapeMarkdown(safeText(heading))}`,
      ...blocks.flatMap(markdownOf),
    ]),
    "",
  ].join("\n\n");
}

function markdownOf(block: Block): readonly string[] {
  if ("paragraph" in block) return [markdownWords(block.paragraph)];
  if ("list" in block) return [block.list.map((item) => `- ${markdownWords(item)}`).join("\n")];
  if ("facts" in block)
    return [
      block.facts.map(([name, value]) => `- ${escapeMarkdown(safeText(name))}: ${markdownWords(value)}`).join("\n"),
    ];
  if ("lines" in block) return [fenced(block.lines)];
  return [`### ${escapeMarkdown(safeText(block.card))}`, ...block.blocks.flatMap(markdownOf)];
}

function markdownWords(text: Text): string {
  return text
    .map((one) => (typeof one === "string" ? escapeMarkdown(safeText(one)) : coded(safeText(one.code))))
    .join("");
}

/** Uses a fence that is longer than any run of backquotes in the text. */
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
