/**
 * Writes the generated parts of the documentation from the definitions in the code.
 *
 *     npx ts-node docs/generate.ts
 *
 * A page names the declaration whose inputs or outputs it lists:
 *
 *     <!-- inputs: provider/program/restores.ts RestoreArgs -->
 *     <!-- end -->
 *
 * (`HttpCheckArgs without CheckTimesArgs` leaves out members that another list has; `fields` lists names only.)
 *
 * It also writes `plugin/schema.json` from the declarations of the package.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { formatted } from "../tools/formatted";
import { membersOf, type Member } from "./tables/members";
import { pluginSchema } from "./tables/schema";
import { settingsList } from "./tables/settings";

const root = join(__dirname, "..");

const settingsBegin = "<!-- settings: generated from provider/inputs/settings-table.ts by docs/generate.ts -->";
const settingsEnd = "<!-- end of settings -->";
const listMarks = /(<!-- (inputs|outputs|fields): (\S+) (\w+)(?: without (\w+))? -->\n)[\s\S]*?(<!-- end -->)/g;

/** The pages of the documentation, by their path from the repository's root. */
export function pages(): readonly string[] {
  return readdirSync(__dirname)
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`);
}

/** Brings the generated parts of a page up to date. */
export function updatedPage(text: string): string {
  const written = text.replace(
    listMarks,
    (_whole, begin: string, kind: string, file: string, name: string, without: string | undefined, end: string) => {
      const elsewhere = without === undefined ? [] : membersOf(join(root, file), without);
      const members = membersOf(join(root, file), name).filter(
        (member) => !elsewhere.some((other) => other.name === member.name),
      );
      return `${begin}\n${listTexts[kind as keyof typeof listTexts](members)}\n\n${end}`;
    },
  );
  return written.includes(settingsBegin) ? withSettings(written) : written;
}

/** Brings a page's list of settings up to date. */
function withSettings(text: string): string {
  const from = text.indexOf(settingsBegin);
  const to = text.indexOf(settingsEnd);
  if (from < 0 || to < from) throw new Error(`docs/configuration.md has lost the marks around its settings`);
  return `${text.slice(0, from)}${settingsBegin}\n\n${settingsList()}\n\n${text.slice(to)}`;
}

/** `fields` lists only names, because the panel's field names are self-explanatory. */
const listTexts = {
  inputs: (members: readonly Member[]) => members.map((member) => `- ${inputText(member)}`).join("\n"),
  outputs: (members: readonly Member[]) => members.map((member) => `- ${outputText(member)}`).join("\n"),
  fields: (members: readonly Member[]) => members.map(({ name }) => `\`${name}\``).join(", "),
};

/** Writes a member's name in bold, its type, its default and its whole comment: **name** (`type`, default `"30m"`): … */
function inputText({ name, type, optional, defaultText, comment }: Member): string {
  const without = defaultText?.replace(/^none(?:: )?/, "") ?? "";
  const isNone = defaultText === undefined || /^none(?=$|: )/.test(defaultText);
  const kind = !optional ? "required" : isNone ? "optional" : "default";
  return `**${name}** (\`${type}\`, ${kind}${optional && without !== "" ? `: ${without}` : ""}): ${textOf(comment)}`;
}

function outputText({ name, type, optional, comment }: Member): string {
  return `**${name}** (\`${type}\`${optional ? ", optional" : ""}): ${textOf(comment)}`;
}

/** Formats a comment as a single list entry. */
function textOf({ first, rest }: Member["comment"]): string {
  return `${first} ${rest}`
    .trim()
    .replace(/\n+- /g, "\n  - ")
    .replace(/\n\n(?! *- )/g, " ");
}

/** The text of `plugin/schema.json`. */
export async function schemaText(): Promise<string> {
  return formatted(JSON.stringify(pluginSchema(), undefined, 2), join(root, "plugin", "schema.json"));
}

async function writeAll(): Promise<void> {
  writeFileSync(join(root, "plugin", "schema.json"), await schemaText());
  for (const page of pages()) {
    const path = join(root, page);
    const text = readFileSync(path, "utf8");
    const updated = updatedPage(text);
    if (updated !== text) writeFileSync(path, updated);
  }
}

if (require.main === module) void writeAll();
