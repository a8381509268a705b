import { styleText } from "node:util";
import { formatDuration } from "../../provider/inputs/duration";
import { forTerminal } from "../../provider/plain/text";

export function count(number: number, noun: string, several = `${noun}s`): string {
  return `${String(number)} ${number === 1 ? noun : several}`;
}

type Named = { readonly plan?: string; readonly name: string; readonly kind: string };

/** Names restores, prefixed with their plan's name if they belong to several plans. */
export function displayNames(restores: readonly Named[]): (restore: Named) => string {
  const isOfOnePlan = new Set(restores.map(({ plan }) => plan)).size <= 1;
  return ({ plan, name, kind }) =>
    `${plan === undefined || isOfOnePlan ? "" : `${plan}/`}${name}${kind === "FileRestore" ? " (files)" : ""}`;
}

/** Any text as one line that is safe to print on a terminal. */
export const oneLine = (text: string): string => forTerminal(text).replaceAll(/\s+/g, " ");

/** Applies `clean` to every string in a finding. */
export function cleaned<T extends object>(finding: T, clean: (text: string) => string): T {
  const cleanValue = (value: unknown): unknown =>
    typeof value === "string" ? clean(value) : Array.isArray(value) ? value.map(cleanValue) : value;
  return Object.fromEntries(Object.entries(finding).map(([key, value]) => [key, cleanValue(value)])) as T;
}

/** `9d 2h`: two units are enough for a comparison. */
export function roughly(seconds: number): string {
  const whole = Math.floor(Math.abs(seconds));
  const smallest = whole >= 86_400 ? 3_600 : whole >= 3_600 ? 60 : 1;
  return `${seconds < 0 ? "-" : ""}${formatDuration(whole - (whole % smallest))}`;
}

/** Wraps text into lines of at most `width` columns; a longer word gets its own line. */
export function wrapped(text: string, width: number, first: string, rest = first): readonly string[] {
  const done: string[] = [];
  let line = first;
  let isEmpty = true;
  for (const word of text.split(/\s+/).filter((each) => each !== "")) {
    if (!isEmpty && line.length + 1 + word.length > width) {
      done.push(line);
      line = rest;
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...done, line];
}

/** A two-character sign, followed by cells. The last cell gets the rest of the line. */
interface TableRow {
  readonly sign: string;
  readonly colour?: "green" | "cyan" | "red" | "yellow" | undefined;
  readonly cells: readonly string[];
}

export interface Terminal {
  readonly columns?: number;
  readonly isColourful?: boolean;
}

/** Minimum column widths for a narrow terminal, by position; other columns keep their width. */
type LeastWidths = readonly (readonly [column: number, least: number])[];

/**
 * Formats rows for a terminal. The first column is cut in the middle, because names often differ only in their last letters. A last cell that is too long is
 * shown below its row.
 */
export function tableLines(
  heads: readonly string[],
  rows: readonly TableRow[],
  { columns = 80, isColourful = false }: Terminal,
  least: LeastWidths,
): readonly string[] {
  if (rows.length === 0) return [];
  const widths = widthsOf([heads, ...rows.map(({ cells }) => cells)], columns, least);
  const linesOf = ({ sign, colour, cells }: TableRow): readonly string[] => {
    const shown = isColourful && colour !== undefined ? styleText(["bold", colour], sign) : sign;
    const last = cells.at(-1) ?? "";
    const isLong = last.length > (widths.at(-1) ?? 0);
    const inRow = isLong ? [...cells.slice(0, -1), ""] : cells;
    const row = ` ${shown}  ${inRow.map((cell, index) => fitted(cell, widths[index] ?? 0, index === 0)).join("  ")}`;
    return [row.trimEnd(), ...(isLong ? wrapped(last, columns, "       ") : [])];
  };
  return [{ sign: "  ", cells: heads }, ...rows].flatMap(linesOf);
}

/** Gives each column the width that it needs, as long as enough is left for the last column. */
function widthsOf(rows: readonly (readonly string[])[], columns: number, least: LeastWidths): readonly number[] {
  const last = (rows[0]?.length ?? 1) - 1;
  const widths = (rows[0] ?? []).map((_head, index) => Math.max(...rows.map((cells) => (cells[index] ?? "").length)));
  const fixed = 5 + 2 * last;
  const sum = (): number => widths.slice(0, last).reduce((all, width) => all + width, 0);
  for (const [index, width] of least) {
    const over = fixed + Math.min(widths[last] ?? 0, 24) + sum() - columns;
    if (over > 0) widths[index] = Math.max(Math.min(widths[index] ?? 0, width), (widths[index] ?? 0) - over);
  }
  return [...widths.slice(0, last), Math.max(columns - fixed - sum(), 8)];
}

function fitted(text: string, width: number, isCutInside: boolean): string {
  if (text.length <= width) return text.padEnd(width);
  const after = isCutInside ? Math.floor((width - 1) / 2) : 0;
  return `${text.slice(0, Math.max(0, width - 1 - after))}…${after === 0 ? "" : text.slice(-after)}`;
}
