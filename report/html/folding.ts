import { countText } from "../model/format";
import { markup, table, type Markup, type Part } from "./parts";

export interface FoldableRow {
  readonly markup: Markup;
  /** If there are many rows, those as planned are folded. */
  readonly is: "remarkable" | "as planned";
}

/** Rows that belong together, like those of a wave. */
interface Group {
  readonly title?: string | undefined;
  readonly rows: readonly FoldableRow[];
}

interface Divided {
  readonly inSight: readonly FoldableRow[];
  readonly folds: readonly { readonly name: string; readonly rows: readonly FoldableRow[] }[];
}

/** Browsers are slow to lay out more rows at once. */
export const maxRowsAtOnce = 250;

/** Up to `many` rows stay in sight. If there are more, the remarkable ones stay in sight and the rest is folded, in parts. */
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
  /** The thing a row describes, and the words for folded ones: `restore`, `complete and as planned`. */
  readonly noun: string;
  readonly foldedAs: string;
  /** `above` stands over the rows of a group. */
  readonly groups: readonly (Group & { readonly above?: Part | undefined })[];
}

/** A reader takes in this many rows at a glance. */
const maxRowsUnfolded = 30;

/** One table; a long one shows its remarkable rows and folds the rest below. */
export function foldableTable({ label, heads, noun, foldedAs, groups }: FoldableTable): Part {
  const divided = divide(groups, { many: maxRowsUnfolded, noun, foldedAs });
  const body = (index: number, rows: readonly FoldableRow[]): Markup | undefined =>
    rows.length === 0 ? undefined : markup`<tbody>${groups[index]?.above}${rows.map((row) => row.markup)}</tbody>`;
  const inSight = divided.flatMap(({ inSight }, index) => body(index, inSight) ?? []);
  const folds = divided.flatMap(({ folds }, index) =>
    folds.map(({ name, rows }) => fold(name, table(`${label}: ${name}`, heads, body(index, rows)))),
  );
  return [inSight.length === 0 ? undefined : table(label, heads, inSight), folds];
}

/** A part that readers open; on paper it is always open. */
export function fold(summary: string, body: Part): Markup {
  return markup`<details class="fold"><summary>${summary}</summary>${body}</details>
`;
}
