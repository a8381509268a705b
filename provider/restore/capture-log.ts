import { endOf, takenChains, type Follow } from "./follow/follow-state";
import { tellingRow } from "./outcome";
import type { Site } from "./site";
import type { RestorePlan } from "./terms/restore-plan";

/** The log of the row that tells most, when it is wanted. A log that cannot be had changes nothing about the restore. */
export async function captureLog(
  { feed, words, redact }: Pick<Site, "feed" | "words" | "redact">,
  plan: RestorePlan,
  state: Follow,
): Promise<string | undefined> {
  const end = endOf(state);
  if (end?.how !== "ended" || plan.captureLog === "never") return undefined;
  if (end.standing === "complete" && plan.captureLog !== "always") return undefined;
  const row = tellingRow(takenChains(state).flat(), words);
  if (row === undefined) return undefined;
  try {
    const log = await feed.logOutput(row.id);
    // Whoever may read a restore's log, perhaps as an output handed on, has not been given the panel by that.
    return log === undefined ? undefined : redact(log);
  } catch {
    return undefined;
  }
}
