import { type TransactionId, writtenByPanel } from "../panel/types";
import { same } from "../plain/plain";

/**
 * What is remembered of a restore before it starts. Plain data: it goes through the engine's state as it is.
 */

/** Where the panel's list stood. A transaction above it was made after it was taken. */
export interface Mark {
  /** The panel's address: a mark says nothing about another panel. */
  readonly panel: string;
  /** The newest transaction's id; absent when the list was empty, which is a mark of its own. */
  readonly newestId?: string;
  readonly newestCreatedAt?: string;
  /** When it was taken, ISO 8601: by the panel's clock where the panel tells it, else by the runner's. */
  readonly takenAt?: string;
  /** Ids of the first page, newest first: the place in the walk, where ids do not compare. */
  readonly firstPageIds: readonly string[];
}

/** The panel alone, where the place in its list is not known: nothing is looked for above it. */
export interface PanelAlone {
  readonly panel: string;
}

/** What decides which restore it is: a change of any of these is another restore. */
export interface RestoreTarget {
  readonly kind: RestoreKind;
  readonly virtualMachineId: string;
  readonly recoveryPointId: string;
  readonly paths?: readonly string[];
  readonly triggers?: readonly unknown[];
}

export type RestoreKind = "VmRestore" | "FileRestore";

/** A RestoreIntent as its restore receives it, in the input `intent`. */
export interface Intent {
  /** Unique per intent made, never reused. */
  readonly id: string;
  readonly urn: string;
  /** The provider process that made it: only there is its restore a first attempt. */
  readonly process: string;
  /** ISO 8601, the runner's clock. */
  readonly madeAt: string;
  readonly mark: Mark;
  readonly madeFor: RestoreTarget;
}

/** What decides which restore it is, beside its kind. A change of one of these is another restore. */
export const decidingInputs = ["virtualMachineId", "recoveryPointId", "paths", "triggers"] as const;

/**
 * Whether one input means the same restore in two spellings. Values may come from a program or from a state that somebody has
 * edited, so they may be anything.
 */
export function meansSame(input: string, a: unknown, b: unknown): boolean {
  return same(plainest(input, a), plainest(input, b));
}

/** The one spelling for all that mean the same. */
function plainest(input: string, value: unknown): unknown {
  switch (input) {
    case "virtualMachineId":
    case "recoveryPointId":
      // A state of 1.0.0 may hold `042`, which was machine 42 to the panel: whoever corrects it must not restore that machine again.
      return typeof value === "string" ? (writtenByPanel(value) ?? value) : (value ?? undefined);
    case "paths":
      // In another order they restore the same files, and a glob or a directory listing has no order to rely on.
      return Array.isArray(value) ? [...(value as readonly unknown[])].sort() : (value ?? undefined);
    case "triggers":
      return value ?? [];
    default:
      return value ?? undefined;
  }
}

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
