import type { PanelError } from "./panel-error";

/** The only ways to say that there is no page of this number: from a server's failure nothing follows for the list. */
export function saysNoSuchPage({ kind }: PanelError): boolean {
  return kind === "notFound" || kind === "invalid" || kind === "refusedRequest";
}
