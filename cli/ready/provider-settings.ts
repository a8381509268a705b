import { ConfigurationError, readSettings, type Settings } from "../../provider/inputs/settings";
import { configuredSources, environmentSource } from "../../provider/inputs/settings-sources";
import { readState } from "../../report/state/read-state";
import { isSecret, plainDataOf } from "../../report/state/values";
import { CommandError, type Io } from "../parts/command";

const providerType = /^pulumi:providers:(pulumi-nodejs|recovery)$/;

/**
 * Reads an explicit provider's settings from the state, then from the environment, as its process does. An encrypted setting is an
 * error: the environment's value in its place could be another panel's password.
 */
export function settingsOfProvider(
  exported: unknown,
  name: string,
  { environment }: Pick<Io, "environment">,
): Settings {
  const providers = readState(exported).resources.filter(({ type }) => providerType.test(type));
  const found = providers.find(({ rawName }) => rawName === name);
  if (found === undefined) {
    const others = providers.map(({ name: other }) => other).filter((other) => !/^default(?:_|$)/.test(other));
    throw new CommandError(
      `the state holds no provider ${name}; ${others.length === 0 ? "it holds no explicit provider" : `it holds ${others.join(", ")}`}`,
    );
  }
  const isPlugin = found.type.endsWith(":recovery");
  const sources = configuredSources(`the provider ${name}`, (key) => {
    const value = found.outputs[isPlugin ? key.replace(/^recovery:/, "") : key];
    const plain = plainDataOf(value);
    if (isSecret(plain)) {
      throw new CommandError(
        `${key} of the provider ${name} is encrypted in this state: leave --state out, or write one with ` +
          "`pulumi stack export --show-secrets`",
      );
    }
    return plain;
  });
  try {
    return readSettings([...sources, environmentSource(environment)]);
  } catch (error) {
    if (error instanceof ConfigurationError) throw new CommandError(error.message, { cause: error });
    throw error;
  }
}
