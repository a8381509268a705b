import { formatDuration } from "../../provider/inputs/duration";
import { sha256Of, numberText } from "../model/format";
import type { EarlierRunSummary, Report } from "../model/model";
import { disclaimer, evidenceOf, figuresOf, allSteps, stackOf, tallyOf, titleOf, verdictLine } from "../model/summary";
import {
  pageLinks,
  type HtmlOptions,
  type Links,
  columnHead,
  contents,
  dash,
  fact,
  fold,
  icon,
  link,
  markup,
  section,
  statusWord,
  subline,
  table,
  time,
  tones,
  type Markup,
  type Part,
  type Section,
} from "./parts";
import { page } from "./page";
import { restoresSection } from "./restores";

/** Renders one HTML page, with the verdict first and its evidence last. The page loads nothing and runs nothing. */
export function toHtml(report: Report, options: HtmlOptions = {}): string {
  const links = pageLinks(report, options);
  const sections = [restoresSection(report, links), earlierSection(report), evidenceSection(report)];
  return page(
    `${titleOf(report)}: ${report.verdict.result}`,
    markup`${masthead(report)}<main>
${verdictSection(report, links)}${figuresSection(report, links)}${contents(sections)}${sections}
</main>
<footer><p>${disclaimer}</p></footer>`,
  );
}

function masthead(report: Report): Markup {
  const { scope, run, source } = report;
  const eyebrow = { drill: "Recovery drill", recovery: "Recovery", "not stated": "Restores" }[run.kind];
  const items: readonly Part[] = [
    ...stackOf(report).map((text) => `Stack ${text}`),
    run.startedAt && [run.kind === "not stated" ? "First known request " : "Started ", time(run.startedAt)],
    run.incidentAt && ["Incident at ", time(run.incidentAt)],
    source.stateWrittenAt && ["State written ", time(source.stateWrittenAt)],
  ];
  return markup`<header>
<p class="eyebrow">${eyebrow}</p>
<h1>${scope.name}${run.name === undefined ? undefined : ` · ${run.name}`}</h1>
<ul class="meta">${items.flatMap((item) => (item === undefined || item === "" ? [] : [markup`<li>${item}</li>`]))}</ul>
</header>
`;
}

/** Further reasons are folded away. */
const mostReasons = 20;

function verdictSection(report: Report, links: Links): Markup {
  const { result, reasons } = report.verdict;
  const tone = tones[result];
  const list = (some: readonly string[]): Markup | undefined =>
    some.length === 0
      ? undefined
      : markup`<ul>${some.map((reason) => markup`<li>${links.inReason(reason)}</li>`)}</ul>`;
  const rest = reasons.slice(mostReasons);
  return markup`<section class="verdict ${tone}" aria-label="Verdict">
${icon(tone, "mark")}
<h2>${verdictLine(report)}</h2>
<p>${tallyOf(report).join(" · ")}</p>
${list(reasons.slice(0, mostReasons))}${rest.length === 0 ? undefined : fold(`${numberText(rest.length)} more`, list(rest))}
</section>
`;
}

function figuresSection(report: Report, links: Links): Markup {
  const tiles = figuresOf(report).map(
    ({
      name,
      seconds,
      restore,
      goals,
    }) => markup`<div><dt>${name}</dt><dd><span class="value">${seconds === undefined ? "not measured" : formatDuration(seconds)}</span>${subline(restore && links.toRestore(restore))}${goals && markup`<span class="sub ${goals.is === "met" ? "" : tones[goals.is]}">${goals.text}</span>`}</dd></div>
`,
  );
  return markup`<dl class="figures">
${tiles}</dl>
`;
}

function earlierSection({ earlier = [] }: Report): Section | undefined {
  if (earlier.length === 0) return undefined;
  return section(
    "earlier",
    "Earlier runs",
    "From their reports, newest first.",
    table(
      "Earlier runs",
      [columnHead("Run", "sticky"), columns.map((head) => columnHead(head)), columnHead(hashColumn, "long")],
      markup`<tbody>${earlier.map(earlierRow)}</tbody>`,
    ),
  );
}

const columns = ["Started", "Recovery time", "Slowest restore", "Oldest data", "Complete"] as const;
const hashColumn = "SHA-256 of its JSON";

/** Each cell contains its column's name, because phones show each run as a card. */
function earlierRow(one: EarlierRunSummary): Markup {
  const { run = "not named", result, startedAt, recoveryTimeSeconds, slowestSeconds, oldestDataSeconds } = one;
  const values: Readonly<Record<(typeof columns)[number], Part>> = {
    Started: startedAt === undefined ? dash : time(startedAt),
    "Recovery time": duration(recoveryTimeSeconds),
    "Slowest restore": duration(slowestSeconds),
    "Oldest data": duration(oldestDataSeconds),
    Complete: `${numberText(one.complete)} of ${numberText(one.planned)}`,
  };
  const cells = columns.map((head) => markup`<td class="nowrap" data-head="${head}">${values[head]}</td>`);
  return markup`<tr><th scope="row" class="sticky">${run}<span class="sub">${statusWord(result)}</span></th>${cells}<td class="long" data-head="${hashColumn}"><code>${one.sha256}</code></td></tr>
`;
}

function duration(seconds: number | undefined): Part {
  return seconds === undefined ? dash : formatDuration(seconds);
}

function evidenceSection(report: Report): Section {
  const { url } = report.run.pipeline ?? {};
  const facts = evidenceOf(report).map(([name, text]) => fact(name, name === "Pipeline" ? link(url, text) : text));
  const details = (
    title: string,
    text: string,
  ): Markup => markup`<details><summary>${title}</summary><pre tabindex="0">${text}</pre></details>
`;
  return section(
    "evidence",
    "Evidence",
    undefined,
    markup`<dl class="facts">${facts}</dl>
<p class="small soft">SHA-256 of the JSON form of this report, as <code>sha256sum</code> prints it for that file:</p>
<code class="hash">${sha256Of(report)}</code>
${report.plan === undefined ? undefined : details("The plan", JSON.stringify(report.plan, undefined, 2))}
${allSteps(report)
  .map(({ name, log }) => log !== undefined && details(`Log of ${name}`, log))
  .filter((one) => one !== false)}`,
  );
}
