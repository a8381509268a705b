import { createHash } from "node:crypto";
import type { StoredPlan } from "./stored";

/**
 * Tells one plan from another. Triggers are left out: they say when a restore runs again, not what the plan does. So is the order in
 * which properties are written; the order of the waves counts.
 */
export function digestOf(plan: StoredPlan): string {
  const text = JSON.stringify(canonical(withoutTriggers(plan)));
  return `sha256:${createHash("sha256").update(text).digest("hex")}`;
}

const mostPaths = 100;

/** Where two plans differ, as paths of properties; at most a hundred. */
export function changedPaths(before: unknown, after: unknown): readonly string[] {
  const found: string[] = [];
  compare(canonical(withoutTriggers(before)), canonical(withoutTriggers(after)), "", found);
  return found.slice(0, mostPaths);
}

function compare(before: unknown, after: unknown, path: string, found: string[]): void {
  if (found.length >= mostPaths || JSON.stringify(before) === JSON.stringify(after)) return;
  if (isBranch(before) && isBranch(after) && Array.isArray(before) === Array.isArray(after)) {
    const [old, now] = [before, after].map((branch) => new Map(Object.entries(branch))) as [
      Map<string, unknown>,
      Map<string, unknown>,
    ];
    for (const key of new Set([...old.keys(), ...now.keys()])) {
      const own = Array.isArray(after) ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`;
      compare(old.get(key), now.get(key), own, found);
    }
    return;
  }
  found.push(path);
}

function isBranch(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function withoutTriggers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTriggers);
  if (!isBranch(value)) return value;
  // An id is a text; beside other restores, one may have the name.
  const isRestore = typeof (value as { readonly virtualMachineId?: unknown }).virtualMachineId === "string";
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) =>
      isRestore && key === "triggers" ? [] : [[key, withoutTriggers(inner)]],
    ),
  );
}

/** The same data in one order of properties, without absent ones. A property that is null is absent to the engine, too. */
export function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (!isBranch(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== undefined && inner !== null)
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      .map(([key, inner]) => [key, canonical(inner)]),
  );
}
