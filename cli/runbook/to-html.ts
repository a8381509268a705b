import { page } from "../../report/html/page";
import { contents, fact, markup, section, table, columnHead, type Markup, type Part } from "../../report/html/parts";
import type { Block, Facts, Page, Piece, Text } from "./text";

/** Renders one HTML page that loads nothing and runs nothing. */
export function toHtml({ title, about, facts, sections }: Page): string {
  const parts = sections.map(({ id, title: heading, blocks }) =>
    section(id, plain(heading), undefined, blocks.map(blockOf)),
  );
  return page(
    plain(title),
    markup`<header>
<p class="eyebrow">Restores by hand</p>
<h1>${words(title)}</h1>
${about.map((one) => markup`<p>${words(one)}</p>`)}
${factList(facts)}
</header>
<main class="hands">
${contents(parts)}${parts}
</main>`,
  );
}

function blockOf(block: Block): Markup {
  switch (block.kind) {
    case "paragraph":
      return markup`<p>${words(block.text)}</p>
`;
    case "list":
      return markup`<ul>
${block.items.map((item) => markup`<li>${words(item)}</li>\n`)}</ul>
`;
    case "facts":
      return factList(block.facts);
    case "commands":
      return markup`<pre class="commands${block.does === "restore" ? " post" : ""}">${block.lines}</pre>
`;
    case "step":
      return markup`<h3 class="step" id="step-${block.number}">${block.number}. ${words(block.title)}</h3>
`;
    case "table":
      return table(
        block.label,
        block.heads.map((head) => columnHead(head)),
        markup`<tbody>
${block.rows.map((row) => markup`<tr>${row.map((cell) => markup`<td>${words(cell)}</td>`)}</tr>\n`)}</tbody>`,
      );
  }
}

function factList(facts: Facts): Markup {
  return markup`<dl class="facts">
${facts.map(([name, value]) => markup`${fact(name, words(value))}\n`)}</dl>
`;
}

function words(text: Text): Part {
  return text.map(word);
}

function word(piece: Piece): Part {
  if ("own" in piece) return piece.own;
  if ("value" in piece) return piece.value;
  if ("code" in piece) return markup`<code>${piece.code}</code>`;
  if ("bold" in piece) return markup`<strong>${words(piece.bold)}</strong>`;
  return markup`<a href="#step-${piece.step}">${piece.step}</a>`;
}

function plain(text: Text): string {
  return text.map(plainWord).join("");
}

function plainWord(piece: Piece): string {
  if ("bold" in piece) return plain(piece.bold);
  return String(
    "own" in piece ? piece.own : "value" in piece ? piece.value : "code" in piece ? piece.code : piece.step,
  );
}
