import { ConfigurationError, readSettings, type Settings } from "../../provider/inputs/settings";
import {
  allowedByProviderKey,
  configKey,
  environmentSource,
  keyedSource,
  type SettingsSource,
} from "../../provider/inputs/settings-sources";
import { readState } from "../../report/state/read-state";
import { isSecret, plainDataOf } from "../../report/state/values";
import { CommandError, type Io } from "../parts/command";

const providerType = /^pulumi:providers:(pulumi-nodejs|recovery)$/;

/**
 * Reads an explicit provider's settings as its process does: from the state, then from the stack's configuration where that was read, then from
 * the environment. An encrypted setting is an error: another place's value could be another panel's password.
 */
export function settingsOfProvider(
  exported: unknown,
  name: string,
  { environment }: Pick<Io, "environment">,
  stack?: SettingsSource,
): Settings {
  const providers = readState(exported).resources.filter(({ type }) => providerType.test(type));
  const found = providers.find(({ rawName }) => rawName === name);
  if (found === undefined) {
    const others = providers.map(({ name: other }) => other).filter((other) => !/^default(?:_|$)/.test(other));
    throw new CommandError(
      `the state holds no provider ${name}; ${others.length === 0 ? "it holds no explicit provider" : `it holds ${others.join(", ")}`}`,
    );
  }
  const stored = (key: string): unknown => {
    const plain = plainDataOf(found.outputs[key]);
    if (isSecret(plain)) {
      throw new CommandError(
        `${key} of the provider ${name} is encrypted in this state: leave --state out, or write one with ` +
          "`pulumi stack export --show-secrets`",
      );
    }
    return plain;
  };
  const isPlugin = found.type.endsWith(":recovery");
  const allowedKey = configKey("allowedMachines");
  // A provider of a program in TypeScript stores the stack's list beside its own, as it was at the last `up`.
  const ownKey = (key: string): string =>
    isPlugin ? key.replace(/^recovery:/, "") : key === allowedKey ? allowedByProviderKey : key;
  const listOfLastRun = keyedSource("the stack's configuration", (key) =>
    key === allowedKey && !isPlugin ? stored(key) : undefined,
  );
  const sources = [
    keyedSource(`the provider ${name}`, (key) => stored(ownKey(key))),
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
