import { pause, type Clock } from "../../provider/plain/clock";
import { CommandError, exitCodes, type ExitCode, type Io } from "../parts/command";
import { printStatus } from "./print";
import type { StatusResult } from "./result";

const everyMs = 10_000;

export function exitCodeOf({ panelProblem }: StatusResult): ExitCode {
  return panelProblem === undefined ? exitCodes.done : exitCodes.incomplete;
}

/** Looks repeatedly. A terminal shows the last look; elsewhere each look follows the previous look. `rounds`: for tests. */
export async function watch(
  lookOnce: () => Promise<StatusResult>,
  output: "text" | "json",
  io: Io,
  clock: Clock,
  rounds = Infinity,
): Promise<ExitCode> {
  let code: ExitCode = exitCodes.done;
  for (let round = 0; round < rounds; round++) {
    if (round > 0) await pause(clock, everyMs);
    try {
      const result = await lookOnce();
      code = exitCodeOf(result);
      const text = output === "json" ? JSON.stringify(result) : printStatus(result, io).join("\n");
      if (output === "text" && io.redraw !== undefined) io.redraw(text);
      else io.say(output === "json" || round === 0 ? text : `\n${text}`);
    } catch (error) {
      // A failed look means nothing, except for the first, when an option may be wrong.
      if (round === 0 || !(error instanceof CommandError)) throw error;
      io.warn(`not read: ${error.message}`);
    }
  }
  return code;
}
