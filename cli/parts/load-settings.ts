import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { ConfigurationError, readSettings, type Settings } from "../../provider/inputs/settings";
import { environmentSource, keyedSource, type SettingsSource } from "../../provider/inputs/settings-sources";
import { secretsRedactor } from "../../provider/panel/secrets";
import { CommandError, type Io, runPulumi } from "./command";

/** Reads the settings as a program in this folder would: the stack's configuration, then the environment. */
export async function loadSettings(stack: string | undefined, io: Io): Promise<Settings> {
  const environment = environmentSource(io.environment);
  const stackRead = await stackSource(stack, io);
  try {
    return readSettings("source" in stackRead ? [stackRead.source, environment] : [environment]);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const unread = "problem" in stackRead ? `\nThe stack's configuration was not read: ${stackRead.problem}` : "";
    throw new CommandError(`${error.message}${unread}`, { cause: error });
  }
}

type StackReading = { readonly source: SettingsSource } | { readonly problem: string } | { readonly none: true };

/** The stack's configuration. A named stack must exist. Without a name the environment alone may be enough: a pipeline's step often has no stack. */
export async function stackSource(stack: string | undefined, io: Io): Promise<StackReading> {
  if (stack === undefined && projectFolder() === undefined) return { none: true };
  try {
    return { source: keyedSource("the stack's configuration", valueReader(await configuration(stack, io))) };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    // The CLI's message may repeat a value; the only secret known here is the environment's password.
    const problem = secretsRedactor([io.environment["RECOVERY_PASSWORD"] ?? ""])(error.message);
    if (stack !== undefined) throw new CommandError(problem, { cause: error });
    io.warn(`The stack's configuration was not read, only the environment: ${problem.split("\n")[0] ?? ""}`);
    return { problem };
  }
}

function configuration(stack: string | undefined, io: Io): Promise<string> {
  const args = ["config", "--json", "--show-secrets", "--non-interactive"];
  return runPulumi(
    stack === undefined ? args : [...args, "--stack", stack],
    io,
    "install it, or give the settings in the environment (RECOVERY_ENDPOINT and so on)",
  );
}

/** Reads values by key. The JSON parser's own error would quote the text, and with it the password. */
function valueReader(json: string): (key: string) => unknown {
  let all: unknown;
  try {
    all = JSON.parse(json);
  } catch {
    throw new CommandError("the output of `pulumi config --json` is not JSON");
  }
  const entries = new Map(typeof all === "object" && all !== null ? Object.entries(all) : []);
  return (key) => {
    const entry: unknown = entries.get(key);
    return typeof entry === "object" && entry !== null && "value" in entry ? entry.value : undefined;
  };
}

/** The project's folder: the current folder, or the nearest above it. */
export function projectFolder(): string | undefined {
  for (let at = process.cwd(); ; at = dirname(at)) {
    if (["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"].some((name) => existsSync(join(at, name)))) return at;
    if (dirname(at) === at) return undefined;
  }
}
