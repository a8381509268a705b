import { Semaphore } from "../../provider/plain/semaphore";
import { Claims, type PanelSession } from "../../provider/restore/panel-session";
import { MachineQueues } from "../../provider/restore/turn";

export interface PanelSessionOptions extends Omit<PanelSession, "claims" | "queues" | "places" | "allowedMachines"> {
  readonly allowedMachines?: PanelSession["allowedMachines"];
  readonly maxConcurrent?: number;
  readonly claims?: Claims;
}

/** A session of which nothing is taken yet. */
export function createPanelSession({
  maxConcurrent,
  claims = new Claims(),
  allowedMachines = [],
  ...shared
}: PanelSessionOptions): PanelSession {
  return { ...shared, allowedMachines, claims, queues: new MachineQueues(), places: new Semaphore(maxConcurrent) };
}
