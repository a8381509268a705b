import { createFeed } from "../../../provider/feed/feed";
import { createSite, type Site, type SiteOptions } from "../../../provider/restore/site";
import type { Manners, ModelPanel } from "./model-panel";
import { plainWords } from "./rows";

/** A panel that lists and answers at once, and whose rows name neither point nor paths. */
export const plainManners: Manners = {
  tie: "associated",
  ids: "decimal",
  job: "single",
  namesPoint: false,
  listsAfterMs: 0,
  queuesForMs: 0,
  answersAfterMs: 0,
  skewMs: 0,
};

/** What a process has on a model panel, which it reads with a feed of its own. */
export function siteOnModel(
  panel: ModelPanel,
  { requestTimeoutMs = 10_000, ...options }: Partial<SiteOptions> = {},
  process = { killed: false },
): Site {
  const { clock } = panel;
  const client = panel.clientOf(process);
  return createSite({
    client,
    feed: createFeed({ client, pageSize: 10, clock, random: () => 0.5, requestTimeoutMs }),
    clock,
    words: plainWords,
    adoptWindowMs: 6 * 3_600_000,
    requestTimeoutMs,
    redact: (text) => text,
    isWatched: () => Promise.resolve(true),
    ...options,
  });
}
