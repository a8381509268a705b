/**
 * Reports on a run: turns a stack's exported state into a model, and the model into each format.
 * It needs no panel and no passphrase, and decrypts nothing.
 */
export { report, reports, subjectsOf, type ReportOptions } from "./build";
export { readReport, type EarlierReport } from "./earlier";
export { toHtml } from "./html/to-html";
export { sha256Of, toJson } from "./model/format";
export { ReportError } from "./read-state";
export { toJunit } from "./to-junit";
export { toMarkdown } from "./to-markdown";
export type { HtmlOptions } from "./html/parts";
export type {
  Check,
  ChosenBy,
  Counts,
  EarlierAttempt,
  EarlierRunSummary,
  Goal,
  GoalWord,
  Measured,
  Report,
  ReportRun,
  Scope,
  Source,
  Step,
  ReportVerdict,
  ReportVerdictWord,
  Wave,
} from "./model/model";
