import type { EarlierReport } from "./history/earlier-report";

/** Options of a report. */
export interface ReportOptions {
  /** The subject to report on if the state holds several, as `subjectsOf` names it. */
  readonly subject?: string;
  /** The stack's name, for a state without resources. */
  readonly stack?: string;
  /** The recovery time goal of restores without a plan, in seconds. A plan has its own goals. */
  readonly goalTimeSeconds?: number;
  /** The data age goal of restores without a plan, in seconds. */
  readonly goalAgeSeconds?: number;
  /** When recovery points were taken, by their id, for restores without a plan. ISO 8601. */
  readonly takenAt?: Readonly<Record<string, string>>;
  /** Shows logs and the output of checks if the state holds them unencrypted. @default "without logs" */
  readonly logs?: "with logs" | "without logs";
  /** Reports of earlier runs. The newest one of the same plan before this run is compared with it. */
  readonly earlier?: readonly EarlierReport[];
}
