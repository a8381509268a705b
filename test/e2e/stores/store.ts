import { type ChildProcess } from "node:child_process";
import { createServer } from "node:net";
import { listening } from "../../support/listening";

/** A place for states that several machines can reach. */
export interface Store {
  /** `PULUMI_BACKEND_URL`, and the credentials that go with it. */
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Started, or why it cannot be here. */
export type Started = { readonly store: Store } | { readonly why: string };

/** A port of the loopback interface that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listening(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Ends a server of ours and waits for it. */
export async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once("close", resolve));
  child.kill(signal);
  await gone;
}
