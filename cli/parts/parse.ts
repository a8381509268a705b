import { parseArgs, type ParseArgsConfig } from "node:util";
import { messageOf } from "../../provider/plain/text";
import { CommandError } from "./command";

/** Node's own parser; what it says of a wrong argument, in one sentence. */
export function parse<T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    // The first sentence names the option; the rest is advice about escaping.
    const message = messageOf(error);
    throw new CommandError(`${message.split(". ")[0] ?? message}; --help lists the options`);
  }
}
