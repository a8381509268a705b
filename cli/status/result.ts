import type { RestoreState } from "../../drills/judge/history";
import type { VerdictWord } from "../../drills/judge/judge";
import type { RestoreKind } from "../../provider/inputs/restore-table";

/** A job on the panel that may be the restore: nothing contradicts this, but nothing proves it either. */
interface ProbableJob {
  readonly transactions: readonly string[];
  readonly state: RestoreState;
}

/** What a restore is doing now. */
export interface RestoreNow {
  readonly plan?: string;
  readonly wave?: string;
  readonly name: string;
  readonly kind: RestoreKind;
  readonly machine: string;
  /** Read from the panel if the restore's transactions are known and listed, otherwise from the stored state. */
  readonly state: RestoreState;
  readonly source: "panel" | "state";
  /** The restore's transactions, oldest first. */
  readonly transactions: readonly string[];
  /** Jobs that name the machine and may be this restore. */
  readonly probably: readonly ProbableJob[];
  /** Transactions that name no machine, so each may belong to this restore or to another. */
  readonly perhaps: readonly string[];
  /** The time since the request or, if the restore has ended, the time from request to end, by the panel's timestamps. */
  readonly seconds?: number;
  /** True if an `up` is changing the restore, or was interrupted while changing it. */
  readonly isUnderWay: boolean;
  /** What the next `up` does. */
  readonly next: string;
  readonly provider?: string;
}

/** The result of `status`, as `--json` prints it. Its schema is `schema/status-1.json`. */
export interface StatusResult {
  readonly formatVersion: 1;
  readonly lookedAt: string;
  readonly panel?: string;
  readonly stack?: string;
  readonly project?: string;
  /** True if an `up` is changing the stack or was interrupted; the state does not show which. */
  readonly isUnderWay: boolean;
  /** Why the panel was not read. Everything is then shown as it is stored. */
  readonly panelProblem?: string;
  readonly requests: number;
  /** The number of restores in each state. */
  readonly counts: Readonly<Record<string, number>>;
  /** In the order of plans and waves; restores without a plan come last. */
  readonly restores: readonly RestoreNow[];
  /** The last run of each plan, with its verdict according to the stored state. */
  readonly runs: readonly { readonly plan: string; readonly run: string; readonly verdict: VerdictWord }[];
  readonly unreadable: readonly string[];
}
