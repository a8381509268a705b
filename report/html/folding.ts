import { countText } from "../model/format";
import { markup, table, type Markup, type Part } from "./parts";

export interface FoldableRow {
  readonly markup: Markup;
  /** Whether there is something to see in it; the others are folded away where there are many. */
  readonly is: "remarkable" | "as planned";
}

/** Rows that belong together, in their order: a wave's. */
interface Group {
  readonly title?: string | undefined;
  readonly rows: readonly FoldableRow[];
}

interface Divided {
  readonly inSight: readonly FoldableRow[];
  readonly folds: readonly { readonly name: string; readonly rows: readonly FoldableRow[] }[];
}

/** More of them take a browser long to lay out. */
export const maxRowsAtOnce = 250;

/**
 * Up to `many` rows stay as they are. Of more, what is remarkable stays in sight, and the rest is folded away, in parts that a browser opens
 * at once.
 */
function divide(
  groups: readonly Group[],
  { many, noun, foldedAs }: { readonly many: number; readonly noun: string; readonly foldedAs: string },
): readonly Divided[] {
  const isLong = groups.reduce((sum, { rows }) => sum + rows.length, 0) > many;
  let room = isLong ? maxRowsAtOnce : Infinity;
  return groups.map(({ title, rows }) => {
    const [remarkable, good] = [
      rows.filter(({ is }) => is === "remarkable"),
      rows.filter(({ is }) => is !== "remarkable"),
    ];
    const inSight = isLong ? remarkable.slice(0, room) : rows;
    room -= inSight.length;
    const before = title === undefined ? "" : `${title}: `;
    return {
      inSight,
      folds: isLong
        ? [
            ...inParts(remarkable.slice(inSight.length), (size) => `${before}${countText(size, `more ${noun}`)}`),
            ...inParts(good, (size) => `${before}${countText(size, noun)} ${foldedAs}`),
          ]
        : [],
    };
  });
}

function inParts(rows: readonly FoldableRow[], named: (size: number) => string): Divided["folds"] {
  return Array.from({ length: Math.ceil(rows.length / maxRowsAtOnce) }, (_, index) => {
    const part = rows.slice(index * maxRowsAtOnce, (index + 1) * maxRowsAtOnce);
    return {
      name: `${named(part.length)}${rows.length > maxRowsAtOnce ? `, part ${String(index + 1)}` : ""}`,
      rows: part,
    };
  });
}

interface FoldableTable {
  readonly label: string;
  readonly heads: readonly Part[];
  /** What a row is of, and how those are that are folded away. */
  readonly noun: string;
  readonly foldedAs: string;
  /** `above` stands over the rows of a group. */
  readonly groups: readonly (Group & { readonly above?: Part | undefined })[];
}

/** So many rows are read at a glance. */
const maxRowsUnfolded = 30;

/** One table; of a long one what is remarkable, and below it the rest, folded away. */
export function foldableTable({ label, heads, noun: of, foldedAs: folded, groups }: FoldableTable): Part {
  const divided = divide(groups, { many: maxRowsUnfolded, noun: of, foldedAs: folded });
  const body = (index: number, rows: readonly FoldableRow[]): Markup | undefined =>
    rows.length === 0 ? undefined : markup`<tbody>${groups[index]?.above}${rows.map((row) => row.markup)}</tbody>`;
  const inSight = divided.flatMap(({ inSight }, index) => body(index, inSight) ?? []);
  const folds = divided.flatMap(({ folds }, index) =>
    folds.map(({ name, rows }) => fold(name, table(`${label}: ${name}`, heads, body(index, rows)))),
  );
  return [inSight.length === 0 ? undefined : table(label, heads, inSight), folds];
}

/** Opened by whoever wants to see it, and on paper. */
export function fold(summary: string, body: Part): Markup {
  return markup`<details class="fold"><summary>${summary}</summary>${body}</details>
`;
}
