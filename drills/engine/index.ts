import { plainFailure } from "../../provider/engine/outputs";
import { sanitized, sanitizedProperties } from "../../provider/engine/sanitize";
import { attempt, refresh, resume, take } from "../../provider/restore/begin";
import { attemptOf } from "../checks/kinds";
import type { Core } from "./one-restore";
import { isRenamed, type PlanOperations, type PlanProcess, SeenParts } from "./parts";
import { planRunOperations } from "./plan-run";
import { verdictOperations } from "./verdict";
import { waveIntentOperations } from "./wave-intent";
import { waveOperations } from "./wave";

export type { PlanOperations, PlanProcess } from "./parts";

/** The operations for the four kinds of resources in a plan. A wave uses the same functions as a VmRestore to carry out its restores. */
export function planOperations(
  planProcess: PlanProcess,
  core: Core = { attempt, take, resume, refresh, checkAttempt: attemptOf },
): Readonly<Record<"PlanRun" | "WaveIntent" | "Wave" | "Verdict", PlanOperations>> {
  const seen = new SeenParts();
  return {
    PlanRun: clean(planRunOperations(planProcess, seen)),
    WaveIntent: clean(waveIntentOperations(planProcess, seen)),
    Wave: clean(waveOperations(planProcess, seen, core)),
    Verdict: clean(verdictOperations(planProcess)),
  };
}

function clean(operations: PlanOperations): PlanOperations {
  return {
    ...sanitized({ ...operations, diff: () => ({}) }),
    diff: async (id, olds, news) => {
      try {
        const { changes } = await operations.diff(id, sanitizedProperties(olds), sanitizedProperties(news));
        return { changes: changes || isRenamed(olds, news) };
      } catch (error) {
        throw plainFailure(error);
      }
    },
  };
}
