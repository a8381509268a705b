import { systemClock } from "../../provider/plain/clock";
import { type Command, exitCodes, type ExitCode } from "../parts/command";
import { readCheckArguments, usage } from "./arguments";
import { assessPanel } from "./assess";
import type { CheckVerdict } from "./result";
import { printCheck } from "./print";
import { loadKnownQuestions } from "../parts/known-questions";
import { loadSettings } from "../parts/load-settings";
import { survey } from "./survey";

const exitCodeOf: Readonly<Record<CheckVerdict, ExitCode>> = {
  fine: exitCodes.done,
  question: exitCodes.incomplete,
  fault: exitCodes.failed,
};

export const check: Command = {
  name: "check",
  about: "how your panel behaves: the first thing to run",
  usage,
  async run(args, io) {
    const wanted = readCheckArguments(args);
    const known = await loadKnownQuestions(wanted.known);
    const settings = await loadSettings(wanted.stack, io);
    const read = await survey(settings, wanted, { clock: systemClock, progress: io.warn });
    const checked = assessPanel(read, known);
    if (wanted.output === "json") io.say(JSON.stringify(checked, undefined, 2));
    else for (const line of printCheck(checked)) io.say(line);
    return checked.isAccepted ? exitCodes.done : exitCodeOf[checked.verdict];
  },
};
