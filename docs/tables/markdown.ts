/** A Markdown table from rows, the first of which is the head. It is padded as Prettier pads tables, so that both agree. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map((cell) => cell.replaceAll("|", "\\|")));
  const widths = cells[0]?.map((_, column) => Math.max(3, ...cells.map((row) => row[column]?.length ?? 0))) ?? [];
  const [head, ...body] = cells.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)));
  const rule = widths.map((width) => "-".repeat(width));
  return [head ?? [], rule, ...body].map((row) => `| ${row.join(" | ")} |`).join("\n");
}
