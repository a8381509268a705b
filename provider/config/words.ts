import type { Problem } from "./error";
import { definition } from "./definition";
import { configKey } from "./source";

/** Statuses whose meaning is the same on every panel; giving one another meaning would call a running restore done. */
const unfinished = ["pending", "running"];

/** What is wrong with the further words that end a transaction, seen together. */
export function wordProblems(complete: readonly string[], failed: readonly string[]): Problem[] {
  return [
    ...misused("completeStatuses", complete, [...unfinished, "failed", "cancelled"]),
    ...misused("failedStatuses", failed, [...unfinished, "complete", "cancelled"]),
    ...complete
      .filter((word) => failed.includes(word))
      .map((word) => `"${word}" is in both ${nameOf("completeStatuses")} and ${nameOf("failedStatuses")}`),
  ];
}

function misused(
  name: "completeStatuses" | "failedStatuses",
  words: readonly string[],
  fixed: readonly string[],
): Problem[] {
  return words
    .filter((word) => fixed.includes(word))
    .map((word) => `${nameOf(name)} lists "${word}", whose meaning is fixed: take it out`);
}

function nameOf(name: "completeStatuses" | "failedStatuses"): string {
  return `${configKey(name)} (${definition[name].variable})`;
}
