import type { TransactionId } from "../../panel/terms/types";
import type { Intent, RestoreTarget } from "./intent";

/** How long each part of a restore's life may take, in milliseconds. */
export interface Timeouts {
  /** Waiting for unfinished transactions of the machine before the POST. 0: post without waiting. */
  readonly busyMs: number;
  /** From the POST's answer until its transaction is listed. */
  readonly listedMs: number;
  /** From being listed until it runs. */
  readonly queueMs: number;
  /** From running until it has ended. */
  readonly runMs: number;
  /** Over everything, from the start of this run. */
  readonly totalMs?: number;
}

export type Limit = "busy" | "listed" | "queue" | "run" | "total";

export type CaptureLog = "onFailure" | "always" | "never";

/** One restore as it was asked for: checked inputs with their defaults. */
export interface RestorePlan {
  /** The resource's name, for messages. */
  readonly name: string;
  readonly target: RestoreTarget;
  readonly timeouts: Timeouts;
  readonly wait: boolean;
  readonly adopt: Adopt;
  readonly retryFailed: boolean;
  readonly captureLog: CaptureLog;
}

export type Adopt = "auto" | "never" | TransactionId;

export interface IntendedPlan extends RestorePlan {
  readonly intent: Intent;
}
