import { randomUUID } from "node:crypto";
import { markOf } from "../restore/mark";
import { messageOf } from "../text/message-of";
import { checkIntent } from "./check";
import { diffIntent } from "./diff";
import { plainFailure } from "./failure";
import { configure, panelSite } from "./here";
import { withoutUndefined } from "./plain";
import type { Properties } from "./outputs";
import { processId } from "./process-id";
import { endWithTheEngine } from "./watchdog";

/**
 * The engine's side of a RestoreIntent. Creating it reads the newest page of the panel's list and writes down where that
 * stands; the engine saves it before the restore begins, so it is what remembers when the engine is killed.
 */
export const intentProvider = {
  configure,
  check: checkIntent,
  diff: (_id: string, olds: Properties, news: Properties) => diffIntent(olds, news),

  async create(inputs: Properties): Promise<{ id: string; outs: Properties }> {
    // A process that has only made intents outlives its engine like any other.
    endWithTheEngine();
    try {
      const site = panelSite(undefined);
      const head = await site.feed.head({ budgetMs: site.requestTimeoutMs });
      const intentId = `intent-${randomUUID()}`;
      const outs = {
        ...inputs,
        intentId,
        process: processId,
        madeAt: site.clock.wallTime().toISOString(),
        mark: markOf(head, site.client.address),
      };
      return { id: intentId, outs: withoutUndefined(outs) as Properties };
    } catch (error) {
      const why = messageOf(error);
      // Settings that are wrong come as a list.
      const joint = why.includes("\n") ? "\n" : " ";
      throw plainFailure(
        new Error(`${why}${joint}No restore of machine ${String(inputs["virtualMachineId"])} was sent.`),
      );
    }
  },

  /** What the intent was made for has not changed, or it would be replaced: the mark stays. */
  update(_id: string, olds: Properties, news: Properties): Promise<{ outs: Properties }> {
    const { intentId, process, madeAt, mark } = olds;
    return Promise.resolve({ outs: withoutUndefined({ ...news, intentId, process, madeAt, mark }) as Properties });
  },

  read: (id: string, outputs: Properties) => Promise.resolve({ id, props: outputs }),
  delete: () => Promise.resolve(),
};
