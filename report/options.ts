import type { EarlierReport } from "./history/earlier-report";

/** What a report can be told beside the state. */
export interface ReportOptions {
  /** Which plan, where the state holds several; as `subjectsOf` names it. */
  readonly subject?: string;
  /** The stack's name, for a state without resources. */
  readonly stack?: string;
  /** Goals for restores without a plan, in seconds. A plan has its own. */
  readonly goalTimeSeconds?: number;
  readonly goalAgeSeconds?: number;
  /** When recovery points were taken, by their id, for restores without a plan: no panel tells. ISO 8601. */
  readonly takenAt?: Readonly<Record<string, string>>;
  /** Show log text and output of checks, where the state holds it in plain. @default "without logs" */
  readonly logs?: "with logs" | "without logs";
  /** Reports of earlier runs: the newest one of the same plan, before this run, stands beside it. */
  readonly earlier?: readonly EarlierReport[];
}
