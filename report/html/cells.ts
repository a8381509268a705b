import type { Cell, Column, Part as CellPart } from "../model/columns";
import type { Links } from "./links";
import { columnHead, dash, markup, statusWord, subline, timeWithoutZone, tones, type Markup, type Part } from "./parts";

const headClasses = { name: "sticky", long: "long", figure: undefined } as const;

export function headsOf<Row>(columns: readonly Column<Row>[]): readonly Markup[] {
  return columns.map(({ head, is }) => columnHead(head, is && headClasses[is]));
}

export function cellsOf<Row>(columns: readonly Column<Row>[], row: Row, links: Links): readonly Markup[] {
  return columns.map(({ is, cell }) => {
    const lines = linesOf(cell(row), links);
    if (is === "name") return markup`<th scope="row" class="sticky">${lines}</th>`;
    if (is === undefined) return markup`<td>${lines}</td>`;
    return markup`<td class="${is === "long" ? "long" : "nowrap"}">${lines}</td>`;
  });
}

function linesOf([first, ...others]: Cell, links: Links): readonly Part[] {
  return [first === undefined ? dash : partOf(first, links), ...others.map((one) => one && lineBelow(one, links))];
}

function lineBelow(part: CellPart, links: Links): Markup | undefined {
  if (typeof part === "object" && "time" in part) return timeWithoutZone(part.time, "sub nowrap");
  if (typeof part === "object" && "of" in part && part.of !== "met")
    return markup`<span class="sub ${tones[part.of]}">${part.words}</span>`;
  return subline(partOf(part, links));
}

function partOf(part: CellPart, links: Links): Part {
  if (typeof part === "string") return part;
  if ("status" in part) return statusWord(part.status);
  if ("time" in part) return timeWithoutZone(part.time);
  if ("id" in part) return part.id;
  if ("code" in part) return markup`<code>${part.code}</code>`;
  if ("transactions" in part) return links.transactions(part.transactions);
  return "restore" in part ? links.toRow(part.restore) : part.words;
}
