import { Feed } from "../../provider/feed/feed";
import { WatchedClock } from "../../provider/plain/watched-clock";
import { noWords } from "../../provider/panel/facts";
import type { Format } from "../../provider/panel/types";
import { Semaphore } from "../../provider/plain/semaphore";
import { Claims, type Session, shortestListedMs, Unlisted } from "../../provider/restore/session";
import type { PanelOptions } from "../../sandbox";
import { sandboxClient, type SandboxClient } from "../../test/support/sandbox-client";

const requestTimeoutMs = 30_000;

/** A sandbox on virtual time, with as many provider processes as a case needs. */
export interface VirtualPanel extends SandboxClient {
  /** Creates the session of a new provider process. */
  newSession(): Session;
  listRequests(): number;
}

export function virtualPanel(format: Format, options: PanelOptions): VirtualPanel {
  const panel = sandboxClient(format, options);
  const { random } = panel;
  return {
    ...panel,
    newSession() {
      const client = panel.newClient({ insecure: false });
      const clock = new WatchedClock(panel.clock);
      return {
        ...{ client, clock, requestTimeoutMs, shortestListedMs, allowedMachines: [], words: noWords },
        ...{ claims: new Claims(), queues: new Map(), places: new Semaphore(), unlisted: new Unlisted() },
        feed: new Feed({ client, clock, random, pageSize: 100, requestTimeoutMs }),
        redact: (text) => text,
        isWatched: () => Promise.resolve(true),
      };
    },
    listRequests: () => panel.paths().filter((path) => path.startsWith("/transactions")).length,
  };
}
