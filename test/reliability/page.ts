import type { Promised } from "./promises";

/** One test as the reporter noted it. `file` is the path from `test/`. */
export interface Result {
  readonly file: string;
  /** With the names of the suites around it. */
  readonly title: string;
  readonly state: "passed" | "failed" | "skipped";
  readonly ms: number;
}

interface Circumstances {
  readonly version: string;
  readonly date: string;
  readonly node: string;
  readonly platform: string;
  /** What the tests ran on that name no other engine. */
  readonly engine: { readonly cli: string; readonly sdk: string };
  /** The day on which somebody last looked which versions there are. */
  readonly supportedOn: string;
}

/** The page of what a run has put to the test, and what became of it. A file of which no test was run is named as such. */
export function reliabilityPage(
  promises: readonly Promised[],
  results: readonly Result[],
  { version, date, node, platform, engine, supportedOn }: Circumstances,
): string {
  const rows = promises.map(({ promise, how, files }) => {
    const of = files.map((file) => ({ file, results: results.filter((result) => result.file === file) }));
    const missing = of.filter((each) => each.results.length === 0).map(({ file }) => `\`${file}\``);
    const all = of.flatMap((each) => each.results);
    const survived =
      missing.length === files.length
        ? "not run"
        : [tally(all), missing.length > 0 ? `not run: ${missing.join(", ")}` : ""];
    return `| ${promise} | ${how} | ${[survived].flat().filter(Boolean).join("; ")} | ${time(all)} |`;
  });
  const isWhole = promises.every(({ files }) => files.every((file) => results.some((result) => result.file === file)));
  return `${[
    "# What was put to the test",
    "",
    "Each promise has tests that try to break it. `npm test` runs their quick parts, `npm run test:full` all of them; the full run",
    `writes this page. This one: pulumi-recovery ${version}, ${date}, Node.js ${node}, Pulumi CLI ${engine.cli} with SDK ${engine.sdk} where`,
    `nothing else is said, ${platform}. The versions that are tried besides are those of ${supportedOn}.`,
    ...(isWhole ? [] : ["It was put together from parts of a full run; what has not been run is named."]),
    "",
    "| promise | put to the test by | survived | time |",
    "| --- | --- | --- | --- |",
    ...rows,
    ...named("Not tried, because this machine lacks what it takes:", "skipped", promises, results),
    ...named("Failed:", "failed", promises, results),
  ].join("\n")}\n`;
}

/** A number alone would not tell what is missing. */
function named(
  heading: string,
  state: Result["state"],
  promises: readonly Promised[],
  results: readonly Result[],
): readonly string[] {
  const files = new Set(promises.flatMap((promise) => promise.files));
  const titles = results.filter((result) => result.state === state && files.has(result.file)).map(({ title }) => title);
  return titles.length === 0 ? [] : ["", heading, "", ...[...new Set(titles)].sort().map((title) => `- ${title}`)];
}

function tally(results: readonly Result[]): string {
  const count = (state: Result["state"]): number => results.filter((result) => result.state === state).length;
  const passed = `${String(count("passed"))} of ${String(results.length)}`;
  const skipped = count("skipped");
  return skipped > 0 ? `${passed} (${String(skipped)} skipped)` : passed;
}

/** Of all tests together, as if they had run one after another. */
function time(results: readonly Result[]): string {
  const seconds = Math.round(results.reduce((sum, { ms }) => sum + ms, 0) / 1000);
  return seconds < 120 ? `${String(seconds)} s` : `${String(Math.round(seconds / 60))} min`;
}
