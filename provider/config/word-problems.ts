import { knownStanding, type KnownStanding } from "../panel/terms/statuses";
import type { Problem } from "./error";
import { definition } from "./definition";
import { configKey } from "./source";

/** What is wrong with the further words that end a transaction, seen together. */
export function wordProblems(complete: readonly string[], failed: readonly string[]): Problem[] {
  return [
    ...misused("completeStatuses", complete, "complete"),
    ...misused("failedStatuses", failed, "failed"),
    ...complete
      .filter((word) => failed.includes(word))
      .map((word) => `"${word}" is in both ${nameOf("completeStatuses")} and ${nameOf("failedStatuses")}`),
  ];
}

/** Giving a word that every panel uses another meaning would call a running restore done, or try a cancelled one again. */
function misused(
  name: "completeStatuses" | "failedStatuses",
  words: readonly string[],
  meaning: KnownStanding,
): Problem[] {
  return words
    .filter((word) => (knownStanding(word) ?? meaning) !== meaning)
    .map((word) => `${nameOf(name)} lists "${word}", whose meaning is fixed: take it out`);
}

function nameOf(name: "completeStatuses" | "failedStatuses"): string {
  return `${configKey(name)} (${definition[name].variable})`;
}
