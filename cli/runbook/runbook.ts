import { ReportError } from "../../report";
import { CommandError, exitCodes, type Command } from "../parts/command";
import { loadStackState } from "../parts/load-state";
import { writeIntoFolder } from "../parts/write";
import { readRunbookArguments, usage, type RunbookFormat } from "./arguments";
import { pageOf } from "./content";
import { runbookOf, type Runbook } from "./model";
import type { Page } from "./text";
import { toHtml } from "./to-html";
import { toMarkdown } from "./to-markdown";

const renderers: Readonly<Record<RunbookFormat, (page: Page) => string>> = { html: toHtml, md: toMarkdown };

export const runbook: Command = {
  name: "runbook",
  about: "a page for restoring by hand, from a stack's stored state: HTML, Markdown",
  usage,
  async run(args, io) {
    const { source, plan, folder, formats } = readRunbookArguments(args);
    const page = pageOf(readRunbook(await loadStackState(source, io), plan));
    for (const format of formats) io.say(writeIntoFolder(folder, `runbook.${format}`, renderers[format](page)));
    return exitCodes.done;
  },
};

function readRunbook(state: unknown, plan: string | undefined): Runbook {
  try {
    return runbookOf(state, plan === undefined ? {} : { plan });
  } catch (error) {
    if (error instanceof ReportError) throw new CommandError(error.message, { cause: error });
    throw error;
  }
}
