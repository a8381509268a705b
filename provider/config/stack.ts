import * as pulumi from "@pulumi/pulumi";
import type { SettingName } from "./definition";
import type { Source } from "./source";
import { configKey, keyedSource } from "./source";

/**
 * The stack's configuration as a program sees it. `pulumi.Config.get` warns about every secret it is asked for
 * and its `getSecret` gives an Output; a password is needed here as text, and goes into no resource.
 */
export function stackSource(): Source {
  return keyedSource("the stack's configuration", (key) => pulumi.runtime.getConfig(key));
}

/** One setting from the stack's configuration, secret if it is stored as one. */
export function stackInput(name: SettingName): pulumi.Input<string> | undefined {
  const key = configKey(name);
  const text = pulumi.runtime.getConfig(key);
  if (text === undefined) return undefined;
  return isSecretKey(key) ? pulumi.secret(text) : text;
}

/** The SDK has this function for its own use and leaves it out of its declarations; where it is gone, secret is the safe answer. */
function isSecretKey(key: string): boolean {
  const { isConfigSecret } = pulumi.runtime as { isConfigSecret?: (key: string) => boolean };
  return isConfigSecret?.(key) ?? true;
}
