import type { Report } from "../model/model";
import { durationText } from "../model/format";
import { stepsOf } from "../model/summary";
import type { Links } from "./links";
import { markup, type Markup, type Part, type Section, fact, columnHead, link, section, table, time } from "./parts";

export function deviationsSection(report: Report, links: Links): Section | undefined {
  if (report.deviations.length === 0) return undefined;
  const rows = report.deviations.map(
    ({
      kind,
      restore,
      text,
    }) => markup`<tr><th scope="row" class="sticky">${kind}</th><td>${restore === undefined ? "the run" : links.toRow(restore)}</td><td class="long">${text}</td></tr>
`,
  );
  return section(
    "deviations",
    "Deviations",
    "Everything that did not go as planned or in one go, whether or not it changed the verdict.",
    table(
      "Deviations",
      [columnHead("Kind", "sticky"), columnHead("About"), columnHead("What happened", "long")],
      markup`<tbody>${rows}</tbody>`,
    ),
  );
}

export function evidenceSection(report: Report, sha256: string): Section {
  const { run, plan, source, verdict, before } = report;
  const { pipeline, notes } = run;
  const facts: readonly Part[] = [
    fact("Scenario", notes?.scenario),
    fact("Owner", notes?.owner),
    fact("Approver", notes?.approver),
    fact("Reference", notes?.reference),
    fact(
      "Run by",
      run.user === undefined && run.host === undefined
        ? undefined
        : [run.user, run.host].filter((part) => part !== undefined).join(" on "),
    ),
    fact(
      "Pipeline",
      pipeline &&
        markup`${link(pipeline.url, pipeline.name)}${pipeline.run === undefined ? undefined : `, run ${pipeline.run}`}`,
    ),
    fact(
      "Commit",
      pipeline?.commit &&
        markup`<code>${pipeline.commit}</code>${pipeline.ref === undefined ? undefined : ` of ${pipeline.ref}`}`,
    ),
    fact("Started by", pipeline?.actor),
    fact("Incident at", run.incidentAt && time(run.incidentAt)),
    fact("Panel", run.panels.length === 0 ? undefined : run.panels.join(", ")),
    fact("Since the run before", plan && planChangeText(plan)),
    fact(
      "Verdict",
      verdict.from === "stored" ? "as the run stored it; the rest of the state agrees" : "derived from the state",
    ),
    fact(
      "Report before",
      before &&
        markup`${before.run ?? "a run"}${before.startedAt === undefined ? undefined : markup` of ${time(before.startedAt)}`}: ${before.verdict}${before.recoveryTimeSeconds === undefined ? undefined : `, ${durationText(before.recoveryTimeSeconds)}`}<br><code>${before.sha256}</code>`,
    ),
    fact("State written", source.stateWrittenAt && time(source.stateWrittenAt)),
    fact(
      "Versions",
      Object.entries(source.versions)
        .map(([name, version]) => `${name} ${version}`)
        .join(", ") || undefined,
    ),
  ];
  return section(
    "evidence",
    "Evidence",
    undefined,
    markup`<dl class="facts">${facts}</dl>
<p class="small soft">SHA-256 of the JSON form of this report, as <code>sha256sum</code> prints it for that file:</p>
<code class="hash">${sha256}</code>
<h3 id="clocks">The clock behind each figure</h3>
${clockTable(report)}
${plan?.asGiven === undefined ? undefined : markup`<details><summary>The plan as given</summary><pre tabindex="0">${JSON.stringify(plan.asGiven, undefined, 2)}</pre></details>`}
${logDetails(report)}
${signatureFields}`,
  );
}

function planChangeText({ changed, changedPaths = [], previous }: NonNullable<Report["plan"]>): Part {
  if (previous === undefined) return "no run before it in this stack";
  const name = `${previous.run ?? "a run"}${previous.startedAt === undefined ? "" : ` of ${previous.startedAt.slice(0, 10)}`}`;
  if (changed === undefined) return `run before: ${name}; whether the plan changed is not stored`;
  return changed
    ? `the plan changed after ${name}${changedPaths.length > 0 ? `: ${changedPaths.join(", ")}` : ""}`
    : `the plan is that of ${name}`;
}

function clockTable(report: Report): Markup {
  const rows = report.clocks.map(
    ({
      figure,
      clock,
      from,
      to,
    }) => markup`<tr><th scope="row">${figure}</th><td class="nowrap">${clock === "as given" ? "as given" : `the ${clock}’s`}</td><td class="long">${from}</td><td class="long">${to}</td></tr>
`,
  );
  return table(
    "The clock behind each figure",
    [columnHead("Figure"), columnHead("Clock"), columnHead("From", "long"), columnHead("To", "long")],
    markup`<tbody>${rows}</tbody>`,
  );
}

function logDetails(report: Report): readonly Part[] {
  const details = (
    title: string,
    text: string,
  ): Markup => markup`<details><summary>${title}</summary><pre tabindex="0">${text}</pre></details>
`;
  return [
    ...stepsOf(report).flatMap(({ name, log }) => (log === undefined ? [] : [details(`Log of ${name}`, log)])),
    ...report.waves.flatMap(({ name, checkOutput }) =>
      checkOutput === undefined ? [] : [details(`Output of the checks of wave ${name ?? ""}`, checkOutput)],
    ),
  ];
}

/** Only on paper: fields to fill in by hand. */
const signatureFields = markup`<div class="hand" aria-hidden="true"><div>Findings, owner and due date</div><div>Actions agreed</div><div>Reviewed by, date</div><div>Approved by, date</div></div>`;
