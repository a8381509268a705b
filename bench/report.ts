/** The result of one case: a table, how it was measured, and its limits. */
export interface Report {
  readonly title: string;
  /** States what was measured and how, and what the terms in the table mean. */
  readonly about: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly bars: readonly Bar[];
}

export interface Bar {
  readonly claim: string;
  readonly measured: string;
  readonly met: boolean;
}

export interface Case {
  readonly name: string;
  run(): Promise<Report>;
}

/** A section of the results. It states when and where the case was measured, because each case can be measured again separately. */
export function asMarkdown({ title, about, columns, rows, bars }: Report, measured: string): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [
    `## ${title}`,
    "",
    about,
    "",
    `Measured ${measured}.`,
    "",
    line(columns),
    line(columns.map((_, index) => (index === 0 ? "---" : "---:"))),
    ...rows.map(line),
    ...(bars.length === 0 ? [] : [""]),
    ...bars.map(({ claim, measured, met }) => `- ${met ? "met" : "**missed**"}: ${claim} (measured: ${measured})`),
    "",
  ].join("\n");
}

export function count(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}

export function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

export function milliseconds(ms: number): string {
  return `${ms.toFixed(ms < 10 ? 1 : 0)} ms`;
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
