import { close, listen, panelServer } from "./http";
import { Panel } from "./panel";
import type { PanelOptions, SandboxPanel } from "./sandbox-panel";

export interface SandboxOptions extends PanelOptions {
  /** 0 for any free one. @default 0 */
  readonly port?: number;
  /** @default "127.0.0.1" */
  readonly host?: string;
}

export interface Sandbox extends SandboxPanel {
  /** The panel's base address. */
  readonly url: string;
  /** Closes every connection; nothing of it keeps the process alive afterwards. */
  stop(): Promise<void>;
}

/** A panel without sockets, for a clock that a test moves. */
export function createSandbox(options: PanelOptions = {}): SandboxPanel {
  return new Panel(options);
}

/** A panel that listens, on the loopback interface unless told otherwise. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const panel = new Panel(options);
  const server = panelServer(panel);
  const host = options.host ?? "127.0.0.1";
  const port = await listen(server, options.port ?? 0, host);
  return Object.assign(panel, {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${String(port)}`,
    stop: () => close(server),
  });
}

export type { SandboxPanel, PanelOptions, PanelRequest, PanelResponse, RestoreOptions } from "./sandbox-panel";
export type { NextRestore, TransactionSpec } from "./cloud";
export type { MachineSpec, RecoveryPointSpec } from "./machines";
export type { Dialect, DialectOption, DialectPreset } from "./dialect";
export { dialects } from "./dialect";
export type { FaultKind, FaultRule, Faults, FaultSet } from "./faults";
export type { MachineRecord, RequestRecord, RestoreRecord, TransactionRecord } from "./witness";
export type { Outcome, RestoreKind, Status } from "./model";
export type { Scenario } from "./scenario";
export { SandboxError } from "./sandbox-error";
