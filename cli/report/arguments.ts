import { errorMessage } from "../../provider/plain/text";
import type { HtmlOptions } from "../../report";
import { transactionUrl } from "../../report/html/links";
import { utcOf } from "../../report/state/values";
import { CommandError, parseOptions, secondsIn } from "../parts/command";
import { stateSource, type StateSource } from "../parts/load-state";

const formats = ["html", "md", "json", "junit"] as const;
export type ReportFormat = (typeof formats)[number];

export const usage = `Usage: pulumi-recovery report [options] [-]

Shows what happened, from a stack's stored state: in a finished run, a failed one or one that broke off.
Needs no panel and no passphrase, and decrypts nothing.

  --stack <name>        the stack, read with \`pulumi stack export\` (default: the one selected in this folder)
  --state <file>        read this file instead, as \`pulumi stack export\` wrote it; - reads standard input
  --plan <name>         only this plan, if the stack has several (default: a report of each)
  --out <folder>        where the files go (default recovery-report)
  --format <list>       of ${formats.join(",")} (default all of them)
  --goal-time <time>    recovery time goal of restores without a plan: 1h, 90m
  --goal-age <time>     data age goal of restores without a plan: 24h
  --taken-at <id=time>  when a recovery point was taken, for restores without a plan; may be repeated
  --summary             append the Markdown to the job's summary (GITHUB_STEP_SUMMARY)
  --gate                exit with 1 when the run failed, with 2 when it is incomplete
  --panel-link <form>   link each transaction to its page on the panel; the form has {id} in place of the id
  --history <files…>    earlier JSON reports, or a folder: adds a page of all runs, and the run before beside this one
  --history-only        write only that page, from the files alone
  --metrics <file>      write gauges for Prometheus' textfile collector
  --with-logs           show log text, if the state holds it in plain: pulumi stack export --show-secrets
  --help

Exit codes: 0 the report is written, whatever it says; with --gate 1 failed, 2 incomplete; 3 no report,
and the message says why; 4 a defect of this command.
`;

const options = {
  stack: { type: "string" },
  state: { type: "string" },
  plan: { type: "string" },
  out: { type: "string" },
  format: { type: "string" },
  "goal-time": { type: "string" },
  "goal-age": { type: "string" },
  "taken-at": { type: "string", multiple: true },
  summary: { type: "boolean" },
  gate: { type: "boolean" },
  "panel-link": { type: "string" },
  history: { type: "string", multiple: true },
  "history-only": { type: "boolean" },
  metrics: { type: "string" },
  "with-logs": { type: "boolean" },
} as const;

export interface ReportArguments {
  readonly source: StateSource | { readonly from: "nowhere" };
  readonly plan?: string;
  readonly folder: string;
  readonly metrics?: string;
  readonly formats: readonly ReportFormat[];
  readonly goalTimeSeconds?: number;
  readonly goalAgeSeconds?: number;
  readonly takenAt: Readonly<Record<string, string>>;
  readonly html: HtmlOptions;
  readonly flags: ReadonlySet<"summary" | "gate" | "logs">;
  readonly history: readonly string[];
}

export function readReportArguments(args: readonly string[]): ReportArguments {
  const { values, positionals } = parseOptions({ args: [...args], options, allowPositionals: true });
  // A shell expands `reports/*.json`: the first file belongs to --history, the others stand alone.
  const files = positionals.filter((word) => word !== "-");
  if (files.length > 0 && values.history === undefined) {
    throw new CommandError(`what is ${files[0] ?? ""}? A state is given with --state, earlier reports with --history`);
  }
  const history = [...(values.history ?? []), ...files];
  if (values["history-only"] === true && history.length === 0)
    throw new CommandError("--history-only: give the files with --history");
  return {
    source: sourceFrom(values, positionals.includes("-") ? "-" : values.state),
    folder: values.out ?? "recovery-report",
    formats: formatsFrom(values.format),
    takenAt: takenAtFrom(values["taken-at"] ?? []),
    html: htmlFrom(values["panel-link"]),
    flags: new Set([
      ...(values.summary === true ? (["summary"] as const) : []),
      ...(values.gate === true ? (["gate"] as const) : []),
      ...(values["with-logs"] === true ? (["logs"] as const) : []),
    ]),
    history,
    ...(values.plan !== undefined && { plan: values.plan }),
    ...(values.metrics !== undefined && { metrics: values.metrics }),
    ...secondsFrom("goalTimeSeconds", "--goal-time", values["goal-time"]),
    ...secondsFrom("goalAgeSeconds", "--goal-age", values["goal-age"]),
  };
}

function sourceFrom(
  values: {
    readonly stack?: string | undefined;
    readonly "history-only"?: boolean | undefined;
    readonly gate?: boolean | undefined;
    readonly metrics?: string | undefined;
  },
  state: string | undefined,
): ReportArguments["source"] {
  if (values["history-only"] === true) {
    if (state !== undefined || values.stack !== undefined)
      throw new CommandError("--history-only reads no state: leave --stack and --state out");
    if (values.metrics !== undefined) throw new CommandError("--metrics is about a run, and --history-only reads none");
    if (values.gate === true) throw new CommandError("--gate judges a run, and --history-only reads none");
    return { from: "nowhere" };
  }
  if (state !== undefined && values.stack !== undefined)
    throw new CommandError("--stack and --state: give one of them");
  return stateSource({ state, stack: values.stack });
}

function formatsFrom(list: string | undefined): readonly ReportFormat[] {
  if (list === undefined) return formats;
  const named = list.split(",").map((name) => name.trim());
  const unknown = named.find((name) => !formats.some((format) => format === name));
  if (unknown !== undefined)
    throw new CommandError(
      `--format: there is no ${unknown || "format without a name"}; there are ${formats.join(", ")}`,
    );
  return formats.filter((format) => named.includes(format));
}

function htmlFrom(panelLink: string | undefined): HtmlOptions {
  if (panelLink === undefined) return {};
  try {
    transactionUrl(panelLink);
  } catch (error) {
    throw new CommandError(`--panel-link: ${errorMessage(error)}`);
  }
  return { panelLink };
}

function secondsFrom<Key extends string>(
  key: Key,
  option: string,
  text: string | undefined,
): { readonly [Name in Key]?: number } {
  if (text === undefined) return {};
  return { [key]: secondsIn(option, text) } as { readonly [Name in Key]?: number };
}

function takenAtFrom(pairs: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const [id = "", ...rest] = pair.split("=");
      const time = rest.join("=");
      if (id === "" || utcOf(time) === undefined) {
        throw new CommandError(
          `--taken-at: write the recovery point's id and its time, 1007=2026-11-20T02:00:00Z, not "${pair}"`,
        );
      }
      return [id, time];
    }),
  );
}
