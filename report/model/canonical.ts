import { createHash } from "node:crypto";
import type { Report } from "./model";

/** The report as JSON, keys in alphabetical order, two spaces, one line end at its end: the same report is the same bytes. */
export function toJson(report: Report): string {
  return `${JSON.stringify(sorted(report), undefined, 2)}\n`;
}

/** What the other formats show, and `sha256sum` prints for the JSON file. */
export function sha256Of(report: Report): string {
  return createHash("sha256").update(toJson(report)).digest("hex");
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sorted(item)]));
}
