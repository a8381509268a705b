import { readId, rejectingLeadingZeros } from "../../provider/inputs/read-values";
import type { MachineId } from "../../provider/panel/types";
import { type Command, CommandError, exitCodes, parseOptions, reachOf } from "../parts/command";
import { loadKnownQuestions } from "../parts/known-questions";
import { loadSettings } from "../parts/provider-settings";
import { assessPanel } from "./assess";
import { printCheck } from "./print";
import { survey } from "./survey";

const usage = `Usage: pulumi-recovery check [options]

Shows how your panel behaves, what that means for restores, and what to set.
Run it before the first restore. It sends only GETs, at most 55.

  --machine <id>   check this machine too: its log, jobs and recovery points
  --stack <name>   read the settings from this stack's configuration, then from
                   the environment (default: the stack selected in this folder)
  --known <file>   accepted questions (default: recovery-known.json beside the
                   project, if there is one)
  --json           print the result as JSON
  --help

Exit codes: 0 no open questions; 1 the panel cannot be used; 2 there are open
questions; 3 nothing was checked; 4 a bug in this command.
`;

const options = {
  machine: { type: "string" },
  stack: { type: "string" },
  known: { type: "string" },
  json: { type: "boolean" },
} as const;

const exitCodeOf = { fine: exitCodes.done, question: exitCodes.incomplete, fault: exitCodes.failed } as const;

export const check: Command = {
  name: "check",
  about: "how your panel behaves; run this first",
  usage,
  async run(args, io) {
    const { machine, stack, ...values } = parseOptions({ args: [...args], options }).values;
    const wanted = machine === undefined ? {} : { machine: machineFrom(machine) };
    const known = await loadKnownQuestions(values.known);
    const settings = await loadSettings(stack, io);
    const read = await survey(settings, wanted, { ...reachOf(io), progress: io.warn });
    const checked = assessPanel(read, known);
    if (values.json === true) io.say(JSON.stringify(checked, undefined, 2));
    else for (const line of printCheck(checked)) io.say(line);
    return checked.isAccepted ? exitCodes.done : exitCodeOf[checked.verdict];
  },
};

const readMachine = rejectingLeadingZeros(readId);

function machineFrom(text: string): MachineId {
  const reading = readMachine(text);
  if ("problem" in reading) throw new CommandError(`--machine${reading.problem}`);
  return reading.value as MachineId;
}
