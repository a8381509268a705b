import assert from "node:assert/strict";

interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const head = /^# HELP ([a-zA-Z_:][\w:]*) (?:[^\\\n]|\\[\\n])+\n# TYPE \1 gauge\n/;
const label = '[a-zA-Z_]\\w*="(?:[^"\\\\\\n]|\\\\[\\\\"n])*"';
const sampleLine = new RegExp(`^([\\w:]+)(?:\\{(${label}(?:,${label})*)\\})? (-?\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?)$`);

/** Parses strictly: each metric needs one HELP and one TYPE line before its samples, its samples are adjacent, and no series occurs twice. */
export function readMetrics(text: string): readonly Sample[] {
  const parts = text.split(/^(?=# HELP )/m);
  const samples = parts.flatMap((part) => {
    const [heading = "", metric] = head.exec(part) ?? [];
    assert.ok(metric !== undefined && part.endsWith("\n"), part);
    const lines = part.slice(heading.length, -1).split("\n");
    return lines.map((line) => {
      const [, name, labels = "", value] = sampleLine.exec(line) ?? [];
      assert.equal(name, metric, line);
      const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key = "", text = ""]) => {
        return [key, text.replaceAll(/\\(.)/g, (_, letter: string) => (letter === "n" ? "\n" : letter))] as const;
      });
      return { name: metric, labels: Object.fromEntries(pairs), value: Number(value) };
    });
  });
  const metrics = parts.map((part) => head.exec(part)?.[1]);
  const series = samples.map(({ name, labels }) => JSON.stringify([name, labels]));
  for (const all of [metrics, series]) assert.equal(new Set(all).size, all.length, text);
  return samples;
}
