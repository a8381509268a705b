import { createFeed } from "../../../provider/feed/feed";
import type { Feed } from "../../../provider/feed/types";
import type { Format, PanelClient } from "../../../provider/panel/types";
import type { PanelOptions } from "../../../sandbox";
import { sandboxClient, type SandboxClient } from "../../support/sandbox-client";

/** A feed with the real client on the sandbox, and no restores but those a test posts. */
interface SandboxFeed extends SandboxClient {
  readonly client: PanelClient;
  readonly feed: Feed;
}

export function sandboxFeed(format: Format, options: PanelOptions): SandboxFeed {
  const panel = sandboxClient(format, options);
  const { clock, random } = panel;
  const client = panel.newClient();
  return { ...panel, client, feed: createFeed({ client, pageSize: 100, clock, random, requestTimeoutMs: 30_000 }) };
}
