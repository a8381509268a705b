import { isGiven } from "../inputs/problems";
import { programOf, type StoredCheckPlan } from "../inputs/read-check";
import { maskLikelySecrets } from "../panel/mask";
import { forTerminal } from "../plain/text";

const maxLength = 200;

/**
 * The target of a check as it is shown and stored: an address without its query, which may hold tokens, or a command's program without its
 * words, which may hold passwords. Takes any value, because it is shown before it is validated.
 */
export function shownTarget(kind: StoredCheckPlan["kind"], given: unknown): string {
  return kind === "command" ? programOf(shownText(String(given))) : shownText(withoutQuery(String(given)));
}

/** The answer that an http check expects, as it is shown: `status 200 or 204, containing "ok"`. */
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
