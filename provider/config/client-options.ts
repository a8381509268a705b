import { readFileSync } from "node:fs";
import type { PanelClientOptions } from "../panel/client";
import type { Settings } from "./settings";

/** What a client of this panel is made with. The certificate authority's file is read now, at first use. */
export function clientOptions(settings: Settings): PanelClientOptions {
  const { endpoint, username, password, format, apiVersion, caFile, insecure, requestTimeoutMs } = settings;
  return {
    endpoint,
    username,
    password,
    format,
    insecure,
    requestTimeoutMs,
    ...(apiVersion === undefined ? {} : { apiVersion }),
    ...(caFile === undefined ? {} : { ca: readFileSync(caFile, "utf8") }),
  };
}
