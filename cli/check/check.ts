import { systemClock } from "../../provider/plain/clock";
import { type Command, exitCodes, type ExitCode } from "../parts/command";
import { readCheckArguments, usage } from "./asked";
import { judge } from "./judge";
import type { CheckVerdict } from "./outcome";
import { print } from "./print";
import { knownQuestions } from "../parts/known-questions";
import { settingsFrom } from "../parts/settings-sources";
import { survey } from "./survey";

const exitCodeOf: Readonly<Record<CheckVerdict, ExitCode>> = {
  fine: exitCodes.done,
  question: exitCodes.incomplete,
  fault: exitCodes.failed,
};

export const check: Command = {
  name: "check",
  about: "how your panel behaves, learned by reading alone: the first thing to run",
  usage,
  async run(args, io) {
    const wanted = readCheckArguments(args);
    const known = await knownQuestions(wanted.known);
    const settings = await settingsFrom(wanted.stack, io);
    const read = await survey(settings, wanted, { clock: systemClock, progress: io.warn });
    const checked = judge(read, known);
    if (wanted.output === "json") io.say(JSON.stringify(checked, undefined, 2));
    else for (const line of print(checked)) io.say(line);
    return exitCodeOf[checked.verdict];
  },
};
