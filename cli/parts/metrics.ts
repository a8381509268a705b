import { renameSync, statSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { errorMessage } from "../../provider/plain/text";
import { CommandError } from "./command";
import { createFolder } from "./write";

export type Labels = Readonly<Record<string, string | undefined>>;

/** A gauge with its samples. Samples with unknown values are left out. */
export interface Gauge {
  /** The name without this package's prefix. */
  readonly name: string;
  readonly help: string;
  readonly samples: readonly { readonly labels: Labels; readonly value: number | boolean | undefined }[];
}

/** Adds a number to one label of each duplicate. Otherwise, the second series would be dropped, even if its verdict is bad. */
export function numbered(name: string, all: readonly Labels[]): readonly Labels[] {
  const seen = new Map<string, number>();
  return all.map((labels) => {
    const key = JSON.stringify(labels);
    const nth = (seen.get(key) ?? 0) + 1;
    seen.set(key, nth);
    return nth === 1 ? labels : { ...labels, [name]: [labels[name], nth].join(" ") };
  });
}

/** Prometheus text format, for a textfile collector or a push gateway: a gauge without timestamps. */
function gaugeText({ name, help, samples }: Gauge): string {
  const full = `pulumi_recovery_${name}`;
  const lines = new Map<string, string>();
  for (const { labels, value } of samples) {
    if (!Number.isFinite(Number(value))) continue;
    // Two samples of one series would make the whole file unreadable, so the map keeps only one.
    const series = `${full}${labelsText(labels)}`;
    lines.set(series, `${series} ${String(Number(value))}\n`);
  }
  if (lines.size === 0) return "";
  return `# HELP ${full} ${help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")}\n# TYPE ${full} gauge\n${[...lines.values()].join("")}`;
}

function labelsText(labels: Labels): string {
  const pairs = Object.entries(labels).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}="${escapedLabel(value)}"`],
  );
  return `{${pairs.join(",")}}`;
}

const escapedLabel = (value: string): string =>
  value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");

/** Seconds since 1970, for comparison with Prometheus's own `time()`. */
export function unixSeconds(iso: string | undefined): number | undefined {
  return iso === undefined ? undefined : Date.parse(iso) / 1_000;
}

/** Writes the file as a whole or not at all, because a collector may read it at any moment. */
export function writeMetrics(file: string, gauges: readonly Gauge[]): string {
  const target = resolve(file);
  // A collector reads only files that end in .prom.
  const partial = `${target}.tmp`;
  try {
    // If the process runs as root, the rename below would replace a device such as /dev/stdout.
    if (statSync(target, { throwIfNoEntry: false })?.isFile() === false) throw new Error("it exists and is not a file");
    createFolder(dirname(target));
    writeFileSync(partial, gauges.map(gaugeText).join(""));
    renameSync(partial, target);
  } catch (error) {
    throw new CommandError(`--metrics: ${file} cannot be written: ${errorMessage(error)}`, { cause: error });
  }
  return file;
}
