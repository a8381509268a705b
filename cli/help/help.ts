import { readFileSync } from "node:fs";
import { join } from "node:path";
import { forTerminal } from "../../provider/plain/text";
import { type Command, CommandError, exitCodes, type Io } from "../parts/command";
import { wrapped } from "../parts/words";

const page = "docs/troubleshooting.md";

const usage = `Usage: pulumi-recovery help <words of a message>

The section of troubleshooting for a message of \`pulumi up\`, without a network:
the word in the message's last line, or any words of the message. "help" alone
lists the sections; "help <command>" is the command's --help.

Exit codes: 0 a section was found; 3 none was, and the words of all are listed.
`;

export interface Section {
  /** The word that a message's last line names. */
  readonly word: string;
  readonly title: string;
  readonly text: string;
}

/** The sections of the page: a heading of any level with the line `<!-- help: word -->` right below it. */
export function sectionsIn(markdown: string): readonly Section[] {
  return markdown.split(/^(?=#{2,4} )/m).flatMap((part): Section[] => {
    const [, title = "", word, text = ""] = /^#{2,4} (.+)\r?\n\s*<!-- help: ([a-z]+) -->\r?\n([^]*)$/.exec(part) ?? [];
    return word === undefined ? [] : [{ word, title: title.trim(), text: text.trim() }];
  });
}

/** The section that a word names, or else the section with the most of the message's words. */
export function findSection(sections: readonly Section[], words: readonly string[]): Section | undefined {
  const asked = words.join(" ").toLowerCase();
  const named = sections.find(({ word }) => word === asked || asked.endsWith(`pulumi-recovery help ${word}`));
  if (named !== undefined) return named;
  const wanted = new Set(wordsIn(asked));
  const scored = sections
    .map((section) => {
      const title = wordsIn(`${section.word} ${section.title}`);
      const inText = new Set(wordsIn(section.text));
      const score = [...wanted].reduce((sum, one) => sum + (title.includes(one) ? 3 : inText.has(one) ? 1 : 0), 0);
      return { section, score };
    })
    .sort((a, b) => b.score - a.score);
  const [best] = scored;
  return best !== undefined && best.score > 0 ? best.section : undefined;
}

/** Short words are in every section. */
function wordsIn(text: string): readonly string[] {
  return text.toLowerCase().match(/[a-z]{4,}/g) ?? [];
}

/** Markdown as a terminal shows it: paragraphs and items wrapped, blocks of code as they are. */
export function sectionLines({ title, text }: Section, columns: number): readonly string[] {
  const width = Math.min(columns, 80);
  let isCode = false;
  const blocks = text.split("\n").reduce<string[]>((lines, line) => {
    const last = lines.at(-1) ?? "";
    if (line.startsWith("```")) isCode = !isCode;
    else if (isCode) lines.push(`    ${line}`);
    else if (line.trim() === "" || /^([-*]|\d+\.|\||#)/.test(line) || last === "" || last.startsWith("    "))
      lines.push(line.trim());
    else lines[lines.length - 1] = `${last} ${line.trim()}`;
    return lines;
  }, []);
  return [
    title,
    "",
    ...blocks.flatMap((block) => {
      if (block === "" || block.startsWith("    ")) return [block];
      const plain = block.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1");
      return /^[-*] /.test(plain) ? wrapped(plain.slice(2), width, "- ", "  ") : wrapped(plain, width, "");
    }),
  ];
}

/** The page ships with the package: above `dist/` once that is built. */
function readPage(): string {
  for (const up of [
    ["..", "..", ".."],
    ["..", ".."],
  ]) {
    try {
      return readFileSync(join(__dirname, ...up, page), "utf8");
    } catch {
      // Not here; the next folder has it.
    }
  }
  throw new CommandError(`${page} is missing from this installation`);
}

/** `commands`: a thunk, because help is one of them. */
export function helpCommand(commands: () => readonly Command[], overview: () => string): Command {
  return {
    name: "help",
    about: "what to do about a message of `pulumi up`: its last word, or any of it",
    usage,
    run(args, io) {
      const command = commands().find(({ name }) => name === args[0] && args.length === 1);
      if (command !== undefined) io.say(command.usage.trimEnd());
      else return Promise.resolve(showSection(args, io, overview));
      return Promise.resolve(exitCodes.done);
    },
  };
}

function showSection(words: readonly string[], { say, warn, columns = 80 }: Io, overview: () => string) {
  const sections = sectionsIn(readPage());
  const list = wrapped(`Sections: ${sections.map(({ word }) => word).join(", ")}.`, 80, "");
  if (words.length === 0) {
    say(overview());
    for (const line of ["", ...list]) say(line);
    return exitCodes.done;
  }
  const found = findSection(sections, words);
  if (found === undefined) {
    warn(`pulumi-recovery help: no section has these words: ${forTerminal(words.join(" ").slice(0, 200))}`);
    for (const line of list) warn(line);
    return exitCodes.cannot;
  }
  for (const line of sectionLines(found, columns)) say(line);
  return exitCodes.done;
}
