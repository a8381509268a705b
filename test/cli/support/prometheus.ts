/** A sample from a file in Prometheus' text format. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const name = "[a-zA-Z_:][a-zA-Z0-9_:]*";
const labelPair = '[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\\\\\|\\\\"|\\\\n)*"';
const sampleLine = new RegExp(
  `^(${name})(?:\\{(${labelPair}(?:,${labelPair})*)\\})? (-?\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?)$`,
);
const head = new RegExp(`^# HELP (${name}) (?:[^\\\\\\n]|\\\\\\\\|\\\\n)+\\n# TYPE \\1 gauge\\n`);

/**
 * Parses the text format strictly: throws unless each metric has one HELP and one TYPE line before its samples, its samples
 * are adjacent, and no series occurs twice.
 */
export function readMetrics(text: string): readonly Sample[] {
  const samples = text.split(/^(?=# HELP )/m).flatMap((part) => {
    const [heading = "", metric = ""] = head.exec(part) ?? [];
    if (metric === "" || !part.endsWith("\n")) throw new Error(`no metric: ${part}`);
    const lines = part.slice(heading.length).split("\n").slice(0, -1);
    return lines.map((line) => sampleOf(metric, line));
  });
  for (const [what, all] of Object.entries({
    metric: [...text.matchAll(/^# HELP (\S+)/gm)].map(([, metric]) => metric),
    series: samples.map(({ name: metric, labels }) => JSON.stringify([metric, labels])),
  }))
    if (new Set(all).size < all.length) throw new Error(`a ${what} that comes twice: ${text}`);
  return samples;
}

function sampleOf(metric: string, line: string): Sample {
  const [, own, labels = "", value] = sampleLine.exec(line) ?? [];
  if (own !== metric) throw new Error(`no sample of ${metric}: ${line}`);
  return { name: metric, labels: labelsIn(labels), value: Number(value) };
}

function labelsIn(text: string): Readonly<Record<string, string>> {
  const pairs = [...text.matchAll(new RegExp(labelPair, "g"))].map(([pair]) => {
    const cut = pair.indexOf("=");
    const value = pair.slice(cut + 2, -1).replaceAll(/\\(.)/g, (_, letter: string) => (letter === "n" ? "\n" : letter));
    return [pair.slice(0, cut), value] as const;
  });
  const labels = Object.fromEntries(pairs);
  if (Object.keys(labels).length !== pairs.length) throw new Error(`a label that comes twice: ${text}`);
  return labels;
}
