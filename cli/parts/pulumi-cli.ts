import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { messageOf } from "../../provider/plain/text";
import { CommandError, type Io } from "./command";

/** What the Pulumi CLI prints, called in this folder; `otherwise` is what to do where there is no CLI. */
export async function pulumi(
  args: readonly string[],
  { environment }: Pick<Io, "environment">,
  otherwise: string,
): Promise<string> {
  const child = spawn("pulumi", args, {
    env: { ...environment, PULUMI_SKIP_UPDATE_CHECK: "true" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<number | null>((resolve, reject) => child.once("error", reject).once("close", resolve));
  try {
    const [output, problem, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    if (code === 0) return output;
    throw new CommandError(`\`pulumi ${args.join(" ")}\` failed: ${problem.trim() || `exit code ${String(code)}`}`);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`the Pulumi CLI could not be started (${messageOf(error)}): ${otherwise}`, { cause: error });
  }
}
