import { parseStamp } from "../../provider/plain/clock";
import { omitUndefined } from "../../provider/plain/plain";
import { errorMessage } from "../../provider/plain/text";
import type { HtmlOptions } from "../../report";
import { transactionUrl } from "../../report/html/parts";
import { CommandError, parseOptions } from "../parts/command";
import { stateSource, type StateSource } from "../parts/load-state";

const formats = ["html", "md", "json", "junit"] as const;
export type ReportFormat = (typeof formats)[number];

export const reportUsage = `Usage: pulumi-recovery report [options] [-]

Shows what happened in a run that finished, failed, was interrupted or is still
under way, from the stack's stored state. Needs no panel and no passphrase, and
decrypts nothing.

  --stack <name>       the stack, read with \`pulumi stack export\`
                       (default: the one selected in this folder)
  --state <file>       read this file instead, as \`pulumi stack export\` wrote
                       it; - reads standard input
  --plan <name>        only this plan, if the stack has several
                       (default: a report for each)
  --run <name>         only this run; exit with 2 if the state contains another
  --out <folder>       where the files go (default recovery-report);
                       - writes one format to standard output
  --format <list>      any of ${formats.join(",")} (default all)
  --json               the same as --format json --out -
  --summary            append the Markdown to the job's summary
                       (GITHUB_STEP_SUMMARY)
  --gate               exit with 1 when the run failed, 2 when it is incomplete
  --since <time>       exit with 2 if nothing was done since 2026-11-20T09:00Z
  --panel-link <form>  in HTML, link each transaction to its page; write {id}
                       in place of the transaction's id
  --history <files…>   list earlier runs from these JSON reports, or a folder
  --metrics <file>     write gauges for Prometheus' textfile collector
  --with-logs          show log text, if the state contains it in plain text:
                       pulumi stack export --show-secrets
  --help

Exit codes: 0 the report is written, even about a failed run; 1 with --gate:
failed; 2 with --gate: incomplete, --run: another run, --since: nothing was
done; 3 no report, and the message says why; 4 a bug in this command.
`;

const options = {
  stack: { type: "string" },
  state: { type: "string" },
  plan: { type: "string" },
  run: { type: "string" },
  out: { type: "string" },
  format: { type: "string" },
  json: { type: "boolean" },
  summary: { type: "boolean" },
  gate: { type: "boolean" },
  since: { type: "string" },
  "panel-link": { type: "string" },
  history: { type: "string", multiple: true },
  metrics: { type: "string" },
  "with-logs": { type: "boolean" },
} as const;

const flags = ["summary", "gate", "with-logs"] as const;

export interface ReportArguments {
  readonly source: StateSource;
  readonly plan?: string;
  readonly run?: string;
  /** When the last `up` began. Anything stored with an earlier time was not done by that `up`. */
  readonly sinceMs?: number;
  readonly out: { readonly to: "folder"; readonly folder: string } | { readonly to: "standard output" };
  readonly metrics?: string;
  readonly formats: readonly ReportFormat[];
  readonly html: HtmlOptions;
  readonly flags: ReadonlySet<(typeof flags)[number]>;
  readonly history: readonly string[];
}

const parsed = (args: readonly string[]) => parseOptions({ args: [...args], options, allowPositionals: true });
type Values = ReturnType<typeof parsed>["values"];

export function readReportArguments(args: readonly string[]): ReportArguments {
  const { values, positionals } = parsed(args);
  // A shell expands `reports/*.json`, so --history gets the first file and the others are separate arguments.
  const files = positionals.filter((word) => word !== "-");
  const [unexpected] = values.history === undefined ? files : [];
  if (unexpected !== undefined)
    throw new CommandError(`unexpected ${unexpected}: pass a state with --state, and earlier reports with --history`);
  const { plan, run, metrics } = values;
  const state = positionals.includes("-") ? "-" : values.state;
  if (state !== undefined && values.stack !== undefined) throw new CommandError("--stack and --state: use only one");
  return {
    source: stateSource({ state, stack: values.stack }),
    ...outputOf(values),
    html: htmlFrom(values["panel-link"]),
    flags: new Set(flags.filter((flag) => values[flag] === true)),
    history: [...(values.history ?? []), ...files],
    ...(values.since !== undefined && { sinceMs: sinceFrom(values.since) }),
    ...omitUndefined({ plan, run, metrics }),
  };
}

function outputOf({ json, format, out }: Values): Pick<ReportArguments, "formats" | "out"> {
  if (json === true) {
    if (format !== undefined || (out !== undefined && out !== "-"))
      throw new CommandError("--json writes JSON to standard output: omit --format and --out");
    return { formats: ["json"], out: { to: "standard output" } };
  }
  const wanted = formatsFrom(format);
  if (out !== "-") return { formats: wanted, out: { to: "folder", folder: out ?? "recovery-report" } };
  if (wanted.length !== 1) throw new CommandError("--out - writes only one format: choose it with --format");
  return { formats: wanted, out: { to: "standard output" } };
}

function formatsFrom(list: string | undefined): readonly ReportFormat[] {
  if (list === undefined) return formats;
  const named = list.split(",").map((name) => name.trim());
  const unknown = named.find((name) => !formats.some((format) => format === name));
  if (unknown !== undefined)
    throw new CommandError(`--format: there is no format "${unknown}"; the formats are ${formats.join(", ")}`);
  return formats.filter((format) => named.includes(format));
}

function sinceFrom(text: string): number {
  const stamp = parseStamp(text);
  if (stamp?.namesZone === true) return stamp.at;
  throw new CommandError(`--since must be a time with a time zone, such as 2026-11-20T09:00:00Z, not ${text}`);
}

function htmlFrom(panelLink: string | undefined): HtmlOptions {
  try {
    if (panelLink !== undefined) transactionUrl(panelLink);
    return omitUndefined<HtmlOptions>({ panelLink });
  } catch (error) {
    throw new CommandError(`--panel-link: ${errorMessage(error)}`);
  }
}
