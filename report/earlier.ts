import { createHash } from "node:crypto";
import { asList, isObject, omit, omitUndefined } from "../provider/plain/plain";
import { type EarlierRunSummary, type Report, type Scope, verdictWords } from "./model/model";
import { amountOf, fieldsOf, nameOf, ReportError } from "./read-state";
import { reportStamp } from "./model/format";

/** What is shown from another run's report. Nothing in the file is trusted. */
export interface EarlierReport extends EarlierRunSummary {
  readonly scope: Pick<Scope, "name"> & Partial<Scope>;
  /** When the reported state was written. */
  readonly stateWrittenAt?: string;
  /** A key that is the same for all reports of one run. */
  readonly runKey: string;
}

/** Reads a report in its JSON form. Throws a `ReportError` for anything else, and for an unknown format. */
export function readReport(json: string): EarlierReport {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw new ReportError("is not JSON");
  }
  if (!isObject(value) || !isObject(value["verdict"]) || !Array.isArray(value["waves"]))
    throw new ReportError("is not a JSON report");
  if (value["formatVersion"] !== 1)
    throw new ReportError(`is in format ${String(value["formatVersion"]).slice(0, 20)}; this version reads format 1`);
  const [run, scope, measured, counts] = ["run", "scope", "measured", "counts"].map((name) => fieldsOf(value[name]));
  const { result } = fieldsOf(value["verdict"]);
  const startedAt = typeof run?.["startedAt"] === "string" ? reportStamp(run["startedAt"]) : undefined;
  const transactions = asList(value["waves"])
    .flatMap((wave) => asList(fieldsOf(wave)["restores"]))
    .flatMap((step) => asList(fieldsOf(step)["transactionIds"]))
    .filter((id) => typeof id === "string");
  const isOfPlan = scope?.["kind"] === "plan";
  return omitUndefined<EarlierReport>({
    scope: omitUndefined<EarlierReport["scope"]>({
      kind: isOfPlan ? "plan" : "restores",
      name: nameOf(scope?.["name"]) ?? "unnamed",
      project: nameOf(scope?.["project"]),
      stack: nameOf(scope?.["stack"]),
    }),
    run: nameOf(run?.["name"]),
    startedAt,
    stateWrittenAt: nameOf(fieldsOf(value["source"])["stateWrittenAt"]),
    // Restores without a plan have no run of their own, so reports with the same transactions are about the same run.
    runKey: JSON.stringify(isOfPlan ? [nameOf(run?.["name"]), startedAt] : transactions.sort()),
    // An unknown result does not count as a pass.
    result: verdictWords.find((word) => word === result) ?? "incomplete",
    recoveryTimeSeconds: amountOf(measured?.["recoveryTimeSeconds"]),
    slowestSeconds: amountOf(fieldsOf(measured?.["slowest"])["seconds"]),
    oldestDataSeconds: amountOf(fieldsOf(measured?.["oldestData"])["seconds"]),
    planned: amountOf(counts?.["planned"]) ?? 0,
    complete: amountOf(counts?.["complete"]) ?? 0,
    sha256: createHash("sha256").update(json).digest("hex"),
  });
}

/**
 * Adds the runs of the same plan in the same stack that began before this report's run, newest first. For a run with several reports, adds only the report
 * with the latest state.
 */
export function withEarlierRuns(report: Report, all: readonly EarlierReport[]): Report {
  const { scope, run } = report;
  const latest = new Map<string, EarlierReport>();
  for (const one of all) {
    const isSame = (["kind", "name", "project", "stack"] as const).every((name) => one.scope[name] === scope[name]);
    const isBefore = one.startedAt !== undefined && one.startedAt < (run.startedAt ?? "~");
    const other = latest.get(one.runKey);
    if (isSame && isBefore && (other?.stateWrittenAt ?? "") <= (one.stateWrittenAt ?? "")) latest.set(one.runKey, one);
  }
  if (latest.size === 0) return report;
  const earlier = [...latest.values()]
    .sort(({ startedAt: a = "" }, { startedAt: b = "" }) => b.localeCompare(a))
    .map((one): EarlierRunSummary => omit(one, "scope", "stateWrittenAt", "runKey"));
  return { ...report, earlier };
}
