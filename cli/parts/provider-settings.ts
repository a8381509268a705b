import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { ConfigurationError, readSettings, type Settings } from "../../provider/inputs/settings";
import {
  allowedByProviderKey,
  environmentSource,
  keyedSource,
  providerSource,
  type SettingsSource,
} from "../../provider/inputs/settings-sources";
import { configKey, type SettingName } from "../../provider/inputs/settings-table";
import { secretsRedactor } from "../../provider/panel/secrets";
import { isObject, omitUndefined } from "../../provider/plain/plain";
import { CommandError, type Io, runPulumi } from "./command";
import { loadStackState, stateSource, type StateSource } from "./load-state";
import { isSecret, providerName, readStack, type StackState } from "./stack-state";

/** The provider name for restores without an explicit provider. */
export const defaultProvider = "default";

/** A stack's state, and the settings for querying its panel. */
export interface LoadedStack {
  readonly state: StackState;
  readonly settings: Settings;
}

/** `user`: the connection's own credentials. `reader`: a read-only user's credentials from the environment, so that no secret is decrypted. */
export type AskedAs = "user" | "reader";

export interface StackQuery {
  readonly source: StateSource;
  /** If set, only the restores in this plan are queried. */
  readonly plan?: string;
  /** The stack whose configuration contains the connection. */
  readonly stack?: string;
  /** An explicit provider's name. */
  readonly provider?: string;
  readonly as: AskedAs;
}

/** The options of commands that query a stack's panel. */
export const stackOptions = {
  stack: { type: "string" },
  state: { type: "string" },
  plan: { type: "string" },
  provider: { type: "string" },
  reader: { type: "boolean" },
} as const;

type StackValues = Parameters<typeof stateSource>[0] &
  Readonly<Partial<Record<"plan" | "provider", string | undefined> & Record<"reader", boolean | undefined>>>;

export function stackQuery({ plan, provider, reader, ...named }: StackValues): StackQuery {
  const as = reader === true ? "reader" : "user";
  return { source: stateSource(named), as, ...omitUndefined({ plan, stack: named.stack, provider }) };
}

export async function loadStack({ source, stack, provider, as }: StackQuery, io: Io): Promise<LoadedStack> {
  if (provider === undefined || provider === defaultProvider) {
    const [exported, settings] = await Promise.all([loadStackState(source, io), loadSettings(stack, io, as)]);
    return { state: readStack(exported), settings };
  }
  const [exported, read] = await Promise.all([
    loadStackState(source, io, as === "reader" ? "encrypted" : "shown"),
    // A state from a file may belong to a stack other than this folder's.
    source.from === "stack" ? stackSource(stack, io, as) : undefined,
  ]);
  const state = readStack(exported);
  const ofStack = read !== undefined && "source" in read ? read.source : undefined;
  return { state, settings: settingsOfProvider(state, provider, io, as, ofStack) };
}

/** The credentials of a user who may read but not restore. Throws if the name or password is missing, rather than using the connection's own. */
function readerSource(environment: Io["environment"]): SettingsSource {
  const source = environmentSource(environment);
  const isTheirs = (name: SettingName): boolean => name === "username" || name === "password";
  const missing = (["username", "password"] as const).filter((name) => (source.read(name) ?? "") === "");
  if (missing.length > 0)
    throw new CommandError(`--reader needs ${missing.map((name) => source.describe(name)).join(" and ")}`);
  return { ...source, read: (name) => (isTheirs(name) ? source.read(name) : undefined) };
}

const readersOf = (as: AskedAs, environment: Io["environment"]): readonly SettingsSource[] =>
  as === "reader" ? [readerSource(environment)] : [];

const providerType = /^pulumi:providers:(pulumi-nodejs|recovery)$/;

/**
 * Reads an explicit provider's settings in the same order as the provider: from the state, then from the stack's configuration (if it was read), then from
 * the environment. An encrypted setting is an error, because a value from another source could be another panel's password.
 */
function settingsOfProvider(
  { resources, from }: StackState,
  name: string,
  { environment }: Pick<Io, "environment">,
  as: AskedAs,
  stack?: SettingsSource,
): Settings {
  const explicit = [...resources.values()].flatMap((one) => {
    const own = providerType.test(one.type) ? providerName(`${one.urn}::`) : undefined;
    return own === undefined ? [] : [{ ...one, name: own }];
  });
  const found = explicit.find((one) => one.name === name);
  if (found === undefined) {
    const others = explicit.map((one) => one.name).join(", ");
    throw new CommandError(`the ${from} contains no provider ${name}; it contains ${others || "no explicit provider"}`);
  }
  const stored = (key: string): unknown => {
    const value = found.outputs[key];
    if (!isSecret(value)) return value;
    if (as === "reader")
      throw new CommandError(
        `${key} of the provider ${name} is a secret, which --reader does not decrypt: set it in plain text`,
      );
    throw new CommandError(
      from === "preview"
        ? `${key} of the provider ${name} is a secret, which a preview masks: query the panel as a reader, with --reader`
        : `${key} of the provider ${name} is encrypted in this state: omit --state, or export the state with ` +
            "`pulumi stack export --show-secrets`",
    );
  };
  const isPlugin = found.type.endsWith(":recovery");
  const allowedKey = configKey("allowedMachines");
  // In a TypeScript program, a provider stores its own list of allowed machines and, beside it, the stack's list as of the last `up`.
  const ownKey = (key: string): string =>
    isPlugin ? key.replace(/^recovery:/, "") : key === allowedKey ? allowedByProviderKey : key;
  const listOfLastRun = keyedSource("the stack's configuration", (key) =>
    key === allowedKey && !isPlugin ? stored(key) : undefined,
  );
  const sources = [
    ...readersOf(as, environment),
    providerSource(`the provider ${name}`, (key) => stored(ownKey(key))),
    stack ?? listOfLastRun,
    environmentSource(environment),
  ];
  return settingsOf(sources);
}

function settingsOf(sources: readonly SettingsSource[], whatElse = ""): Settings {
  try {
    return readSettings(sources.map(inProgramFolder));
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new CommandError(`${error.message}${whatElse}`, { cause: error });
  }
}

/** A program runs in its project's main folder, so a relative path starts there, wherever the command is called. */
function inProgramFolder(source: SettingsSource): SettingsSource {
  const read = (name: SettingName): string | undefined => {
    const value = source.read(name);
    return name === "caFile" && value ? resolve(programFolder(), value) : value;
  };
  return { ...source, read };
}

/** Reads the settings as a program in this folder would: the stack's configuration, then the environment. */
export async function loadSettings(stack: string | undefined, io: Io, as: AskedAs = "user"): Promise<Settings> {
  const readers = readersOf(as, io.environment);
  const stackRead = await stackSource(stack, io, as);
  const ofStack = "source" in stackRead ? [stackRead.source] : [];
  const unread = "problem" in stackRead ? `\nThe stack's configuration was not read: ${stackRead.problem}` : "";
  return settingsOf([...readers, ...ofStack, environmentSource(io.environment)], unread);
}

type StackReading = { readonly source: SettingsSource } | { readonly problem: string } | { readonly none: true };

/** The stack's configuration. A named stack must exist. Without a name, the environment may be enough, since pipeline steps often have no stack. */
async function stackSource(stack: string | undefined, io: Io, as: AskedAs): Promise<StackReading> {
  if (stack === undefined && projectFolder() === undefined) return { none: true };
  try {
    const { read, keys } = valueReader(await configuration(stack, io, as));
    return { source: keyedSource("the stack's configuration", read, keys) };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    // The CLI's message may quote a value. The only secret known here is the password from the environment.
    const problem = secretsRedactor([io.environment["RECOVERY_PASSWORD"] ?? ""])(error.message);
    if (stack !== undefined) throw new CommandError(problem, { cause: error });
    io.warn(`Only the environment was read, not the stack's configuration: ${problem.split("\n")[0] ?? ""}`);
    return { problem };
  }
}

function configuration(stack: string | undefined, io: Io, as: AskedAs): Promise<string> {
  const args = ["config", "--json", ...(as === "reader" ? [] : ["--show-secrets"]), "--non-interactive"];
  return runPulumi(
    stack === undefined ? args : [...args, "--stack", stack],
    io,
    "install it, or set RECOVERY_ENDPOINT and the other environment variables",
  );
}

/** Reads values by key. Replaces the JSON parser's own error, which would quote the text, including the password. */
function valueReader(json: string): { readonly read: (key: string) => unknown; readonly keys: readonly string[] } {
  let all: unknown;
  try {
    all = JSON.parse(json);
  } catch {
    throw new CommandError("the output of `pulumi config --json` is not JSON");
  }
  const entries = new Map(typeof all === "object" && all !== null ? Object.entries(all) : []);
  const read = (key: string): unknown => {
    const entry: unknown = entries.get(key);
    if (!isObject(entry)) return undefined;
    if (!("value" in entry))
      throw new CommandError(
        `${key} is a secret in the stack's configuration, which --reader does not decrypt: set it without --secret`,
      );
    return entry["value"];
  };
  return { read, keys: [...entries.keys()] };
}

/** The folder in which a project's program runs. */
function programFolder(): string {
  const file = projectFile();
  if (file === undefined) return process.cwd();
  const [, main = "."] = /^\s*"?main"?\s*:\s*["']?([^"'#\s,]+)/m.exec(readFileSync(file, "utf8")) ?? [];
  return resolve(dirname(file), main);
}

/** The project's folder: the current folder or its nearest parent that contains a project. */
export function projectFolder(): string | undefined {
  const file = projectFile();
  return file && dirname(file);
}

function projectFile(): string | undefined {
  for (let at = process.cwd(); ; at = dirname(at)) {
    const file = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"].map((name) => join(at, name)).find(existsSync);
    if (file !== undefined || dirname(at) === at) return file;
  }
}
