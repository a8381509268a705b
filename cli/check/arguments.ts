import { readId, rejectingLeadingZeros } from "../../provider/inputs/read-values";
import type { MachineId } from "../../provider/panel/types";
import { CommandError, parseOptions } from "../parts/command";

export const usage = `Usage: pulumi-recovery check [options]

How your panel behaves, before the first restore: what its list shows and lacks,
what follows for a restore, and what to set. It only reads: at most 55 GETs.

  --machine <id>   look at this machine too: its log, its work, its points
  --stack <name>   read the settings from this stack's configuration, then from
                   the environment (default: the stack selected in this folder)
  --known <file>   accepted questions (default: recovery-known.json beside the
                   project, if there is one)
  --json           print the result as JSON
  --help

Exit codes: 0 sound, or every question is accepted; 1 it cannot be used; 2 there
are questions; 3 nothing was checked; 4 a defect of this command.
`;

const options = {
  machine: { type: "string" },
  stack: { type: "string" },
  known: { type: "string" },
  json: { type: "boolean" },
} as const;

interface CheckArguments {
  readonly machine?: MachineId;
  readonly stack?: string;
  readonly known?: string;
  readonly output: "text" | "json";
}

const readMachine = rejectingLeadingZeros(readId);

export function readCheckArguments(args: readonly string[]): CheckArguments {
  const { machine, stack, known, json } = parseOptions({ args: [...args], options }).values;
  return {
    output: json === true ? "json" : "text",
    ...(machine !== undefined && { machine: machineFrom(machine) }),
    ...(stack !== undefined && { stack }),
    ...(known !== undefined && { known }),
  };
}

function machineFrom(text: string): MachineId {
  const reading = readMachine(text);
  if ("problem" in reading) throw new CommandError(`--machine${reading.problem}`);
  return reading.value as MachineId;
}
