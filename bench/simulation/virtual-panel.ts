import type { Format } from "../../provider/panel/types";
import type { Session } from "../../provider/restore/session";
import type { PanelOptions } from "../../sandbox";
import { sandboxClient, type SandboxClient } from "../../test/support/sandbox-client";
import { createSession, type SessionOptions } from "../../test/support/session";

/** A sandbox on virtual time, with as many provider processes as a test needs. */
export interface VirtualPanel extends SandboxClient {
  /** Creates the session of a new provider process. */
  newSession(options?: Partial<SessionOptions>): Session;
}

export function virtualPanel(format: Format, options?: PanelOptions, rewrite?: (body: string) => string): VirtualPanel {
  const panel = sandboxClient(format, options, rewrite);
  const { clock, random } = panel;
  return {
    ...panel,
    newSession(changes = {}) {
      const requestTimeoutMs = changes.requestTimeoutMs ?? 30_000;
      const client = panel.newClient({ insecure: false, requestTimeoutMs });
      return createSession({ client, clock, random, requestTimeoutMs, ...changes });
    },
  };
}
