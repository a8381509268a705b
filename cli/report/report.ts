import { errorMessage } from "../../provider/plain/text";
import {
  historyPage,
  readReport,
  report as reportOf,
  ReportError,
  subjectsOf,
  toJson,
  toMarkdown,
  type EarlierReport,
  type Report,
  type ReportOptions,
} from "../../report";
import { titleOf } from "../../report/model/summary";
import { terminalSummary } from "./terminal";
import { CommandError, type Command, type Io, exitCodes, type ExitCode } from "../parts/command";
import { readReportArguments, usage, type ReportArguments } from "./arguments";
import { fileNames, writeReport } from "./files";
import { metricsOf } from "./metrics";
import { appendJobSummary } from "../parts/job-summary";
import { readEarlierReports } from "../parts/load-report";
import { loadStackState } from "../parts/load-state";
import { writeMetrics } from "../parts/metrics";
import { writeIntoFolder } from "../parts/write";

export const report: Command = {
  name: "report",
  about: "what happened, from a stack's stored state: HTML, Markdown, JSON, JUnit",
  usage,
  async run(args, io) {
    const wanted = readReportArguments(args);
    const earlier = await readEarlierReports(wanted.history);
    if (wanted.source.from === "nowhere") {
      io.say(writeIntoFolder(wanted.folder, "history.html", historyPage(earlier)));
      return exitCodes.done;
    }
    const state = await loadStackState(wanted.source, io);
    const reports = asCommandError(() => makeReports(state, wanted, earlier));
    return publish(reports, earlier, wanted, io);
  },
};

function asCommandError<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (error instanceof ReportError) throw new CommandError(error.message, { cause: error });
    throw error;
  }
}

function makeReports(state: unknown, wanted: ReportArguments, earlier: readonly EarlierReport[]): readonly Report[] {
  const { source, plan, goalTimeSeconds, goalAgeSeconds, takenAt, flags } = wanted;
  const options: ReportOptions = {
    takenAt,
    earlier,
    logs: flags.has("logs") ? "with logs" : "without logs",
    ...(goalTimeSeconds !== undefined && { goalTimeSeconds }),
    ...(goalAgeSeconds !== undefined && { goalAgeSeconds }),
    ...(source.from === "stack" && source.name !== undefined && { stack: source.name }),
  };
  const subjects = plan === undefined ? subjectsOf(state, options) : [plan];
  return subjects.map((subject) => reportOf(state, { ...options, subject }));
}

/** Writes the files first, so that they exist even if the summary cannot be written or the gate closes. */
function publish(
  reports: readonly Report[],
  earlier: readonly EarlierReport[],
  wanted: ReportArguments,
  io: Io,
): ExitCode {
  const names = fileNames(reports.map(({ scope }) => scope.name));
  reports.forEach((report, index) => {
    const name = names[index] ?? "report";
    for (const line of terminalSummary(report, io.isColourful === true ? "in colour" : "plain")) io.say(line);
    for (const file of writeReport(report, wanted, name)) io.say(`  ${file}`);
  });
  if (wanted.history.length > 0) {
    io.say(
      `  ${writeIntoFolder(wanted.folder, "history.html", historyPage([...earlier, ...reports.map((one) => readReport(toJson(one)))]))}`,
    );
  }
  if (wanted.metrics !== undefined) io.say(`  ${writeMetrics(wanted.metrics, metricsOf(reports))}`);
  for (const note of notesOnUnusedOptions(reports, wanted)) io.warn(note);
  const summary = wanted.flags.has("summary") ? appendSummaries(reports, wanted, io) : exitCodes.done;
  const gate = wanted.flags.has("gate") ? gateExitCode(reports) : exitCodes.done;
  if (gate !== exitCodes.done) io.warn(gateMessage(reports, gate));
  return gate === exitCodes.done ? summary : gate;
}

/** Names the options that had no effect. */
function notesOnUnusedOptions(
  reports: readonly Report[],
  { goalTimeSeconds, goalAgeSeconds, flags }: ReportArguments,
): readonly string[] {
  const goals = goalTimeSeconds !== undefined || goalAgeSeconds !== undefined;
  const shown = reports.some(({ waves }) =>
    waves.some(
      ({ restores, checkOutput }) => checkOutput !== undefined || restores.some(({ log }) => log !== undefined),
    ),
  );
  return [
    ...(goals && reports.every(({ scope }) => scope.kind === "plan")
      ? ["--goal-time and --goal-age are for restores without a plan; a plan has its own goals"]
      : []),
    ...(flags.has("logs") && !shown
      ? [
          "--with-logs: the state holds no log in plain; `pulumi stack export --show-secrets --file FILE` writes one that does",
        ]
      : []),
  ];
}

function appendSummaries(reports: readonly Report[], { folder, formats }: ReportArguments, io: Io): ExitCode {
  const whole = formats.length > 0 ? `The whole report is in the files of ${folder}.` : "";
  try {
    for (const report of reports) appendJobSummary(toMarkdown(report), whole, io);
    return exitCodes.done;
  } catch (error) {
    io.warn(`the job's summary cannot be written: ${errorMessage(error)}`);
    return exitCodes.cannot;
  }
}

/** The worst verdict, and the first reason of each report with it. */
function gateMessage(reports: readonly Report[], gate: ExitCode): string {
  const worst = gate === exitCodes.failed ? "failed" : "incomplete";
  const those = reports.filter(({ verdict }) => verdict.result === worst);
  const reasonsByReport = those.map((report) => {
    const [first, ...others] = report.verdict.reasons;
    return `${titleOf(report)}: ${first ?? "no reason is stored"}${others.length === 0 ? "" : `, and ${String(others.length)} more`}`;
  });
  return `--gate: the run ${worst === "failed" ? "failed" : "is incomplete"}. ${reasonsByReport.join("; ")}`;
}

function gateExitCode(reports: readonly Report[]): ExitCode {
  const results = reports.map(({ verdict }) => verdict.result);
  if (results.includes("failed")) return exitCodes.failed;
  return results.includes("incomplete") ? exitCodes.incomplete : exitCodes.done;
}
