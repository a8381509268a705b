import { checkIntent } from "../inputs/check-restore";
import { isNewestFirst } from "../feed/newest-first";
import { readPointRule, ruleForIncident } from "../inputs/read-point-rule";
import { isGiven } from "../inputs/problems";
import { readAdopt, readId } from "../inputs/read-values";
import type { MachineId } from "../panel/types";
import type { Properties } from "../plain/plain";
import { errorMessage } from "../plain/text";
import { choosePoint, PointRefusedError } from "../points/choose-from-panel";
import { markOf } from "../rows/mark";
import { diffIntent } from "./diff-restore";
import { sanitized, type Operations } from "./sanitize";
import type { ProviderProcess } from "./process";

/**
 * The engine's side of a RestoreIntent. Creating it reads the newest page of the panel's list and writes down where that
 * stands, and chooses the recovery point where a rule is to; the engine saves it before the restore begins, so it is what remembers when the
 * engine is killed.
 */
export function intentOperations(providerProcess: ProviderProcess): Operations {
  return sanitized({
    check: checkIntent,
    diff: (_id, olds, news) => diffIntent(olds, news),

    async create(inputs) {
      const machine = String(inputs["virtualMachineId"]);
      try {
        const session = providerProcess.session(undefined);
        const page = await session.feed.newestPage({ budgetMs: session.requestTimeoutMs });
        if (!isNewestFirst(page.rows)) throw new Error(notNewestFirst);
        const { after } = inputs;
        const outs = {
          ...inputs,
          ...(await choosePointByRule(providerProcess, inputs)),
          mark: markOf(page, session.client.address),
          after: typeof after === "string" ? after : "none",
        };
        return { id: providerProcess.newIntentId(), outs };
      } catch (error) {
        const why = errorMessage(error);
        if (error instanceof PointRefusedError) throw error;
        // Settings that are wrong come as a list.
        const joint = why.includes("\n") ? "\n" : " ";
        throw new Error(`${why}${joint}No restore of machine ${machine} was sent.`, { cause: error });
      }
    },

    /** What the intent was made for has not changed, or it would be replaced: the mark stays, and the point that its rule has chosen. */
    update(_id, olds, news) {
      const { mark, after, recoveryPointId, choice } = olds;
      const chosen = isGiven(news["recoveryPoint"]) ? { recoveryPointId, choice } : {};
      return Promise.resolve({ outs: { ...news, ...chosen, mark, after } });
    },

    read: (id, outputs) => Promise.resolve({ id, props: outputs }),
    delete: () => Promise.resolve(),
  });
}

/**
 * What a rule takes now, in the run that takes the mark, and never again. Where the restore names a transaction its point is that
 * transaction's; that nothing was chosen is stored all the same, because what is not stored is unknown in every preview.
 */
async function choosePointByRule(
  providerProcess: ProviderProcess,
  inputs: Properties,
): Promise<Properties | undefined> {
  const { virtualMachineId, recoveryPointId, recoveryPoint, takes, incidentAt } = inputs;
  if (!isGiven(recoveryPoint)) return undefined;
  if (isGiven(recoveryPointId))
    throw new Error("recoveryPoint and recoveryPointId are both given: give one of the two.");
  const machine = readId(virtualMachineId);
  const rule = readPointRule(recoveryPoint);
  // The check of the restore says what is wrong with them.
  if ("problem" in machine || "problem" in rule) return undefined;
  const named = readAdopt(takes ?? "auto");
  if ("value" in named && named.value !== "auto" && named.value !== "never") return { choice: {} };
  const { points, pointStates } = providerProcess.listAccess();
  const effectiveRule = ruleForIncident(rule.value, typeof incidentAt === "string" ? incidentAt : undefined);
  const wanted = { machine: machine.value as MachineId, rule: effectiveRule, stateWords: pointStates };
  const chosen = await choosePoint(wanted, points, Math.random);
  return { ...chosen, choice: { ...chosen.choice, ...(effectiveRule !== rule.value && { incidentAt }) } };
}

const notNewestFirst =
  "The panel's list of transactions is not sorted newest first, so it does not tell what is made after a moment. `npx pulumi-recovery check` shows " +
  "its order.";
