import { endpointWarnings, parseEndpoint } from "../panel/endpoint";
import type { Settings } from "./settings";

/** What works but should not stay as it is; said once per run. */
export function settingsWarnings(settings: Pick<Settings, "endpoint" | "insecure" | "caFile">): readonly string[] {
  const { endpoint, insecure, caFile } = settings;
  const warnings = endpointWarnings(parseEndpoint(endpoint), insecure);
  if (insecure && caFile !== undefined) {
    warnings.push("recovery:caFile has no effect while recovery:insecure is true: leave one of them out.");
  }
  return warnings;
}
