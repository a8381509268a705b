import { createFeed, type FeedOptions } from "../../../provider/feed/feed";
import type { Feed } from "../../../provider/feed/types";
import { VirtualClock } from "../../support/virtual-clock";
import { ListPanel } from "./list-panel";

export interface FeedScene {
  readonly clock: VirtualClock;
  readonly panel: ListPanel;
  readonly feed: Feed;
}

/** A feed on a panel in memory and a clock that stands still; chance is the same each time. */
export function feedOn(options: Partial<FeedOptions> = {}): FeedScene {
  const clock = new VirtualClock();
  const panel = new ListPanel(clock);
  const feed = createFeed({
    client: panel,
    pageSize: 10,
    clock,
    random: () => 0.5,
    requestTimeoutMs: 30_000,
    ...options,
  });
  return { clock, panel, feed };
}
