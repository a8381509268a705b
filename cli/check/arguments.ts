import { readId, rejectingLeadingZeros } from "../../provider/inputs/read-values";
import type { MachineId } from "../../provider/panel/types";
import { CommandError, parseOptions } from "../parts/command";

export const usage = `Usage: pulumi-recovery check [options]

Learns how your panel behaves before the first restore: connection, list, words,
and whose rows are whose. It only reads: at most 55 GETs, nothing posted.

  --machine <id>   look at this machine too: its log, its work, its restores,
                   its recovery points
  --stack <name>   read the settings from this stack's configuration, then from
                   the environment (default: the stack selected in this folder)
  --rows <number>  how many of the newest transactions to read (default 500)
  --known <file>   accepted questions (default recovery-known.json beside the
                   project, if there is one)
  --json           print the findings as JSON
  --help

Exit codes: 0 all is fine; 1 there are faults: restores would fail; 2 there are
questions: look at them before you restore; 3 nothing was checked, and the
message says why; 4 a defect of this command.
`;

const options = {
  machine: { type: "string" },
  stack: { type: "string" },
  rows: { type: "string" },
  known: { type: "string" },
  json: { type: "boolean" },
} as const;

interface CheckArguments {
  readonly machine?: MachineId;
  readonly stack?: string;
  readonly rows: number;
  readonly known?: string;
  readonly output: "text" | "json";
}

const mostRows = 10_000;
const readMachine = rejectingLeadingZeros(readId);

export function readCheckArguments(args: readonly string[]): CheckArguments {
  const { values } = parseOptions({ args: [...args], options });
  return {
    rows: values.rows === undefined ? 500 : rowsFrom(values.rows),
    output: values.json === true ? "json" : "text",
    ...(values.machine !== undefined && { machine: machineFrom(values.machine) }),
    ...(values.stack !== undefined && { stack: values.stack }),
    ...(values.known !== undefined && { known: values.known }),
  };
}

function rowsFrom(text: string): number {
  const rows = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (rows >= 1 && rows <= mostRows) return rows;
  throw new CommandError(`--rows must be a whole number from 1 to ${String(mostRows)}`);
}

function machineFrom(text: string): MachineId {
  const reading = readMachine(text);
  if ("problem" in reading) throw new CommandError(`--machine${reading.problem}`);
  return reading.value as MachineId;
}
