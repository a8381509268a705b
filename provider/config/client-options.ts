import { readFileSync } from "node:fs";
import type { PanelClientOptions } from "../panel/client";
import { present } from "../plain/present";
import type { Settings } from "./settings";

/** What a client of this panel is made with. The certificate authority's file is read now, at first use. */
export function clientOptions(settings: Settings): PanelClientOptions {
  const { endpoint, username, password, format, apiVersion, caFile, insecure, requestTimeoutMs } = settings;
  return present<PanelClientOptions>({
    endpoint,
    username,
    password,
    format,
    insecure,
    requestTimeoutMs,
    apiVersion,
    ca: caFile === undefined ? undefined : readFileSync(caFile, "utf8"),
  });
}
