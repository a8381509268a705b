import type { SettingName } from "./definition";
import { definition } from "./definition";

/** One place settings come from. Sources are asked in order; the first that has a setting decides. */
export interface Source {
  /** Where a setting was found, for messages: `recovery:endpoint in the stack's configuration`. */
  describe(name: SettingName): string;
  /** Undefined when this place does not have the setting. */
  read(name: SettingName): string | undefined;
}

/** How settings are spelled in stack configuration and in the properties of an explicit provider. */
export function configKey(name: SettingName): string {
  return `recovery:${name}`;
}

export function environmentSource(environment: Readonly<Record<string, string | undefined>>): Source {
  return {
    describe: (name) => definition[name].variable,
    read: (name) => environment[definition[name].variable],
  };
}

/**
 * A source that answers to namespaced keys. The engine hands over text, and a property of an explicit provider
 * may still arrive as the number, boolean or list it was written as.
 */
export function keyedSource(where: string, get: (key: string) => unknown): Source {
  return {
    describe: (name) => `${configKey(name)} in ${where}`,
    read: (name) => asText(get(configKey(name))),
  };
}

/** The text form of a setting's value: what `pulumi config set` would have stored for it. */
export function asText(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === "string" ? value : JSON.stringify(value);
}
