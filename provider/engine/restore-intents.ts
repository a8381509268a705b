import { randomUUID } from "node:crypto";
import { checkIntent } from "../inputs/check-restore";
import { messageOf } from "../plain/text";
import { markOf } from "../rows/mark";
import { diffIntent } from "./diff-restore";
import { atTheDoor, type Operations } from "./door";
import type { ProviderProcess } from "./process";

/**
 * The engine's side of a RestoreIntent. Creating it reads the newest page of the panel's list and writes down where that
 * stands; the engine saves it before the restore begins, so it is what remembers when the engine is killed.
 */
export function intentOperations(here: ProviderProcess): Operations {
  return atTheDoor({
    check: checkIntent,
    diff: (_id, olds, news) => diffIntent(olds, news),

    async create(inputs) {
      try {
        const site = here.site(undefined);
        const head = await site.feed.head({ budgetMs: site.requestTimeoutMs });
        const intentId = `intent-${randomUUID()}`;
        const outs = {
          ...inputs,
          intentId,
          process: here.id,
          madeAt: site.clock.wallTime().toISOString(),
          mark: markOf(head, site.client.address),
        };
        return { id: intentId, outs };
      } catch (error) {
        const why = messageOf(error);
        // Settings that are wrong come as a list.
        const joint = why.includes("\n") ? "\n" : " ";
        throw new Error(`${why}${joint}No restore of machine ${String(inputs["virtualMachineId"])} was sent.`, {
          cause: error,
        });
      }
    },

    /** What the intent was made for has not changed, or it would be replaced: the mark stays. */
    update(_id, olds, news) {
      const { intentId, process, madeAt, mark } = olds;
      return Promise.resolve({ outs: { ...news, intentId, process, madeAt, mark } });
    },

    read: (id, outputs) => Promise.resolve({ id, props: outputs }),
    delete: () => Promise.resolve(),
  });
}
