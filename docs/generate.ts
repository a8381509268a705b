/**
 * Writes the tables of the documentation from the definitions the code reads.
 *
 *     npx ts-node docs/generate.ts
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Setting } from "../provider/config/definition";
import { definition, settingNames } from "../provider/config/definition";
import { configKey } from "../provider/config/source";

const page = join(__dirname, "configuration.md");
const begin = "<!-- settings: generated from provider/config/definition.ts by docs/generate.ts -->";
const end = "<!-- end of settings -->";

/** The settings as a Markdown table. */
export function settingsTable(): string {
  const rows = settingNames.map((name) => {
    const one: Setting<unknown> = definition[name];
    const marks = one.secret ? ", secret" : "";
    return [
      `\`${configKey(name)}\``,
      `\`${one.variable}\``,
      `${one.type}${marks}`,
      one.required ? "required" : one.default === undefined ? "none" : `\`${one.default}\``,
      one.meaning,
    ];
  });
  const cells = [["key", "environment", "type", "default", "meaning"], ...rows].map((row) =>
    row.map((cell) => cell.replaceAll("|", "\\|")),
  );
  // Padded as Prettier would, so that the formatter and this script agree on the page.
  const widths = cells[0]?.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0))) ?? [];
  const [head, ...body] = cells.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)));
  const rule = widths.map((width) => "-".repeat(width));
  return [head ?? [], rule, ...body].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

/** A page with its table brought up to date. */
export function withSettingsTable(text: string): string {
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  if (from < 0 || to < from) throw new Error(`docs/configuration.md has lost the marks around its table`);
  return `${text.slice(0, from)}${begin}\n\n${settingsTable()}\n\n${text.slice(to)}`;
}

if (require.main === module) writeFileSync(page, withSettingsTable(readFileSync(page, "utf8")));
