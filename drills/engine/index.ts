import { attempt } from "../../provider/restore/attempt";
import { resume, take } from "../../provider/restore/follow";
import { attemptOf } from "../checks/kinds";
import type { Core } from "./one-restore";
import type { PlanOperations, PlanProcess } from "./parts";
import { planRunOperations } from "./plan-run";
import { verdictOperations } from "./verdict";
import { waveIntentOperations } from "./wave-intent";
import { waveOperations } from "./wave";

export type { PlanOperations, PlanProcess } from "./parts";

/** The operations of a plan's four resources. A wave carries out its restores through the same function as a VmRestore. */
export function planOperations(
  planProcess: PlanProcess,
  core: Core = { attempt, take, resume, checkAttempt: attemptOf },
): Readonly<Record<"PlanRun" | "WaveIntent" | "Wave" | "Verdict", PlanOperations>> {
  return {
    PlanRun: planRunOperations(planProcess),
    WaveIntent: waveIntentOperations(planProcess),
    Wave: waveOperations(planProcess, core),
    Verdict: verdictOperations(planProcess),
  };
}
