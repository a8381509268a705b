import { isLoopback } from "./endpoint";
import type { Settings } from "./settings";

/** What works but should not stay as it is; said once per run. */
export function settingsWarnings(settings: Pick<Settings, "endpoint" | "insecure" | "caFile">): readonly string[] {
  const { endpoint, insecure, caFile } = settings;
  const warnings: string[] = [];
  if (endpoint.startsWith("http:") && !isLoopback(endpoint)) {
    warnings.push(
      `${endpoint} is plain http: user name, password and everything else cross the network readable. ` +
        "Set recovery:endpoint (RECOVERY_ENDPOINT) to an https address.",
    );
  }
  if (endpoint.startsWith("https:") && insecure) {
    warnings.push(
      `The certificate of ${endpoint} is not verified (recovery:insecure), so anybody in between can read the ` +
        "password. Set recovery:caFile to the panel's certificate authority instead." +
        (caFile === undefined ? "" : " The caFile that is set has no effect while insecure is true."),
    );
  }
  return warnings;
}
