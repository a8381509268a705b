import { createFeed } from "../../provider/feed/feed";
import { createPanelClient } from "../../provider/panel/client";
import { Secret } from "../../provider/panel/secrets";
import type { Format } from "../../provider/panel/types";
import { createSite, type Site, type SiteOptions } from "../../provider/restore/site";
import { createSandbox, type PanelOptions, type SandboxPanel } from "../../sandbox";
import { VirtualClock } from "./virtual-clock";

/** A sandbox on virtual time and as many provider processes on it as a test wants: no sockets, no waiting. */
export interface VirtualPanel {
  readonly clock: VirtualClock;
  readonly sandbox: SandboxPanel;
  /** What one provider process shares; make another one for another process. */
  newSite(options?: Partial<SiteOptions>): Site;
  /** How many requests of the list of transactions the panel has seen. */
  listRequests(): number;
}

/** `rewrite` changes the body of every answer: for what no dialect of the sandbox does. */
export function virtualPanel(
  format: Format,
  options: PanelOptions = {},
  rewrite: (body: string) => string = (body) => body,
): VirtualPanel {
  const clock = new VirtualClock();
  const sandbox = createSandbox({ clock, ...options });
  let seed = 1;
  const random = (): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  return {
    clock,
    sandbox,
    newSite(changes = {}) {
      const requestTimeoutMs = changes.requestTimeoutMs ?? 30_000;
      const client = createPanelClient({
        endpoint: "https://panel.example",
        username: sandbox.username,
        password: new Secret(sandbox.password),
        format,
        insecure: false,
        requestTimeoutMs,
        transport: async (request) => {
          const answer = await sandbox.handle({ ...request, headers: lowerCase(request.headers) });
          return { ...answer, body: rewrite(answer.body) };
        },
        clock,
        random,
      });
      return createSite({
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
    listRequests: () => sandbox.requests().filter(({ path }) => path.startsWith("/transactions")).length,
  };
}

/** As a server sees them. */
function lowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
