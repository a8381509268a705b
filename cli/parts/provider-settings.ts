import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { ConfigurationError, readSettings, type Settings } from "../../provider/inputs/settings";
import {
  allowedByProviderKey,
  configKey,
  environmentSource,
  keyedSource,
  providerSource,
  type SettingsSource,
} from "../../provider/inputs/settings-sources";
import { secretsRedactor } from "../../provider/panel/secrets";
import { CommandError, type Io, runPulumi } from "./command";
import { loadStackState, type StateSource } from "./load-state";
import { isSecret, providerName, readStack, type StackState } from "./stack-state";

/** The name for restores without an explicit provider. */
export const defaultProvider = "default";

/** A stack's state, and the settings of the panel to ask. */
export interface LoadedStack {
  readonly state: StackState;
  readonly settings: Settings;
}

export interface StackQuery {
  readonly source: StateSource;
  /** The stack whose configuration holds the connection. */
  readonly stack?: string;
  /** An explicit provider's name. */
  readonly provider?: string;
}

export async function loadStack({ source, stack, provider }: StackQuery, io: Io): Promise<LoadedStack> {
  if (provider === undefined || provider === defaultProvider) {
    const [exported, settings] = await Promise.all([loadStackState(source, io), loadSettings(stack, io)]);
    return { state: readStack(exported), settings };
  }
  const [exported, read] = await Promise.all([
    loadStackState(source, io, "shown"),
    // A given state may belong to another stack than this folder's.
    source.from === "stack" ? stackSource(stack, io) : undefined,
  ]);
  const state = readStack(exported);
  const ofStack = read !== undefined && "source" in read ? read.source : undefined;
  return { state, settings: settingsOfProvider(state, provider, io, ofStack) };
}

const providerType = /^pulumi:providers:(pulumi-nodejs|recovery)$/;

/**
 * Reads an explicit provider's settings as its process does: from the state, then from the stack's configuration where that was read, then from
 * the environment. An encrypted setting is an error: another place's value could be another panel's password.
 */
function settingsOfProvider(
  { resources }: StackState,
  name: string,
  { environment }: Pick<Io, "environment">,
  stack?: SettingsSource,
): Settings {
  const explicit = [...resources.values()].flatMap((one) => {
    const own = providerType.test(one.type) ? providerName(`${one.urn}::`) : undefined;
    return own === undefined ? [] : [{ ...one, name: own }];
  });
  const found = explicit.find((one) => one.name === name);
  if (found === undefined) {
    const others = explicit.map((one) => one.name).join(", ");
    throw new CommandError(
      `the state holds no provider ${name}; ${others === "" ? "it holds no explicit provider" : `it holds ${others}`}`,
    );
  }
  const stored = (key: string): unknown => {
    const value = found.outputs[key];
    if (!isSecret(value)) return value;
    throw new CommandError(
      `${key} of the provider ${name} is encrypted in this state: leave --state out, or write one with ` +
        "`pulumi stack export --show-secrets`",
    );
  };
  const isPlugin = found.type.endsWith(":recovery");
  const allowedKey = configKey("allowedMachines");
  // A provider of a program in TypeScript stores the stack's list along with its own, as it was at the last `up`.
  const ownKey = (key: string): string =>
    isPlugin ? key.replace(/^recovery:/, "") : key === allowedKey ? allowedByProviderKey : key;
  const listOfLastRun = keyedSource("the stack's configuration", (key) =>
    key === allowedKey && !isPlugin ? stored(key) : undefined,
  );
  const sources = [
    providerSource(`the provider ${name}`, (key) => stored(ownKey(key))),
    stack ?? listOfLastRun,
    environmentSource(environment),
  ];
  try {
    return readSettings(sources);
  } catch (error) {
    if (error instanceof ConfigurationError) throw new CommandError(error.message, { cause: error });
    throw error;
  }
}

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
async function stackSource(stack: string | undefined, io: Io): Promise<StackReading> {
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
