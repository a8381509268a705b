/**
 * The report of a run as a function: from a stack's exported state to a model, and from the model to each format.
 * It needs no panel and no passphrase, and decrypts nothing.
 */
export { report, subjectsOf } from "./build";
export { sha256Of, toJson } from "./model/canonical";
export { ReportError } from "./state/read-state";
export { readReport, type EarlierReport, type EarlierStep } from "./history/earlier-report";
export { historyPage } from "./history/history-page";
export { toHtml } from "./html/to-html";
export { toJunit } from "./to-junit";
export { toMarkdown } from "./to-markdown";
export type { HtmlOptions } from "./html/links";
export type { ReportOptions } from "./options";
export type {
  Before,
  Between,
  Check,
  Clock,
  Counts,
  Deviation,
  DeviationKind,
  EarlierTry,
  Goal,
  GoalWord,
  Measured,
  NotCarriedOut,
  Notes,
  Pipeline,
  Plan,
  Report,
  Run,
  Scope,
  Source,
  Step,
  StepBefore,
  StepResult,
  Verdict,
  VerdictWord,
  Wave,
} from "./model/model";
