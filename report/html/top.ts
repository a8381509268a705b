import type { NotCarriedOut, Report, Step } from "../model/model";
import { checkText, goalNames, margin, spoken } from "../model/show";
import {
  goalFor,
  goalLines,
  goalsByKey,
  findingsOf,
  missedText,
  standingOf,
  tallyOf,
  verdictText,
  type GoalLine,
} from "../model/summary";
import { fold } from "./folding";
import type { Links } from "./links";
import {
  mark,
  tones,
  word,
  markup,
  type Markup,
  type Part,
  type Section,
  head,
  link,
  section,
  sub,
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

export function verdict(report: Report): Markup {
  const { result, reasons } = report.verdict;
  const tone = tones[result];
  return markup`<section class="verdict ${tone}" aria-label="Verdict">
${mark(tone, "mark")}
<h2>${verdictText(report)}</h2>
<p>${tallyOf(report).join(" · ")}</p>
${reasons.length === 0 ? undefined : markup`<ul>${reasons.map((reason) => markup`<li>${reason}</li>`)}</ul>`}
</section>
`;
}

export function figures(report: Report, links: Links): Markup {
  const { measured, before } = report;
  const whole = goalFor(goalsByKey(report), "recoveryTime");
  const goal = whole === undefined ? undefined : `goal ${spoken(whole.targetSeconds)}, ${whole.verdict}`;
  const then = before?.recoveryTimeSeconds === undefined ? undefined : `before: ${spoken(before.recoveryTimeSeconds)}`;
  return markup`<dl class="figures">
${figure("Recovery time of the whole", measured.recoveryTimeSeconds, [goal, then])}
${figure("Slowest restore", measured.slowest?.seconds, [measured.slowest && links.toRow(measured.slowest.restore)])}
${figure("Oldest data restored", measured.oldestData?.seconds, [measured.oldestData && links.toRow(measured.oldestData.restore)])}
<div><dt>Restores complete</dt><dd><span class="value">${report.counts.complete} of ${report.counts.planned}</span><span class="sub">${report.counts.adopted > 0 ? `${String(report.counts.adopted)} adopted` : "none adopted"}</span></dd></div>
</dl>
`;
}

function figure(name: string, seconds: number | undefined, notes: readonly Part[]): Markup {
  const value = seconds === undefined ? "not measured" : spoken(seconds);
  const shown = notes.filter((note) => note !== undefined);
  return markup`<div><dt>${name}</dt><dd><span class="value">${value}</span>${shown.map((note) => markup`<span class="sub">${note}</span>`)}</dd></div>`;
}

export function goals(report: Report, links: Links): Section | undefined {
  const lines = goalLines(report);
  if (lines.length === 0) return undefined;
  const head5 = [head("Goal"), head("Target"), head("Measured, tightest"), head("Margin"), head("Verdict")];
  return section(
    "goals",
    "Goals",
    "Of each kind the one with the least to spare. Every restore’s own is in its row below.",
    table("Goals", head5, markup`<tbody>${lines.map((line) => goalRow(line, links))}</tbody>`),
  );
}

function goalRow({ kind, scope, targets, met, missed, notMeasured, tightest }: GoalLine, links: Links): Markup {
  const [least, most] = targets;
  const target = least === most ? spoken(least) : `${spoken(least)} to ${spoken(most)}`;
  const all = met + missed + notMeasured;
  const result = missed > 0 ? "missed" : notMeasured > 0 ? "not measured" : "met";
  const tally = [
    met > 0 ? `${String(met)} of ${String(all)} met` : undefined,
    missed > 0 ? `${String(missed)} missed` : undefined,
    notMeasured > 0 ? `${String(notMeasured)} not measured` : undefined,
  ].filter((part) => part !== undefined);
  const name = scope === "whole" ? `${goalNames[kind]} of the whole plan` : `${goalNames[kind]} of each restore`;
  const measured = tightest?.measuredSeconds;
  return markup`<tr><th scope="row">${name}</th><td>${target}</td><td>${measured === undefined ? "not measured" : spoken(measured)}${tightest?.restore === undefined ? undefined : sub(links.toRow(tightest.restore))}</td><td>${tightest?.marginSeconds === undefined ? "–" : margin(tightest.marginSeconds)}</td><td>${word(result)}<span class="sub">${scope === "whole" ? undefined : tally.join(", ")}</span></td></tr>`;
}

/** So many are listed in sight, the rest folded away. */
const mostInSight = 50;

export function findings(report: Report, links: Links): Section | undefined {
  const { bad, late } = findingsOf(report);
  const missing = report.notCarriedOut;
  const all = [
    ...bad.map((step) => finding(step, links)),
    ...missing.map((one) => absent(one, links)),
    ...late.map(
      ({ step, goals }) =>
        markup`<li>${word("missed")} ${strong(step.name, links)} <span class="soft small">${goals.map(missedText).join("; ")}</span></li>
`,
    ),
  ];
  if (all.length === 0) return undefined;
  const rest = all.slice(mostInSight);
  return section(
    "findings",
    "What needs attention",
    late.length === 0 ? undefined : "Missed goals are listed worst first.",
    [
      markup`<ul class="plain">${all.slice(0, mostInSight)}</ul>`,
      rest.length === 0 ? undefined : fold(`${String(rest.length)} more`, markup`<ul class="plain">${rest}</ul>`),
    ],
  );
}

function strong(name: string, links: Links): Markup {
  return markup`<strong>${links.toRow(name)}</strong>`;
}

function absent({ restore, virtualMachineId, what }: NotCarriedOut, links: Links): Markup {
  return markup`<li>${word(what)} ${strong(restore, links)} <span class="soft small">machine ${virtualMachineId}</span></li>
`;
}

function finding(step: Step, links: Links): Markup {
  const { name, result, status, reason, checks, virtualMachineId, transactionIds } = step;
  const about: readonly Part[] = [
    `machine ${virtualMachineId}`,
    transactionIds.length === 0
      ? undefined
      : [transactionIds.length === 1 ? ", transaction " : ", transactions ", links.transactions(transactionIds)],
    result === "unfinished" ? `, last known status ${status}` : undefined,
  ];
  const failed = checks.filter((check) => check.result === "failed");
  return markup`<li>${word(standingOf(step))} ${strong(name, links)} <span class="soft small">${about}</span>
${reason === undefined ? undefined : markup`<p>${reason}</p>`}${failed.map((check) => markup`<p>${checkText(check)}</p>`)}</li>
`;
}
