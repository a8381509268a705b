/**
 * Writes the tables of the documentation from the definitions in the code.
 *
 *     npx ts-node docs/generate.ts
 *
 * A page says where a table goes and from which declaration it is made:
 *
 *     <!-- table: provider/program/restores.ts RestoreArgs -->
 *     <!-- end of table -->
 *
 * (`HttpCheckArgs without CheckTimesArgs` leaves out members that another table has). A cell holds the first sentence of a comment; the other
 * sentences follow below the table. A page also says where a file is copied to:
 *
 *     <!-- file: docs/pipelines/gitlab-ci.yml -->
 *     <!-- end of file -->
 *
 * And which table of the benchmark it takes over, once there is one (the title may be cut):
 *
 *     <!-- bench: A plan of 10, 100 and 1,000 restores -->
 *     <!-- end of bench -->
 *
 * It also writes `plugin/schema.json` from the declarations of the package.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { formatted } from "../tools/formatted";
import { markdownTable } from "./tables/markdown";
import { membersOf, type Member } from "./tables/members";
import { pluginSchema } from "./tables/schema";
import { settingsTable } from "./tables/settings";

export { settingsTable };

const root = join(__dirname, "..");

const settingsBegin = "<!-- settings: generated from provider/inputs/settings-table.ts by docs/generate.ts -->";
const settingsEnd = "<!-- end of settings -->";
const fileMarks = /(<!-- file: (\S+) -->\n)[\s\S]*?(<!-- end of file -->)/g;
const benchMarks = /(<!-- bench: (.+) -->\n)[\s\S]*?(<!-- end of bench -->)/g;
const tableMarks = /(<!-- (table|outputs): (\S+) (\w+)(?: without (\w+))? -->\n)[\s\S]*?(<!-- end of table -->)/g;

/** The pages of the documentation, by their path from the repository's root. */
export function pages(): readonly string[] {
  return readdirSync(__dirname)
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`);
}

/** A page with its tables and files brought up to date. */
export function updatedPage(text: string): string {
  const withFiles = text.replace(fileMarks, (_whole, begin: string, path: string, end: string) => {
    const content = readFileSync(join(root, path), "utf8");
    return `${begin}\n\`\`\`${extname(path).slice(1)}\n${content}\`\`\`\n\n${end}`;
  });
  const measured = withFiles.replace(benchMarks, (whole, begin: string, title: string, end: string) => {
    const table = benchTable(title);
    return table === undefined ? whole : `${begin}\n${table}\n${end}`;
  });
  const written = measured.replace(
    tableMarks,
    (_whole, begin: string, kind: string, file: string, name: string, without: string | undefined, end: string) => {
      const elsewhere = without === undefined ? [] : membersOf(join(root, file), without);
      const members = membersOf(join(root, file), name).filter(
        (member) => !elsewhere.some((other) => other.name === member.name),
      );
      return `${begin}\n${kind === "outputs" ? outputTable(members) : inputTable(members)}\n\n${notesOn(members)}${end}`;
    },
  );
  return written.includes(settingsBegin) ? withSettingsTable(written) : written;
}

/** The table of a case in the benchmark's results. */
function benchTable(title: string): string | undefined {
  const parts = readFileSync(join(root, "bench", "results.md"), "utf8").split(/^## /m);
  const part = parts.find((one) => one.startsWith(title));
  return part === undefined ? undefined : /(?:^\|.*\n)+/m.exec(part)?.[0];
}

/** A page with the table of settings brought up to date. */
export function withSettingsTable(text: string): string {
  const from = text.indexOf(settingsBegin);
  const to = text.indexOf(settingsEnd);
  if (from < 0 || to < from) throw new Error(`docs/configuration.md has lost the marks around its table`);
  return `${text.slice(0, from)}${settingsBegin}\n\n${settingsTable()}\n\n${text.slice(to)}`;
}

function inputTable(members: readonly Member[]): string {
  return markdownTable([
    ["input", "type", "default", "meaning"],
    ...members.map(({ name, type, defaultText, comment, optional }) => [
      `\`${name}\``,
      `\`${type}\``,
      optional ? (defaultText ?? "none") : "required",
      comment.first,
    ]),
  ]);
}

function outputTable(members: readonly Member[]): string {
  return markdownTable([
    ["output", "type", "meaning"],
    ...members.map(({ name, type, comment, optional }) => [
      `\`${name}\``,
      `\`${type}${optional ? "?" : ""}\``,
      comment.first,
    ]),
  ]);
}

/** The sentences that are too many for a cell, as a list. */
function notesOn(members: readonly Pick<Member, "name" | "comment">[]): string {
  const notes = members
    .filter(({ comment }) => comment.rest !== "")
    .map(({ name, comment }) => {
      const text = comment.rest.replace(/\n+- /g, "\n  - ").replace(/\n\n(?! *- )/g, " ");
      return `- \`${name}\`: ${text}\n`;
    });
  return notes.length === 0 ? "" : `${notes.join("")}\n`;
}

/** The plugin's schema, as it lies in `plugin/`. */
export async function schemaText(): Promise<string> {
  return formatted(JSON.stringify(pluginSchema(root), undefined, 2), join(root, "plugin", "schema.json"));
}

async function writeAll(): Promise<void> {
  writeFileSync(join(root, "plugin", "schema.json"), await schemaText());
  writePages();
}

/** Writes the pages with their tables and files as they are now. */
export function writePages(): void {
  for (const page of pages()) {
    const path = join(root, page);
    writeFileSync(path, updatedPage(readFileSync(path, "utf8")));
  }
}

if (require.main === module) void writeAll();
