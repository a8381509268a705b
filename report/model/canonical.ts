import { createHash } from "node:crypto";
import type { Report } from "./model";

/** Renders a report as JSON with sorted keys, so the same report gives the same bytes. */
export function toJson(report: Report): string {
  return `${JSON.stringify(sorted(report), undefined, 2)}\n`;
}

/** The SHA-256 of a report's JSON: the other formats show it, and `sha256sum` prints it for the file. */
export function sha256Of(report: Report): string {
  return createHash("sha256").update(toJson(report)).digest("hex");
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sorted(item)]));
}
