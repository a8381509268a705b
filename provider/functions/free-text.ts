import { isObject } from "../plain/is-object";

/**
 * Fields that hold whatever a job printed or was given, passwords included. Panels differ in spelling
 * (`log_output`, `log-output`), so names are compared by their letters.
 */
const freeText = new Set(["logoutput", "params"]);

function isFreeText(field: string): boolean {
  return freeText.has(field.replace(/[-_]/g, "").toLowerCase());
}

/** A copy without the free text, however deep it lies. */
export function withoutFreeText(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutFreeText);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([field]) => !isFreeText(field));
  return Object.fromEntries(kept.map(([field, inner]) => [field, withoutFreeText(inner)]));
}

export function carriesFreeText(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(carriesFreeText);
  if (!isObject(value)) return false;
  return Object.entries(value).some(
    ([field, inner]) => (isFreeText(field) && hasContent(inner)) || carriesFreeText(inner),
  );
}

/** Panels send the field empty when there is nothing in it. */
function hasContent(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return false;
  return typeof value !== "object" || Object.keys(value).length > 0;
}
