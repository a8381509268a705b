import type { Promised } from "./promises";

/** One test's result, as the reporter recorded it. `file` is the path from `test/`. */
export interface Result {
  readonly file: string;
  /** The test's title, after the names of its suites. */
  readonly title: string;
  readonly state: "passed" | "failed" | "skipped";
}

interface Circumstances {
  readonly version: string;
  readonly date: string;
  readonly node: string;
  readonly platform: string;
  /** The engine that tests use unless they name another. */
  readonly engine: { readonly cli: string; readonly sdk: string };
  /** The day on which someone last looked for new versions. */
  readonly supportedOn: string;
}

/** The page about a test run: each promise, its tests and their results, and any test files that were not run. */
export function reliabilityPage(
  promises: readonly Promised[],
  results: readonly Result[],
  { version, date, node, platform, engine, supportedOn }: Circumstances,
): string {
  const entries = promises.map(({ promise, how, files }) => {
    const all = results.filter(({ file }) => files.includes(file));
    const missing = files.filter((file) => !all.some((result) => result.file === file));
    const survived =
      all.length === 0
        ? "not run"
        : [
            tally(all),
            ...(missing.length > 0 ? [`not run: ${missing.map((file) => `\`${file}\``).join(", ")}`] : []),
          ].join("; ");
    return `- **${promise}.** ${how}: ${survived}.`;
  });
  const isWhole = promises.every(({ files }) => files.every((file) => results.some((result) => result.file === file)));
  return `${[
    "# What was tested",
    "",
    "The tests try to break each promise, on the real engine unless stated otherwise. `npm run test:full` runs all of them",
    `and writes this page. Last run: pulumi-recovery ${version}, ${date}, Node.js ${node}, Pulumi CLI ${engine.cli} with SDK ${engine.sdk}, ${platform}. Last checked for new versions on`,
    `${supportedOn}.`,
    ...(isWhole ? [] : ["The page combines parts of a full run; each entry names the files that were not run."]),
    "",
    ...entries,
    ...named("Skipped, because this machine lacks what they need:", "skipped", promises, results),
    ...named("Failed:", "failed", promises, results),
  ].join("\n")}\n`;
}

/** Lists the titles of tests with this result, because a number alone would not show which tests they are. */
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
  const passed = `${String(count("passed"))} of ${String(results.length)} passed`;
  const skipped = count("skipped");
  return skipped > 0 ? `${passed} (${String(skipped)} skipped)` : passed;
}
