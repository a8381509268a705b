import { endpointRisks, parseEndpoint, type EndpointRisk } from "../panel/http/endpoint";
import type { Settings } from "./settings";

/** What works but should not stay as it is, by the settings that make it so; said once per run. */
export function settingsWarnings(settings: Pick<Settings, "endpoint" | "insecure" | "caFile">): readonly string[] {
  const { insecure, caFile } = settings;
  const endpoint = parseEndpoint(settings.endpoint);
  const texts: Readonly<Record<EndpointRisk, string>> = {
    readable:
      `recovery:endpoint is ${endpoint.address}, which is plain http: the user name and password cross the network readable by ` +
      "anyone on the way. Use https.",
    unverified:
      `recovery:insecure is true: the certificate of ${endpoint.address} is not checked, and whoever answers there is given ` +
      "the user name and password. Give the certificate authority's file as recovery:caFile instead.",
  };
  const warnings = endpointRisks(endpoint, insecure).map((risk) => texts[risk]);
  if (insecure && caFile !== undefined) {
    warnings.push("recovery:caFile has no effect while recovery:insecure is true: leave one of them out.");
  }
  return warnings;
}
