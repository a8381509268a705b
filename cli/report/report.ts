import { styleText } from "node:util";
import { readDeployment } from "../../drills/judge/resources";
import { restoresOfState } from "../../drills/judge/state";
import { formatDuration } from "../../provider/inputs/duration";
import { formatUtc, parseStamp } from "../../provider/plain/clock";
import { type Report, reports as reportsOf, toMarkdown, type ReportVerdictWord } from "../../report";
import { allSteps, figuresOf, tallyOf, titleOf, verdictLine } from "../../report/model/summary";
import { readState } from "../../report/read-state";
import { type Command, CommandError, type ExitCode, exitCodes, type Io } from "../parts/command";
import { loadStackState } from "../parts/load-state";
import { mayBeAtWork } from "../parts/stack-state";
import { writeMetrics } from "../parts/metrics";
import { appendJobSummary } from "../parts/write";
import { readReportArguments, type ReportArguments, reportUsage } from "./arguments";
import { fileNames, readEarlierReports, rendered, writeReport } from "./files";
import { reportMetrics } from "./metrics";

export const reportCommand: Command = {
  name: "report",
  about: "what happened, from the stored state (HTML, Markdown, JSON, JUnit)",
  usage: reportUsage,
  async run(args, io) {
    const wanted = readReportArguments(args);
    const earlier = await readEarlierReports(wanted.history);
    const { source, flags } = wanted;
    const state = await loadStackState(source, io);
    const all = reportsOf(state, {
      earlier,
      logs: flags.has("with-logs") ? "with logs" : "without logs",
      ...(source.from === "stack" && source.name !== undefined && { stack: source.name }),
    });
    const ofPlan = all.filter(({ scope }) => wanted.plan === undefined || scope.name === wanted.plan);
    if (ofPlan.length === 0) throw new CommandError(`--plan: the state contains only ${namesOf(all)}`);
    const chosen = ofPlan.filter(({ run }) => wanted.run === undefined || run.name === wanted.run);
    if (chosen.length > 0) {
      const code = publish(chosen, wanted, io);
      const idle = whyIdle(state, wanted);
      if (idle !== undefined) io.warn(idle);
      return code === exitCodes.done && idle !== undefined ? exitCodes.incomplete : code;
    }
    const held = ofPlan.map(({ scope, run }) => `${run.name ?? "an unnamed run"} of ${scope.name}`);
    io.warn(
      `--run: the state contains no run ${wanted.run ?? ""}; it contains ${held.join(", ")}. No report was written.`,
    );
    return exitCodes.incomplete;
  },
};

/** Explains that nothing has been done since `--since`. Without this check, an `up` that reuses the name of a passed run would be reported as passed. */
function whyIdle(state: unknown, { plan, sinceMs }: ReportArguments): string | undefined {
  if (sinceMs === undefined) return undefined;
  const { deployment } = readState(state);
  const { current } = readDeployment(deployment);
  const restores = restoresOfState(deployment).restores.filter((one) => plan === undefined || one.plan === plan);
  const times = restores
    // Without a plan, the stored times are the panel's; only the engine's time shows when the restore was carried out.
    .flatMap((one) => (one.plan === undefined ? [current.get(one.urn)?.changedAt] : one.events.map(({ at }) => at)))
    .map((at) => parseStamp(at)?.at ?? -Infinity);
  const last = times.reduce((latest, at) => Math.max(latest, at), -Infinity);
  if (last >= sinceMs) return undefined;
  const before = last === -Infinity ? "" : `; the last activity was at ${formatUtc(last)}`;
  const then = restores.some(mayBeAtWork)
    ? "Restores may still be under way: run this job again unchanged, and it continues them."
    : "Each run restores only once: to judge what it did before, leave out --since; to restore again, set another `run` or new triggers.";
  return `--since: nothing has been recorded as restored or checked since ${formatUtc(sinceMs)}${before}. ${then}`;
}

function namesOf(all: readonly Report[]): string {
  return all.map(({ scope }) => scope.name).join(", ");
}

/** Writes the files first, so that they exist even if the summary cannot be written, or if `--gate` fails the job. */
function publish(reports: readonly Report[], wanted: ReportArguments, given: Io): ExitCode {
  const { out, flags, formats, metrics } = wanted;
  // Standard output gets the report and nothing else.
  const io = out.to === "folder" ? given : { ...given, say: given.warn };
  if (out.to === "standard output") {
    const [only, ...others] = reports;
    if (only === undefined || others.length > 0)
      throw new CommandError(
        `the state contains ${namesOf(reports)}: choose one with --plan to write it to standard output`,
      );
    for (const format of formats) given.say(rendered(only, format, wanted.html).trimEnd());
  } else {
    const names = fileNames(reports.map(({ scope }) => scope.name));
    reports.forEach((report, index) => {
      for (const line of terminalSummary(report, io.isColourful === true ? "in colour" : "plain")) io.say(line);
      for (const file of writeReport(report, wanted, out.folder, names[index] ?? "report")) io.say(`  ${file}`);
    });
  }
  if (metrics !== undefined) io.say(`  ${writeMetrics(metrics, reportMetrics(reports))}`);
  if (flags.has("with-logs") && !reports.some((report) => allSteps(report).some(({ log }) => log !== undefined)))
    io.warn(
      "--with-logs: the state contains no log in plain text; `pulumi stack export --show-secrets --file FILE` exports a state that does",
    );
  const rest = out.to === "folder" ? `The full report is in ${out.folder}.` : "";
  const append = (one: Report): ExitCode => appendJobSummary(toMarkdown(one), rest, io);
  const isLost = flags.has("summary") && reports.some((one) => append(one) !== exitCodes.done);
  const worst = flags.has("gate") ? worstOf(reports) : undefined;
  if (worst !== undefined) io.warn(gateMessage(reports, worst));
  return worst === undefined && isLost ? exitCodes.cannot : exitCodes[worst ?? "done"];
}

type Bad = "failed" | "incomplete";
const worstOf = (reports: readonly Report[]): Bad | undefined =>
  (["failed", "incomplete"] as const).find((word) => reports.some(({ verdict }) => verdict.result === word));

/** The worst verdict, and the first reason in each report with this verdict. */
function gateMessage(reports: readonly Report[], worst: Bad): string {
  const reasons = reports
    .filter(({ verdict }) => verdict.result === worst)
    .map((report) => {
      const [first, ...others] = report.verdict.reasons;
      return `${titleOf(report)}: ${others.length === 0 ? (first ?? "no reason is stored") : `${first?.replace(/\.$/, "") ?? ""}, and ${String(others.length)} more`}`;
    });
  return `--gate: the run ${worst === "failed" ? "failed" : "is incomplete"}. ${reasons.join("; ")}`;
}

const colours = {
  passed: "green",
  complete: "green",
  "passed with warnings": "yellow",
  failed: "red",
  incomplete: "magenta",
} as const satisfies Record<ReportVerdictWord, Parameters<typeof styleText>[0]>;

const mostLines = 5;

/** A report in a few lines: the verdict, the figures and the reasons. The files contain the rest. */
function terminalSummary(report: Report, how: "in colour" | "plain"): readonly string[] {
  const { result, reasons } = report.verdict;
  const verdict = verdictLine(report);
  const figures = figuresOf(report).flatMap(({ name, seconds, restore, goals }) =>
    seconds === undefined
      ? []
      : `${name.toLowerCase()} ${formatDuration(seconds)}${restore === undefined ? "" : ` (${restore})`}${goals === undefined ? "" : `, ${goals.text}`}`,
  );
  const more = reasons.length - mostLines;
  return [
    `${titleOf(report)}: ${how === "plain" ? verdict : styleText(["bold", colours[result]], verdict)}`,
    `  ${tallyOf(report).join(", ")}`,
    ...(figures.length === 0 ? [] : [`  ${figures.join("; ")}`]),
    ...reasons.slice(0, mostLines).map((reason) => `  - ${reason}`),
    ...(more > 0 ? [`  - … and ${String(more)} more`] : []),
  ];
}
