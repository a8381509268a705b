import { clientOptions, type Settings } from "../config";
import { createFeed } from "../feed/feed";
import { createPanelClient } from "../panel/client";
import { redactor } from "../panel/secrets/redact";
import { createSite, type Site, type SiteOptions } from "../restore/site";
import { elapsed } from "../time/elapsed";
import { messageOf } from "../text/message-of";

/** What a panel is connected to for, beside its settings. */
export interface Around extends Required<Pick<SiteOptions, "claims" | "clock" | "isWatched">> {
  /** What concerns no single restore. */
  readonly warn: (text: string) => void;
}

/** The panel of the settings, with what all restores on it share. Of the settings each part gets what it works with. */
export function connect(settings: Settings, { warn, ...around }: Around): Site {
  const { pageSize, requestTimeoutMs, adoptWindowMs, maxConcurrent } = settings;
  const { restoreActions, completeStatuses, failedStatuses } = settings;
  const client = createPanelClient(clientOptions(settings));
  const feed = createFeed({
    client,
    pageSize,
    clock: around.clock,
    random: Math.random,
    requestTimeoutMs,
    // Each row has said so while it lasted; this stays to be read when everything is over.
    onRecovered: ({ lastedMs }) => {
      warn(`the panel's list could not be read for ${elapsed(lastedMs)}; what waits for it has gone on waiting`);
    },
    onWatchError: (error) => {
      warn(`an error in this provider was passed over while it waited: ${messageOf(error)}`);
    },
  });
  return createSite({
    ...around,
    client,
    feed,
    words: { restoreActions, completeStatuses, failedStatuses },
    adoptWindowMs,
    requestTimeoutMs,
    redact: redactor(settings.username, settings.password),
    ...(maxConcurrent !== undefined && { maxConcurrent }),
  });
}
