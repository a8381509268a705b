import { controlServer } from "./control/control-server";
import { ControlledPanel, type PanelOptions, type SandboxPanel } from "./panel/panel";
import { close, listen, panelServer } from "./wire/server";

export interface SandboxOptions extends PanelOptions {
  /** The port; 0 for any free port. @default 0 */
  readonly port?: number;
  /** The address to listen on. @default "127.0.0.1" */
  readonly host?: string;
  /** Serves records and actions over HTTP, with a web page, always on the loopback interface. @default false */
  readonly control?: boolean | { readonly port?: number };
}

export interface Sandbox extends SandboxPanel {
  /** The panel's base address. */
  readonly url: string;
  /** The base address of the control port, if it was requested. Its page is served there. */
  readonly controlUrl?: string;
  /** Closes all connections, so that the sandbox no longer keeps the process alive. */
  stop(): Promise<void>;
}

/** Creates a panel without sockets, for tests that move the clock. */
export function createSandbox(options: PanelOptions = {}): SandboxPanel {
  return new ControlledPanel(options);
}

/** Starts a panel that listens, by default on the loopback interface. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const panel = new ControlledPanel(options);
  const { host = loopback, control = false } = options;
  const server = panelServer(panel);
  const port = await listen(server, options.port ?? 0, host);
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${String(port)}`;
  if (control === false) return Object.assign(panel, { url, stop: () => close(server) });
  const controls = controlServer(panel, url);
  try {
    const controlPort = await listen(controls, control === true ? 0 : (control.port ?? 0), loopback);
    const stop = async (): Promise<void> => {
      await Promise.all([close(server), close(controls)]);
    };
    return Object.assign(panel, { url, controlUrl: `http://${loopback}:${String(controlPort)}`, stop });
  } catch (error) {
    await close(server);
    throw error;
  }
}

const loopback = "127.0.0.1";

export type { PanelOptions, RestoreOptions, SandboxPanel } from "./panel/panel";
export type { PanelRequest, PanelResponse } from "./wire/answers";
export type { NextRestore } from "./cloud/cloud";
export type { TransactionSpec } from "./cloud/jobs";
export type { Dialect } from "./dialect/dialect";
export { type DialectOption, type DialectPreset, dialects } from "./dialect/presets";
export type { FaultKind, FaultRule, Faults, FaultSet } from "./dialect/faults";
export type { MachineRecord, RequestRecord, PostedRestoreRecord, TransactionRecord } from "./panel/records";
export type { MachineSpec, Outcome, RecoveryPointSpec, RestoredPart, Status } from "./cloud/model";
export type { Scenario } from "./panel/scenario";
export { SandboxError } from "./plain/input";
