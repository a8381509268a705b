import { type Command, CommandError, type Io, parseOptions, reachOf } from "../parts/command";
import { loadStackState } from "../parts/load-state";
import {
  defaultProvider,
  loadSettings,
  loadStack,
  type StackQuery,
  stackOptions,
  stackQuery,
} from "../parts/provider-settings";
import { readStack } from "../parts/stack-state";
import { exitCodeOf, printStatus, watch } from "./print";
import { readStatus } from "./read-status";
import type { StatusResult } from "./result";

const usage = `Usage: pulumi-recovery status [options]

Shows what each restore of a stack is doing now, even while \`pulumi up\` runs,
from the stored state and one pass through the panel's list. It only reads.

  --stack <name>     the stack (default: the one selected in this folder)
  --state <file>     read the state from this file; - reads standard input
  --plan <name>      only the restores of this plan
  --provider <name>  query this explicit provider's panel, with its settings
  --reader           query with RECOVERY_USERNAME and RECOVERY_PASSWORD,
                     regardless of other settings, and decrypt no secrets
  --watch            read again every 10 seconds, until Ctrl-C
  --json             print the result as JSON; with --watch, one line per read
  --help

"probably 5015": the transaction names the machine and is new enough, but
nothing yet proves that it is this restore.

Exit codes: 0 shown; 2 shown from the stored state, because the panel cannot be
read; 3 nothing was shown; 4 a bug in this command.
`;

const options = {
  ...stackOptions,
  watch: { type: "boolean" },
  json: { type: "boolean" },
} as const;

export const status: Command = {
  name: "status",
  about: "what each restore is doing now, even while `pulumi up` runs",
  usage,
  async run(args, io) {
    const { values } = parseOptions({ args: [...args], options });
    const wanted = stackQuery(values);
    if (values.watch !== true) {
      const result = await look(wanted, io);
      if (values.json === true) io.say(JSON.stringify(result, undefined, 2));
      else for (const line of printStatus(result, io)) io.say(line);
      return exitCodeOf(result);
    }
    if (wanted.source.from === "file" && wanted.source.file === "-")
      throw new CommandError("--watch rereads the state each time: use --stack or --state <file>");
    return watch(() => look(wanted, io), values.json === true ? "json" : "text", io, reachOf(io).clock);
  },
};

async function look(wanted: StackQuery, io: Io): Promise<StatusResult> {
  const { state, settings } = await load(wanted, io);
  return readStatus(state, settings, wanted, reachOf(io));
}

/** The stored state is worth showing even when the panel is down. */
async function load(wanted: StackQuery, io: Io) {
  const { source, stack, provider, as } = wanted;
  if (provider !== undefined && provider !== defaultProvider) return loadStack(wanted, io);
  const [exported, settings] = await Promise.all([
    loadStackState(source, io),
    loadSettings(stack, io, as).catch((error: unknown) => {
      if (error instanceof CommandError) return { problem: error.message };
      throw error;
    }),
  ]);
  return { state: readStack(exported), settings };
}
