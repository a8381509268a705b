import { type ChildProcess } from "node:child_process";

/** A state store that several machines can reach. */
export interface Store {
  /** `PULUMI_BACKEND_URL`, and the matching credentials. */
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** The started store, or the reason why it cannot run here. */
export type Started = { readonly store: Store } | { readonly why: string };

export async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once("close", resolve));
  child.kill(signal);
  await gone;
}
