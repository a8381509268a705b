import { StoredFailure } from "../../provider/engine/outputs";
import type { Operations } from "../../provider/engine/sanitize";
import { messageText, partsOf } from "../../provider/plain/message";
import { isObject } from "../../provider/plain/plain";
import { errorMessage } from "../../provider/plain/text";
import { attempt, resume, take } from "../../provider/restore/begin";
import { attemptOf } from "../checks/kinds";
import type { Core } from "./one-restore";
import { nothingSent, type PlanProcess, rowOf, SeenParts } from "./parts";
import { planRunOperations } from "./plan-run";
import { verdictOperations } from "./verdict";
import { waveIntentOperations } from "./wave-intent";
import { waveOperations } from "./wave";

export type { PlanProcess } from "./parts";

/** The operations for the four kinds of resources in a plan. A wave uses the same functions as a VmRestore to carry out its restores. */
export function planOperations(
  planProcess: PlanProcess,
  core: Core = { attempt, take, resume, checkAttempt: attemptOf },
): Readonly<Record<"PlanRun" | "WaveIntent" | "Wave" | "Verdict", Operations>> {
  const seen = new SeenParts();
  return {
    PlanRun: naming(nothingSent("plan"), planRunOperations(planProcess, seen)),
    WaveIntent: naming(nothingSent("wave"), waveIntentOperations(planProcess, seen)),
    Wave: naming(nothingSent("wave"), waveOperations(planProcess, seen, core)),
    Verdict: naming("the run was not judged", verdictOperations()),
  };
}

/** Makes error messages begin with what was not done. */
function naming(notDone: string, operations: Operations): Operations {
  return {
    ...operations,
    check: (olds, news) =>
      orSay(notDone, () => operations.check(olds, news)).catch((error: unknown) => ({
        inputs: isObject(news) ? news : {},
        failures: [{ property: "", reason: errorMessage(error) }],
      })),
    diff: async (id, olds, news) => {
      const { changes } = await orSay(notDone, () => operations.diff(id, olds, news));
      // After an alias or `pulumi stack rename`, the outputs need the new URN, because a replaced part finds its record under that URN.
      return { changes: changes === true || rowOf(olds) !== rowOf(news) };
    },
    create: (inputs) => orSay(notDone, () => operations.create(inputs)),
    update: (id, olds, news) => orSay(notDone, () => operations.update(id, olds, news)),
  };
}

async function orSay<T>(notDone: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StoredFailure) throw error;
    throw new Error(messageText(partsOf(error, notDone, "plan")), { cause: error });
  }
}
