import { createFeed } from "../../provider/feed/feed";
import type { Format } from "../../provider/panel/types";
import type { PanelSession } from "../../provider/restore/panel-session";
import type { PanelOptions } from "../../sandbox";
import { createPanelSession, type PanelSessionOptions } from "./panel-session";
import { sandboxClient, type SandboxClient } from "./sandbox-client";

/** A sandbox on virtual time, with as many provider processes as a test wants. */
export interface VirtualPanel extends SandboxClient {
  /** Creates the session of a new provider process. */
  newSession(options?: Partial<PanelSessionOptions>): PanelSession;
}

export function virtualPanel(format: Format, options?: PanelOptions, rewrite?: (body: string) => string): VirtualPanel {
  const panel = sandboxClient(format, options, rewrite);
  const { clock, random } = panel;
  return {
    ...panel,
    newSession(changes = {}) {
      const requestTimeoutMs = changes.requestTimeoutMs ?? 30_000;
      const client = panel.newClient({ insecure: false, requestTimeoutMs });
      return createPanelSession({
        client,
        feed: createFeed({ client, pageSize: 100, clock, random, requestTimeoutMs }),
        clock,
        words: { restoreActions: [], completeStatuses: [], failedStatuses: [] },
        adoptWindowMs: 6 * 3_600_000,
        requestTimeoutMs,
        redact: (text) => text,
        isWatched: () => Promise.resolve(true),
        ...changes,
      });
    },
  };
}
