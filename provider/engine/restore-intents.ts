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
 * The operations of a RestoreIntent. `create` reads the newest page of the panel's list, stores its mark, and chooses
 * the recovery point if a rule is given. The engine saves the intent before the restore begins, so it survives a kill.
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
        // Wrong settings come as a list.
        const joint = why.includes("\n") ? "\n" : " ";
        throw new Error(`${why}${joint}No restore of machine ${machine} was sent.`, { cause: error });
      }
    },

    /** An update keeps mark and chosen point: a change of what is restored would replace the intent. */
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
 * Chooses the point once, in the run that takes the mark. If `adopt` names a transaction, no point is chosen, and the
 * empty choice is stored: what is not stored would be unknown in every preview.
 */
export async function choosePointByRule(
  providerProcess: Pick<ProviderProcess, "listAccess">,
  inputs: Properties,
): Promise<Properties | undefined> {
  const { virtualMachineId, recoveryPointId, recoveryPoint, takes, incidentAt } = inputs;
  if (!isGiven(recoveryPoint)) return undefined;
  if (isGiven(recoveryPointId))
    throw new Error("recoveryPoint and recoveryPointId are both given: give one of the two.");
  const machine = readId(virtualMachineId);
  const rule = readPointRule(recoveryPoint);
  // The restore's `check` reports these problems.
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
  "The panel's list of transactions is not sorted newest first, so it does not show what is made from now on. `npx pulumi-recovery check` shows " +
  "its order.";
