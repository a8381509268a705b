import { createPanelClient, type PanelClientOptions } from "../../provider/panel/client";
import { Secret } from "../../provider/panel/secrets";
import type { Transport } from "../../provider/panel/transport";
import type { Format, PanelClient } from "../../provider/panel/types";
import { createSandbox, type PanelOptions, type SandboxPanel } from "../../sandbox";
import { VirtualClock } from "./virtual-clock";

/** The real client with the sandbox, in virtual time: no sockets, no real waits. */
export interface SandboxClient {
  readonly clock: VirtualClock;
  readonly sandbox: SandboxPanel;
  /** Returns the same numbers in every run. */
  readonly random: () => number;
  readonly transport: Transport;
  /** Creates another client for the panel, as another process would. */
  newClient(options?: Partial<PanelClientOptions>): PanelClient;
  paths(): readonly string[];
}

export function sandboxClient(format: Format, options: PanelOptions = {}): SandboxClient {
  const clock = new VirtualClock();
  const sandbox = createSandbox({ clock, ...options });
  let seed = 1;
  const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  const transport: Transport = (request) => sandbox.handle({ ...request, headers: lowerCase(request.headers) });
  return {
    clock,
    sandbox,
    random,
    transport,
    newClient: (changes = {}) =>
      createPanelClient({
        endpoint: "https://panel.example",
        username: sandbox.username,
        password: new Secret(sandbox.password),
        format,
        requestTimeoutMs: 30_000,
        transport,
        clock,
        random,
        ...changes,
      }),
    paths: () => sandbox.requests().map(({ path }) => path),
  };
}

function lowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
