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
