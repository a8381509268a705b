import type { Feed } from "../feed/types";
import type { AllowedMachines } from "../inputs/allowed-machines";
import type { RestoreRequest } from "../inputs/intent";
import type { Redact } from "../panel/secrets";
import type { PanelClient } from "../panel/types";
import type { Clock } from "../plain/clock";
import type { Semaphore } from "../plain/semaphore";
import type { ConfiguredWords } from "../rows/words";
import type { Reporter } from "./result";
import type { MachineQueues } from "./turn";

/** Everything that the restores on one panel share in one process. */
export interface PanelSession {
  readonly client: PanelClient;
  readonly feed: Feed;
  readonly clock: Clock;
  readonly words: ConfiguredWords;
  readonly adoptWindowMs: number;
  readonly requestTimeoutMs: number;
  /** A machine has to be in each. Asked again right before every POST. */
  readonly allowedMachines: readonly AllowedMachines[];
  readonly claims: Claims;
  readonly queues: MachineQueues;
  /** The places of `recovery:maxConcurrent`. */
  readonly places: Semaphore;
  /** Removes the connection's own secrets from a log, in every spelling that the log might use. */
  readonly redact: Redact;
  /** Tells if the run that asked for the restores still exists. Called right before every POST. */
  readonly isWatched: () => Promise<boolean>;
}

/** One run of one restore. */
export interface RestoreRun<Request extends RestoreRequest = RestoreRequest> {
  readonly session: PanelSession;
  readonly request: Request;
  /** The id of the intent that takes the transactions. */
  readonly owner: string;
  readonly reporter: Reporter;
  /** When the whole run has to be over, if there is a limit. */
  readonly totalUntil: number | undefined;
}

/** A run that begins now. */
export function beginRun<Request extends RestoreRequest>(
  session: PanelSession,
  request: Request,
  owner: string,
  reporter: Reporter,
): RestoreRun<Request> {
  const { totalMs } = request.timeouts;
  const totalUntil = totalMs === undefined ? undefined : session.clock.now() + totalMs;
  return { session, request, owner, reporter, totalUntil };
}

/**
 * The transactions taken for restores in this process, each with the intent that took it: two restores must not take the same one. One
 * registry per panel, because ids of two panels have nothing to do with each other.
 */
export class Claims {
  readonly #owners = new Map<string, string>();

  claim(transactionIds: readonly string[], intentId: string): void {
    for (const id of transactionIds) if (!this.#owners.has(id)) this.#owners.set(id, intentId);
  }

  isClaimedByAnother(transactionId: string, intentId: string): boolean {
    return this.otherOwnerOf(transactionId, intentId) !== undefined;
  }

  /** The intent of another restore that took the transaction. */
  otherOwnerOf(transactionId: string, intentId: string): string | undefined {
    const owner = this.#owners.get(transactionId);
    return owner === intentId ? undefined : owner;
  }
}
