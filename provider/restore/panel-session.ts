import type { Feed } from "../feed/types";
import type { RestoreRequest, SendableRequest } from "../inputs/intent";
import type { Redact } from "../panel/secrets";
import type { PanelClient } from "../panel/types";
import type { Clock } from "../plain/clock";
import type { ConfiguredWords } from "../rows/chains";
import type { Reporter } from "./result";
import { MachineQueues, RestoreSlots } from "./turn";

/** Everything that the restores of one panel share in one process. */
export interface PanelSession {
  readonly client: PanelClient;
  readonly feed: Feed;
  readonly clock: Clock;
  readonly words: ConfiguredWords;
  readonly adoptWindowMs: number;
  readonly requestTimeoutMs: number;
  readonly claims: Claims;
  readonly queues: MachineQueues;
  readonly slots: RestoreSlots;
  /** Takes the connection's own secrets out of a log, in every spelling in which it might repeat them. */
  readonly redact: Redact;
  /** Whether the run that asked for the restores is still there to watch them. Asked right before every POST. */
  readonly isWatched: () => Promise<boolean>;
}

export interface PanelSessionOptions extends Omit<PanelSession, "claims" | "queues" | "slots"> {
  readonly maxConcurrent?: number;
  readonly claims?: Claims;
}

export function createPanelSession({
  maxConcurrent,
  claims = new Claims(),
  ...shared
}: PanelSessionOptions): PanelSession {
  return { ...shared, claims, queues: new MachineQueues(), slots: new RestoreSlots(maxConcurrent) };
}

/** One run of one restore: what all its steps have to know. */
export interface RestoreRun {
  readonly session: PanelSession;
  readonly request: SendableRequest;
  readonly reporter: Reporter;
  /** When the whole run has to be over. */
  readonly totalUntil: number | undefined;
}

/** When a run that begins now has to be over, where it has a limit over everything. */
export function totalUntilOf(clock: Clock, { timeouts }: Pick<RestoreRequest, "timeouts">): number | undefined {
  return timeouts.totalMs === undefined ? undefined : clock.now() + timeouts.totalMs;
}

/**
 * Which transactions have been taken for a restore, and by which intent, in this process. Two restores of one machine must not both take
 * one transaction for theirs. One registry per panel: ids of two panels have nothing to do with each other.
 */
export class Claims {
  readonly #owners = new Map<string, string>();

  claim(transactionIds: readonly string[], intentId: string): void {
    for (const id of transactionIds) if (!this.#owners.has(id)) this.#owners.set(id, intentId);
  }

  isClaimedByAnother(transactionId: string, intentId: string): boolean {
    return this.otherOwnerOf(transactionId, intentId) !== undefined;
  }

  /** The intent of the other restore that has taken a transaction. */
  otherOwnerOf(transactionId: string, intentId: string): string | undefined {
    const owner = this.#owners.get(transactionId);
    return owner === intentId ? undefined : owner;
  }
}
