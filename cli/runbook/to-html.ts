import { page } from "../../report/html/page";
import { contents, fact, markup, section, type Markup } from "../../report/html/parts";
import { safeText } from "../../report/model/format";
import type { Block, Page, Text } from "./content";

/** One card per step, which fits on a phone and is not split on paper. */
const style = `
.card { border: 1px solid var(--line); border-radius: 10px; padding: .2rem 1rem .8rem; margin: 1rem 0; break-inside: avoid; }
.card h3 { margin: .8rem 0 .3rem; }
.card .facts { grid-template-columns: 1fr; } .card .facts > div { grid-template-columns: 6.5rem minmax(0, 1fr); }
pre { overflow-wrap: anywhere; }
.post { border-left: 5px solid var(--ink); }
`;

/** Renders one HTML page that loads nothing and runs nothing. */
export function toHtml({ title, about, sections }: Page): string {
  const parts = sections.map(({ title: heading, blocks }, index) =>
    section(`part-${String(index + 1)}`, safeText(heading), undefined, blocks.map(blockOf)),
  );
  return page(
    safeText(title),
    markup`<header>
<p class="eyebrow">Restores by hand</p>
<h1>${safeText(title)}</h1>
${about.map((one) => markup`<p>${words(one)}</p>\n`)}</header>
<main>
${contents(parts)}${parts}
</main>`,
    style,
  );
}

function blockOf(block: Block): Markup {
  if ("paragraph" in block) return markup`<p>${words(block.paragraph)}</p>\n`;
  if ("list" in block) return markup`<ul>${block.list.map((item) => markup`<li>${words(item)}</li>\n`)}</ul>\n`;
  if ("facts" in block)
    return markup`<dl class="facts">${block.facts.map(([name, value]) => fact(safeText(name), words(value)))}</dl>\n`;
  if ("lines" in block) return markup`<pre class="${block.does === "restore" ? "post" : ""}">${block.lines}</pre>\n`;
  return markup`<article class="card"><h3>${safeText(block.card)}</h3>
${block.blocks.map(blockOf)}</article>\n`;
}

function words(text: Text): readonly (string | Markup)[] {
  return text.map((one) => (typeof one === "string" ? safeText(one) : markup`<code>${safeText(one.code)}</code>`));
}
