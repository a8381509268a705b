import { isObject } from "../plain/is-object";
import type { Mark } from "../restore/terms/intent";

/**
 * What is left of a mark in a state that may have been edited. The record of a restore is resumed from it: even a part of it still
 * tells on which panel, or above which row, its transaction is to be looked for.
 */
export function readMark(value: unknown): Mark | undefined {
  if (!isObject(value) || typeof value["panel"] !== "string") return undefined;
  const { panel, newestId, newestCreatedAt, takenAt, firstPageIds } = value;
  return {
    panel,
    firstPageIds: Array.isArray(firstPageIds) ? firstPageIds.filter(isText) : [],
    ...(isText(newestId) && { newestId }),
    ...(isText(newestCreatedAt) && { newestCreatedAt }),
    ...(isText(takenAt) && { takenAt }),
  };
}

/** The mark of an intent. A restore may be posted on the strength of it, so one that lacks a part is none. */
export function readWholeMark(value: unknown): Mark | undefined {
  const mark = readMark(value);
  const ids: unknown = isObject(value) ? value["firstPageIds"] : undefined;
  return mark?.panel !== "" && Array.isArray(ids) && ids.every(isText) ? mark : undefined;
}

export function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
