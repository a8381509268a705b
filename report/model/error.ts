/** What was given cannot be made into a report; the message says why and what to give instead. */
export class ReportError extends Error {
  override readonly name = "ReportError";
}
