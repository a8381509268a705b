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

/**
 * Parses the text format strictly: throws unless each metric has one HELP and one TYPE line before its samples, its samples
 * are adjacent, and no series occurs twice.
 */
export function readMetrics(text: string): readonly Sample[] {
  if (text !== "" && !text.endsWith("\n")) throw new Error("the last line has no end");
  const samples: Sample[] = [];
  const [series, described] = [new Set<string>(), new Set<string>()];
  let current: { readonly name: string; readonly type: string | undefined } | undefined;
  for (const line of text.split("\n").slice(0, -1)) {
    const help = new RegExp(`^# HELP (${name}) (?:[^\\\\\\n]|\\\\\\\\|\\\\n)+$`).exec(line);
    const type = new RegExp(`^# TYPE (${name}) gauge$`).exec(line);
    if (help?.[1] !== undefined) {
      if (described.has(help[1])) throw new Error(`twice: ${line}`);
      described.add(help[1]);
      current = { name: help[1], type: undefined };
    } else if (type?.[1] !== undefined) {
      if (current?.name !== type[1] || current.type !== undefined) throw new Error(`a TYPE in a wrong place: ${line}`);
      current = { name: type[1], type: "gauge" };
    } else {
      const [, own = "", labels = "", value = ""] = sampleLine.exec(line) ?? [];
      if (own === "" || own !== current?.name || current.type !== "gauge") throw new Error(`no sample: ${line}`);
      const key = line.slice(0, line.length - value.length);
      if (series.has(key)) throw new Error(`a series that comes twice: ${line}`);
      series.add(key);
      samples.push({ name: own, labels: labelsIn(labels), value: Number(value) });
    }
  }
  return samples;
}

function labelsIn(text: string): Readonly<Record<string, string>> {
  const pairs = [...text.matchAll(new RegExp(labelPair, "g"))].map(([pair]) => {
    const cut = pair.indexOf("=");
    const value = pair
      .slice(cut + 2, -1)
      .replaceAll(/\\([\\"n])/g, (_, letter: string) => (letter === "n" ? "\n" : letter));
    return [pair.slice(0, cut), value] as const;
  });
  const labels = Object.fromEntries(pairs);
  if (Object.keys(labels).length !== pairs.length) throw new Error(`a label that comes twice: ${text}`);
  return labels;
}
