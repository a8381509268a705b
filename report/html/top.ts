import type { NotCarriedOut, Report, Step } from "../model/model";
import { goalColumns } from "../model/columns";
import { checkText, durationText, numberText } from "../model/format";
import {
  goalFor,
  goalSummaries,
  goalsByKey,
  attentionOf,
  missedText,
  stepState,
  tallyOf,
  verdictText,
} from "../model/summary";
import { cellsOf, headsOf } from "./cells";
import { fold } from "./folding";
import type { Links } from "./links";
import {
  icon,
  tones,
  statusWord,
  markup,
  type Markup,
  type Part,
  type Section,
  link,
  section,
  table,
  time,
} from "./parts";

export function masthead(report: Report): Markup {
  const { scope, run } = report;
  const eyebrow = { drill: "Recovery drill", recovery: "Recovery", "not stated": "Restores" }[run.kind];
  const items: readonly Part[] = [
    scope.stack === undefined
      ? undefined
      : `Stack ${scope.stack}${scope.project === undefined ? "" : `, project ${scope.project}`}`,
    run.startedAt === undefined ? undefined : markup`Started ${time(run.startedAt)}`,
    run.endedAt === undefined ? "End not recorded" : markup`Ended ${time(run.endedAt)}`,
    run.user === undefined ? undefined : `By ${run.user}`,
    run.pipeline === undefined ? undefined : link(run.pipeline.url, run.pipeline.name),
  ];
  return markup`<header>
<p class="eyebrow">${eyebrow}</p>
<h1>${scope.name}${run.name === undefined ? undefined : ` · ${run.name}`}</h1>
<ul class="meta">${items.filter((item) => item !== undefined).map((item) => markup`<li>${item}</li>`)}</ul>
</header>
`;
}

export function verdictSection(report: Report): Markup {
  const { result, reasons } = report.verdict;
  const tone = tones[result];
  return markup`<section class="verdict ${tone}" aria-label="Verdict">
${icon(tone, "mark")}
<h2>${verdictText(report)}</h2>
<p>${tallyOf(report).join(" · ")}</p>
${reasons.length === 0 ? undefined : markup`<ul>${reasons.map((reason) => markup`<li>${reason}</li>`)}</ul>`}
</section>
`;
}

export function figuresSection(report: Report, links: Links): Markup {
  const { measured, before } = report;
  const whole = goalFor(goalsByKey(report), "recoveryTime");
  const goal = whole === undefined ? undefined : `goal ${durationText(whole.targetSeconds)}, ${whole.verdict}`;
  const then =
    before?.recoveryTimeSeconds === undefined ? undefined : `before: ${durationText(before.recoveryTimeSeconds)}`;
  return markup`<dl class="figures">
${figure("Overall recovery time", measured.recoveryTimeSeconds, [goal, then])}
${figure("Slowest restore", measured.slowest?.seconds, [measured.slowest && links.toRow(measured.slowest.restore)])}
${figure("Oldest data restored", measured.oldestData?.seconds, [measured.oldestData && links.toRow(measured.oldestData.restore)])}
<div><dt>Restores complete</dt><dd><span class="value">${numberText(report.counts.complete)} of ${numberText(report.counts.planned)}</span><span class="sub">${report.counts.adopted > 0 ? `${numberText(report.counts.adopted)} adopted` : "none adopted"}</span></dd></div>
</dl>
`;
}

function figure(name: string, seconds: number | undefined, notes: readonly Part[]): Markup {
  const value = seconds === undefined ? "not measured" : durationText(seconds);
  const shown = notes.filter((note) => note !== undefined);
  return markup`<div><dt>${name}</dt><dd><span class="value">${value}</span>${shown.map((note) => markup`<span class="sub">${note}</span>`)}</dd></div>`;
}

export function goalsSection(report: Report, links: Links): Section | undefined {
  const lines = goalSummaries(report);
  if (lines.length === 0) return undefined;
  const rows = lines.map(
    (line) => markup`<tr>${cellsOf(goalColumns, line, links)}</tr>
`,
  );
  return section(
    "goals",
    "Goals",
    "For each kind, the one with the least to spare. Every restore’s own goals are in its row below.",
    table("Goals", headsOf(goalColumns), markup`<tbody>${rows}</tbody>`),
  );
}

/** The rest is folded. */
const maxInSight = 50;

export function attentionSection(report: Report, links: Links): Section | undefined {
  const { bad, late } = attentionOf(report);
  const missing = report.notCarriedOut;
  const all = [
    ...bad.map((step) => badRestore(step, links)),
    ...missing.map((one) => missingRestore(one, links)),
    ...late.map(
      ({ step, goals }) =>
        markup`<li>${statusWord("missed")} ${strongName(step.name, links)} <span class="soft small">${goals.map(missedText).join("; ")}</span></li>
`,
    ),
  ];
  if (all.length === 0) return undefined;
  const rest = all.slice(maxInSight);
  return section(
    "findings",
    "What needs attention",
    late.length === 0 ? undefined : "Missed goals are listed worst first.",
    [
      markup`<ul class="plain">${all.slice(0, maxInSight)}</ul>`,
      rest.length === 0 ? undefined : fold(`${numberText(rest.length)} more`, markup`<ul class="plain">${rest}</ul>`),
    ],
  );
}

function strongName(name: string, links: Links): Markup {
  return markup`<strong>${links.toRow(name)}</strong>`;
}

function missingRestore({ restore, virtualMachineId, what }: NotCarriedOut, links: Links): Markup {
  return markup`<li>${statusWord(what)} ${strongName(restore, links)} <span class="soft small">machine ${virtualMachineId}</span></li>
`;
}

function badRestore(step: Step, links: Links): Markup {
  const { name, result, status, reason, checks, virtualMachineId, transactionIds } = step;
  const about: readonly Part[] = [
    `machine ${virtualMachineId}`,
    transactionIds.length === 0
      ? undefined
      : [transactionIds.length === 1 ? ", transaction " : ", transactions ", links.transactions(transactionIds)],
    result === "unfinished" ? `, last known status ${status}` : undefined,
  ];
  const failed = checks.filter((check) => check.result === "failed");
  return markup`<li>${statusWord(stepState(step))} ${strongName(name, links)} <span class="soft small">${about}</span>
${reason === undefined ? undefined : markup`<p>${reason}</p>`}${failed.map((check) => markup`<p>${checkText(check)}</p>`)}</li>
`;
}
