import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { forTerminal } from "../../provider/plain/text";
import { type Command, exitCodes, type Io } from "../parts/command";
import { wrapped } from "../parts/words";
import { findSection, messageRowsIn, type HelpSection, sectionsIn } from "./sections";

/** These pages ship with the package. */
const pages = ["docs/troubleshooting.md", "docs/running-again.md"];
const mostColumns = 80;

const usage = `Usage: pulumi-recovery help <words from a message>

Shows the troubleshooting section for a message from \`pulumi up\`, offline: pass
the word in the message's last line, or any words from the message. "help" alone
lists the sections; "help <command>" shows the command's --help.

Exit codes: 0 a section was found; 3 none was, so all of them are listed.
`;

/** Formats Markdown for a terminal: wraps paragraphs, and leaves code blocks as they are. */
function sectionLines({ title, text }: HelpSection, columns: number): readonly string[] {
  const width = Math.min(columns, mostColumns);
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
    ...blocks.flatMap((block) =>
      block.startsWith("    ") ? [block] : wrapped(block.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1"), width, ""),
    ),
  ];
}

/** `commands` is a function, because the list of commands includes help itself. */
export function helpCommand(commands: () => readonly Command[], overview: () => string): Command {
  return {
    name: "help",
    about: "explains a message from `pulumi up`; pass any words from it",
    usage,
    run(args, io) {
      const command = commands().find(({ name }) => name === args[0] && args.length === 1);
      if (command !== undefined) io.say(command.usage.trimEnd());
      else return Promise.resolve(showSection(args, io, overview));
      return Promise.resolve(exitCodes.done);
    },
  };
}

function showSection(words: readonly string[], { say, warn, columns = mostColumns }: Io, overview: () => string) {
  const folder = dirname(require.resolve("pulumi-recovery/package.json"));
  const texts = pages.map((page) => readFileSync(join(folder, page), "utf8"));
  const sections = texts.flatMap(sectionsIn);
  const list = wrapped(`Sections: ${sections.map(({ word }) => word).join(", ")}.`, mostColumns, "");
  if (words.length === 0) {
    say(overview());
    for (const line of ["", ...list]) say(line);
    return exitCodes.done;
  }
  const found = findSection([...texts.flatMap(messageRowsIn), ...sections], words);
  if (found === undefined) {
    warn(`pulumi-recovery help: no section contains these words: ${forTerminal(words.join(" ").slice(0, 200))}`);
    for (const line of list) warn(line);
    return exitCodes.cannot;
  }
  for (const line of sectionLines(found, columns)) say(line);
  return exitCodes.done;
}
