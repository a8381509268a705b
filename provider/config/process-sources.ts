import type { Source } from "./source";
import { environmentSource, keyedSource } from "./source";

/** What `configure` is handed in the provider process. */
export interface ProcessConfig {
  get(key: string): unknown;
}

/**
 * Where the provider process finds settings. An explicit provider's properties and the stack's configuration
 * arrive the same way, under the same keys: the engine hands a process one or the other.
 */
export function processSources(
  config: ProcessConfig | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): readonly Source[] {
  const configured = config === undefined ? [] : [keyedSource("the configuration", (key) => config.get(key))];
  return [...configured, environmentSource(environment)];
}
