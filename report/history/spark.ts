import { markup, type Markup } from "../html/markup";

/** One figure over the runs, oldest first; undefined where a run has none. */
export interface Series {
  /** What it is of, for those who cannot see it. */
  readonly title: string;
  readonly values: readonly (number | undefined)[];
  readonly goal?: number | undefined;
}

const width = 132;
const height = 34;
const edge = 4;

/** A small line: a dot per run, a hollow one on the ground where nothing was measured, the goal dashed. */
export function spark({ title, values, goal }: Series): Markup {
  const most = Math.max(goal ?? 0, ...values.map((value) => value ?? 0), 1);
  const x = (index: number): string =>
    round(values.length === 1 ? width / 2 : edge + (index / (values.length - 1)) * (width - 2 * edge));
  const y = (value: number): string => round(height - edge - (value / most) * (height - 2 * edge));
  const dots = values.map((value, index) =>
    value === undefined
      ? markup`<circle class="gone" cx="${x(index)}" cy="${height - edge}" r="2.4" />`
      : markup`<circle cx="${x(index)}" cy="${y(value)}" r="${index === values.length - 1 ? 3.2 : 2}" />`,
  );
  const lines = stretches(values).map(
    (stretch) => markup`<polyline points="${stretch.map(([index, value]) => `${x(index)},${y(value)}`).join(" ")}" />`,
  );
  const goalLine =
    goal === undefined ? undefined : markup`<line x1="0" x2="${width}" y1="${y(goal)}" y2="${y(goal)}" />`;
  return markup`<svg class="spark" role="img" viewBox="0 0 ${width} ${height}" focusable="false"><title>${title}</title>${goalLine}${lines}${dots}</svg>`;
}

/** A line never crosses a run that measured nothing. */
function stretches(values: readonly (number | undefined)[]): readonly (readonly (readonly [number, number])[])[] {
  const all: [number, number][][] = [[]];
  values.forEach((value, index) => {
    if (value === undefined) all.push([]);
    else all.at(-1)?.push([index, value]);
  });
  return all.filter((stretch) => stretch.length > 1);
}

function round(value: number): string {
  return String(Math.round(value * 10) / 10);
}
