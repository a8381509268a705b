import { CommandError, exitCodes, parseOptions, type Command } from "../parts/command";
import { loadStackState, Preview, stateSource } from "../parts/load-state";
import { readStack } from "../parts/stack-state";
import { writeIntoFolder } from "../parts/write";
import { pageOf } from "./content";
import { runbookHtml, runbookMarkdown } from "./formats";
import { runbookOf } from "./model";

const usage = `Usage: pulumi-recovery runbook [options]

Writes runbook.html and runbook.md, for the day the pipeline is down: how to
stop what is under way, then every restore in order, and how to send it by
hand. It needs no panel and no passphrase, and decrypts nothing. Before the
first \`pulumi up\`, make it from what the program declares:

  pulumi preview --json --show-sames | pulumi-recovery runbook --preview -

  --stack <name>   the stack (default: the one selected in this folder)
  --state <file>   read the state from this file; - reads standard input
  --preview <file> read a preview instead; - reads standard input
  --plan <name>    only this plan
  --out <folder>   where the files go (default: recovery-report)
  --help

Exit codes: 0 the page is written; 3 no page, and the message says why; 4 a
bug in this command.
`;

const options = {
  stack: { type: "string" },
  state: { type: "string" },
  preview: { type: "string" },
  plan: { type: "string" },
  out: { type: "string" },
} as const;

export const runbook: Command = {
  name: "runbook",
  about: "a page for restoring by hand, on a phone or on paper (HTML, Markdown)",
  usage,
  async run(args, io) {
    const { stack, state, preview, plan, out = "recovery-report" } = parseOptions({ args: [...args], options }).values;
    if (out === "-") throw new CommandError("--out needs a folder, because two files are written");
    const source = stateSource({ state, preview, stack });
    if (source.from !== "stack" && stack !== undefined)
      throw new CommandError(`--stack and --${source.from === "file" ? "state" : "preview"}: use only one`);
    const exported = await loadStackState(source, io);
    // An incomplete page is worse than none, and one more option makes the preview complete.
    if (exported instanceof Preview && exported.problem !== undefined) throw new CommandError(exported.problem);
    const page = pageOf(runbookOf(readStack(exported, "ignore"), plan));
    io.say(writeIntoFolder(out, "runbook.html", runbookHtml(page)));
    io.say(writeIntoFolder(out, "runbook.md", runbookMarkdown(page)));
    return exitCodes.done;
  },
};
