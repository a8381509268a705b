import { parseOptions } from "../parts/command";
import { stateSource, type StateSource } from "../parts/load-state";

export const usage = `Usage: pulumi-recovery status [options]

What each restore of a stack is doing now, also while \`pulumi up\` runs: from the
stack's stored state and one walk of the panel's list. It only reads.

  --stack <name>     the stack (default: the one selected in this folder)
  --state <file>     read the state from this file; - reads standard input
  --plan <name>      only the restores of this plan
  --provider <name>  ask this explicit provider's panel, with its settings
  --watch            look again every 10 seconds, until Ctrl-C
  --json             print the result as JSON; with --watch a line for each look
  --help

"probably 5015": the transaction names the machine and is new enough, and
nothing proves yet that it is this restore.

Exit codes: 0 shown; 2 shown as it is stored, because the panel cannot be read;
3 nothing was shown; 4 a defect of this command.
`;

const options = {
  stack: { type: "string" },
  state: { type: "string" },
  plan: { type: "string" },
  provider: { type: "string" },
  watch: { type: "boolean" },
  json: { type: "boolean" },
} as const;

export interface StatusArguments {
  readonly source: StateSource;
  readonly stack?: string;
  readonly plan?: string;
  readonly provider?: string;
  readonly isRepeated: boolean;
  readonly output: "text" | "json";
}

export function readStatusArguments(args: readonly string[]): StatusArguments {
  const { stack, state, plan, provider, watch, json } = parseOptions({ args: [...args], options }).values;
  return {
    source: state === undefined ? stateSource({ stack }) : stateSource({ state }),
    isRepeated: watch === true,
    output: json === true ? "json" : "text",
    ...(stack !== undefined && { stack }),
    ...(plan !== undefined && { plan }),
    ...(provider !== undefined && { provider }),
  };
}
