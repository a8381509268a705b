import { isObject } from "../plain/is-object";
import type { Mark, PanelAlone } from "../restore/terms/intent";

/**
 * What is left of a mark in a state that may have been edited. The record of a restore is resumed from it: even a part of it still
 * tells on which panel, or above which row, its transaction is to be looked for. With a page but no newest row the place is lost, and is
 * not to be taken for the place of an empty list, above which everything would stand.
 */
export function readMark(value: unknown): Mark | PanelAlone | undefined {
  if (!isObject(value) || typeof value["panel"] !== "string") return undefined;
  const { panel, newestId, newestCreatedAt, takenAt, firstPageIds } = value;
  if (!isText(newestId) && !isOfEmptyList(value)) return { panel };
  return {
    panel,
    firstPageIds: Array.isArray(firstPageIds) ? firstPageIds.filter(isText) : [],
    ...(isText(newestId) && { newestId }),
    ...(isText(newestCreatedAt) && { newestCreatedAt }),
    ...(isText(takenAt) && { takenAt }),
  };
}

/** In a state, null and no property are the same. */
function isOfEmptyList({ newestId, newestCreatedAt, firstPageIds }: Readonly<Record<string, unknown>>): boolean {
  const hasNoRow = (newestId ?? newestCreatedAt ?? undefined) === undefined;
  return hasNoRow && Array.isArray(firstPageIds) && firstPageIds.length === 0;
}

/**
 * The mark of an intent. A restore may be posted on the strength of it, so one that lacks its panel, its page, or the newest row of a page
 * that was not empty, is none. The stamps are not asked for: a list may show none.
 */
export function readWholeMark(value: unknown): Mark | undefined {
  const mark = readMark(value);
  const ids: unknown = isObject(value) ? value["firstPageIds"] : undefined;
  if (mark === undefined || !("firstPageIds" in mark) || mark.panel === "") return undefined;
  return Array.isArray(ids) && ids.every(isText) ? mark : undefined;
}

export function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
