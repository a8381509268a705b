import { count } from "../model/show";
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
export const mostAtOnce = 250;

/**
 * Up to `many` rows stay as they are. Of more, what is remarkable stays in sight, and the rest is folded away, in parts that a browser opens
 * at once.
 */
function divide(
  groups: readonly Group[],
  { many, of, folded }: { readonly many: number; readonly of: string; readonly folded: string },
): readonly Divided[] {
  const isLong = groups.reduce((sum, { rows }) => sum + rows.length, 0) > many;
  let room = isLong ? mostAtOnce : Infinity;
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
            ...inParts(remarkable.slice(inSight.length), (size) => `${before}${count(size, `more ${of}`)}`),
            ...inParts(good, (size) => `${before}${count(size, of)} ${folded}`),
          ]
        : [],
    };
  });
}

function inParts(rows: readonly FoldableRow[], named: (size: number) => string): Divided["folds"] {
  return Array.from({ length: Math.ceil(rows.length / mostAtOnce) }, (_, index) => {
    const part = rows.slice(index * mostAtOnce, (index + 1) * mostAtOnce);
    return {
      name: `${named(part.length)}${rows.length > mostAtOnce ? `, part ${String(index + 1)}` : ""}`,
      rows: part,
    };
  });
}

interface FoldableTable {
  readonly label: string;
  readonly heads: readonly Part[];
  /** What a row is of, and how those are that are folded away. */
  readonly of: string;
  readonly folded: string;
  /** `above` stands over the rows of a group. */
  readonly groups: readonly (Group & { readonly above?: Part | undefined })[];
}

/** So many rows are read at a glance. */
const manyRows = 30;

/** One table; of a long one what is remarkable, and below it the rest, folded away. */
export function longTable({ label, heads, of, folded, groups }: FoldableTable): Part {
  const divided = divide(groups, { many: manyRows, of, folded });
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
