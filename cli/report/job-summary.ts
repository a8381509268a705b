import { appendFileSync, existsSync, statSync } from "node:fs";
import { cutMarkdown } from "../../report/markdown/cut";
import type { Io } from "../parts/command";

/** GitHub takes no summary above 1,024 kB from a step, and shows nothing of a longer one. */
const mostBytes = 1_000_000;

/** Appends to the job's summary where the pipeline names one, and says what it did. */
export function summarize(markdown: string, whole: string, { environment, say }: Io): void {
  const file = environment["GITHUB_STEP_SUMMARY"];
  if (file === undefined || file === "") {
    say(
      environment["GITLAB_CI"] === undefined
        ? `No job summary here (GITHUB_STEP_SUMMARY is not set). ${whole}`
        : `GitLab has no job summary: publish the folder as artifacts, and the JUnit file as a report. ${whole}`,
    );
    return;
  }
  const room = mostBytes - (existsSync(file) ? statSync(file).size : 0);
  const part = cutMarkdown(`${markdown}\n`, room, whole);
  appendFileSync(file, part);
  say(
    part === `${markdown}\n` ? "Appended to the job's summary" : "Appended to the job's summary, cut to what it holds",
  );
}
