import { isGiven } from "../inputs/problems";
import { maskLikelySecrets } from "../panel/mask";
import { forTerminal } from "../plain/text";

const maxLength = 200;

/**
 * What a check asks, as it is shown and stored: the address without a query, for that is where tokens are, and of a command its
 * words with what looks like a secret taken out. Takes anything: it is shown before anybody has looked whether it is right.
 */
export function shownTarget(given: unknown): string {
  return shownText(Array.isArray(given) ? given.map(String).join(" ") : withoutQuery(String(given)));
}

/** What an http check expects of the answer beside that it comes, shown in the same way: `status 200 or 204, containing "ok"`. */
export function shownExpectation({
  status,
  contains,
}: {
  readonly status?: unknown;
  readonly contains?: unknown;
}): string {
  const parts = [
    isGiven(status) ? `status ${[status].flat().map(String).join(" or ")}` : [],
    typeof contains === "string" ? `containing "${contains}"` : [],
  ];
  return shownText(parts.flat().join(", "));
}

function shownText(text: string): string {
  const shown = forTerminal(maskLikelySecrets(text)).replaceAll(/\s+/g, " ");
  return shown.length > maxLength ? `${shown.slice(0, maxLength)}…` : shown;
}

function withoutQuery(text: string): string {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:") return text;
  return `${url.origin}${url.pathname}${url.search === "" ? "" : "?…"}`;
}
