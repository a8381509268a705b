import { createFeed } from "../../../provider/feed/feed";
import type { Feed } from "../../../provider/feed/watching";
import { createPanelClient } from "../../../provider/panel/client";
import { Secret } from "../../../provider/panel/secrets";
import type { Format, PanelClient } from "../../../provider/panel/types";
import { createSandbox, type PanelOptions, type SandboxPanel } from "../../../sandbox";
import { VirtualClock } from "../../support/virtual-clock";

/** A feed with the real client on the sandbox, on virtual time: no sockets, no waiting, and no restores but those a test posts. */
interface SandboxFeed {
  readonly clock: VirtualClock;
  readonly sandbox: SandboxPanel;
  readonly client: PanelClient;
  readonly feed: Feed;
  /** How many requests of the list of transactions the panel has seen. */
  listRequests(): number;
}

export function sandboxFeed(format: Format, options: PanelOptions): SandboxFeed {
  const clock = new VirtualClock();
  const sandbox = createSandbox({ clock, ...options });
  const lowerCase = (headers: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  let seed = 1;
  const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  const client = createPanelClient({
    endpoint: "https://panel.example",
    username: sandbox.username,
    password: new Secret(sandbox.password),
    format,
    requestTimeoutMs: 30_000,
    transport: (request) => sandbox.handle({ ...request, headers: lowerCase(request.headers) }),
    clock,
    random,
  });
  const feed = createFeed({ client, pageSize: 100, clock, random, requestTimeoutMs: 30_000 });
  const listRequests = (): number => sandbox.requests().filter(({ path }) => path.startsWith("/transactions")).length;
  return { clock, sandbox, client, feed, listRequests };
}
