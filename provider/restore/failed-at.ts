import { markOf } from "./rows/mark";
import type { Site } from "./site";
import type { RestoreRecord } from "./terms/record";

/**
 * The record of a restore of an earlier run, and where the list stands when it turns out to have failed: the next try is posted above that.
 * Where that cannot be read, the next try goes by its intent's mark, below which everything is older as well.
 */
export async function withPlaceOfFailure(
  { feed, client, requestTimeoutMs }: Pick<Site, "feed" | "client" | "requestTimeoutMs">,
  record: RestoreRecord,
): Promise<RestoreRecord> {
  if (record.status !== "failed") return record;
  try {
    const head = await feed.head({ budgetMs: requestTimeoutMs });
    return { ...record, postedAfter: markOf(head, client.address) };
  } catch {
    return record;
  }
}
