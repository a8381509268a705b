import type { Goal, NotCarriedOut, Report, Step, Wave } from "../model/model";
import { countText, durationText, timeText } from "../model/format";
import { goalFor, goalsByKey, isAsPlanned, namesBetween, stepsOf } from "../model/summary";
import { earliestStamp } from "../../provider/plain/clock";
import type { Links } from "./links";
import { maxRowsAtOnce } from "./folding";
import { markup, section, type Markup, type Section } from "./parts";
import { titleOf } from "./tables";

/** Draws every restore as a bar on one scale, wave by wave. Bars scale with the page, texts do not. */
export function timelineSection(report: Report, links: Links): Section | undefined {
  const goals = goalsByKey(report);
  const scale = scaleOf(stepsOf(report), report.goals);
  if (scale === undefined) return undefined;
  const wholeGoal = goalFor(goals, "recoveryTime")?.targetSeconds;
  const isLong = stepsOf(report).length + report.notCarriedOut.length > maxRowsAtOnce;
  const bands = report.waves.map((wave, index) => {
    const missing = report.notCarriedOut.filter((one) => one.wave === wave.name);
    const [drawn, others] = isLong ? splitLanes(wave.restores, goals, report.waves.length) : [wave.restores, []];
    const lanes = [
      ...lanesBetween(wave, report.waves.slice(0, index), scale),
      ...drawn.map((step) => lane(step, goalFor(goals, "recoveryTime", step.name), scale, links)),
      ...(others.length === 0 ? [] : [sharedLane(others, scale)]),
      ...(isLong ? [] : missing.map((one) => missingLane(one, links))),
    ];
    const amount = countText(wave.restores.length + missing.length, "restore");
    return markup`<div class="band">
<h3>${titleOf(wave) ?? "Restores"} <span class="soft">${amount}${wave.name === undefined || wave.state === "ended" ? "" : `, ${wave.state}`}</span></h3>
${axis(scale, wholeGoal)}<ul class="lanes">
${lanes}
</ul>
</div>`;
  });
  return section(
    "timeline",
    "Timeline",
    `Time since the first request, ${scale.from}. Queued and running by the panel’s stamps; checking by the runner’s clock, drawn after the restore’s end.${scale.beyond === undefined ? "" : ` A goal of ${durationText(scale.beyond)} lies beyond the right edge.`}`,
    markup`${legend(report, wholeGoal !== undefined && wholeGoal <= scale.until)} ${definitions(scale, wholeGoal)}
<div class="timeline">${bands}</div>`,
  );
}

/** The gap before a wave's first request, with the names of the resources that the wave came after. */
function lanesBetween(wave: Wave, before: readonly Wave[], scale: Scale): readonly Markup[] {
  const at = (iso: string | undefined): number | undefined => scale.at(iso);
  const from = before.flatMap(({ restores }) => restores).reduce((most, step) => Math.max(most, endOf(step, at)), 0);
  const to = at(earliestStamp(wave.restores.map(({ requestedAt }) => requestedAt)));
  return namesBetween(wave).map(({ names, ran }) => {
    const isGap = ran && to !== undefined && to > from;
    const gap = isGap ? box("b", from, to, scale) : undefined;
    const took = isGap ? durationText(to - from) : undefined;
    const outcome = ran
      ? markup`<span class="soft">${took ?? "in between"}</span>`
      : markup`<span class="open">not run</span>`;
    const text = ran ? `before this wave${took === undefined ? "" : `, ${took}`}` : "not run in this run";
    return markup`<li class="lane"><span title="${names}">${names}</span><svg role="img" focusable="false"><title>${names}: ${text}</title><use href="#grid" width="100%" height="100%" />${gap}</svg><span>${outcome}</span></li>`;
  });
}

/** Divides the restores of a long wave: those with their own bar, and those that share one. */
function splitLanes(
  steps: readonly Step[],
  goals: ReadonlyMap<string, Goal>,
  waves: number,
): readonly [own: readonly Step[], shared: readonly Step[]] {
  const own = steps.filter((step) => !isAsPlanned(step, goals)).slice(0, Math.ceil(maxRowsAtOnce / waves));
  const drawn = new Set(own);
  return [own, steps.filter((step) => !drawn.has(step))];
}

/** One bar for many restores, from their first request to their last end. */
function sharedLane(steps: readonly Step[], scale: Scale): Markup {
  const name = countText(steps.length, "other restore");
  const from = scale.at(earliestStamp(steps.map(({ requestedAt }) => requestedAt)));
  const to = steps.reduce(
    (most, step) =>
      Math.max(
        most,
        endOf(step, (iso) => scale.at(iso)),
      ),
    0,
  );
  const bar = from === undefined ? undefined : box("r", from, to, scale);
  return markup`<li class="lane"><span>${name}</span><svg role="img" focusable="false"><title>${name}: from the first request to the last end</title><use href="#grid" width="100%" height="100%" />${bar}</svg><span>${durationText(to - (from ?? to))}</span></li>`;
}

function axis(scale: Scale, wholeGoal: number | undefined): Markup {
  const goalAt = wholeGoal !== undefined && wholeGoal <= scale.until ? scale.percent(wholeGoal) : undefined;
  const labels = scale.ticks.map((tick, index) => {
    const away = goalAt === undefined ? 100 : Math.abs(scale.percent(tick) - goalAt);
    // A label near the goal's is left out; on a narrow page also every second one.
    if (away < 8) return undefined;
    const crowded = away < 24 || index % 2 === 1 ? "tick wide" : "tick";
    return label(scale.percent(tick), tick === 0 ? "0" : durationText(tick), crowded);
  });
  return markup`<div class="lane axis" aria-hidden="true"><span></span><svg aria-hidden="true" focusable="false">${labels}${goalAt === undefined || wholeGoal === undefined ? undefined : label(goalAt, `goal ${durationText(wholeGoal)}`, "goal")}</svg><span></span></div>`;
}

function label(at: number, text: string, className: string): Markup {
  const anchor = at < 4 ? "start" : at > 92 ? "end" : "middle";
  return markup`<text class="${className}" x="${percent(at)}" y="18" text-anchor="${anchor}">${text}</text>`;
}

function lane(step: Step, goal: Goal | undefined, scale: Scale, links: Links): Markup {
  return markup`<li class="lane"><span title="${step.name}">${links.toRow(step.name)}</span><svg role="img" focusable="false"><title>${laneDescription(step, goal)}</title><use href="#grid" width="100%" height="100%" />${bars(step, goal, scale)}</svg><span>${laneOutcome(step)}</span></li>`;
}

function missingLane({ restore, what }: NotCarriedOut, links: Links): Markup {
  const text = what === "not begun" ? "not carried out" : "outcome not stored";
  return markup`<li class="lane"><span title="${restore}">${links.toRow(restore)}</span><svg role="img" focusable="false"><title>${restore}: ${text}</title><use href="#grid" width="100%" height="100%" /></svg><span class="open">${text}</span></li>`;
}

function laneOutcome({ result, recoveredSeconds, durationSeconds, checks }: Step): Markup {
  if (result !== "complete") return markup`<span class="${result === "unfinished" ? "open" : "bad"}">${result}</span>`;
  if (checks.some((check) => check.result === "failed")) return markup`<span class="bad">check failed</span>`;
  const seconds = recoveredSeconds ?? durationSeconds;
  return markup`${seconds === undefined ? "complete" : durationText(seconds)}`;
}

/** The bar in words, for screen readers and as a tooltip. */
function laneDescription(step: Step, goal: Goal | undefined): string {
  const parts = [
    step.queuedSeconds === undefined ? undefined : `queued ${durationText(step.queuedSeconds)}`,
    step.ranSeconds === undefined ? undefined : `ran ${durationText(step.ranSeconds)}`,
    step.checkedSeconds === undefined ? undefined : `checked ${durationText(step.checkedSeconds)}`,
    step.recoveredSeconds === undefined ? undefined : `recovered in ${durationText(step.recoveredSeconds)}`,
    goal === undefined ? undefined : `goal ${durationText(goal.targetSeconds)} ${goal.verdict}`,
  ].filter((part) => part !== undefined);
  return `${step.name}: ${[step.result, ...parts].join(", ")}`;
}

function bars(step: Step, goal: Goal | undefined, scale: Scale): readonly Markup[] {
  const requested = scale.at(step.requestedAt);
  if (requested === undefined) return [];
  const started = scale.at(step.startedAt);
  const finished = scale.at(step.finishedAt);
  const runs = started ?? requested;
  const failed = step.result === "failed" || step.result === "cancelled";
  const queue = started ?? finished ?? scale.until;
  const marks: Markup[] = [];
  if (queue > requested)
    marks.push(markup`<line class="q" x1="${scale.x(requested)}" x2="${scale.x(queue)}" y1="50%" y2="50%" />`);
  if (finished !== undefined) {
    marks.push(box(failed ? "r bad" : "r", runs, finished, scale));
    if (failed) marks.push(cross(finished, scale));
  } else if (started !== undefined || step.startedAt === undefined) {
    marks.push(box("r open", runs, scale.until, scale));
  }
  if (finished !== undefined && step.checkedSeconds !== undefined) {
    const from = finished + (step.noticedAfterSeconds ?? 0);
    const checkFailed = step.checks.some(({ result }) => result === "failed");
    marks.push(box(checkFailed ? "c bad" : "c", from, from + step.checkedSeconds, scale));
    if (checkFailed) marks.push(cross(from + step.checkedSeconds, scale));
  }
  const due = goal === undefined ? undefined : requested + goal.targetSeconds;
  if (due !== undefined && due <= scale.until) {
    const x = scale.x(due);
    marks.push(
      markup`<line class="g" x1="${x}" x2="${x}" y1="10%" y2="90%" /><rect class="flag" x="${x}" y="10%" width="6" height="5" />`,
    );
  }
  return marks;
}

function box(className: string, from: number, to: number, scale: Scale): Markup {
  // A restore of a second stays visible on a scale of hours.
  const width = Math.max(scale.percent(to) - scale.percent(from), 0.3);
  return markup`<rect class="${className}" x="${scale.x(from)}" y="22%" width="${percent(width)}" height="56%" rx="2" />`;
}

/** A cross of fixed size at a place that scales, thanks to the nested SVG's own origin. */
function cross(at: number, scale: Scale): Markup {
  return markup`<svg x="${scale.x(at)}" y="50%" width="1" height="1"><path class="x" d="M3 -4l8 8M11 -4l-8 8" /></svg>`;
}

/** The lines of the scale and the hatch patterns, shared by all bars. */
function definitions(scale: Scale, wholeGoal: number | undefined): Markup {
  const lines = scale.ticks.map((tick) => {
    const x = scale.x(tick);
    return markup`<line x1="${x}" x2="${x}" y1="0" y2="100%" />`;
  });
  const goal =
    wholeGoal === undefined || wholeGoal > scale.until
      ? undefined
      : markup`<line class="goal" x1="${scale.x(wholeGoal)}" x2="${scale.x(wholeGoal)}" y1="0" y2="100%" />`;
  return markup`<svg class="defs" aria-hidden="true" focusable="false"><defs><symbol id="grid" class="grid">${lines}${goal}</symbol>${hatchPattern("checking")}${hatchPattern("check-failed")}</defs></svg>`;
}

function hatchPattern(id: string): Markup {
  return markup`<pattern id="${id}" width="6" height="6" patternUnits="userSpaceOnUse"><path d="M-1 1l2 -2M0 6l6 -6M5 7l2 -2" stroke-width="1.6" /></pattern>`;
}

function legend(report: Report, hasWholeGoal: boolean): Markup {
  const steps = stepsOf(report);
  const sample = (name: string, picture: Markup): Markup =>
    markup`<li><svg aria-hidden="true" focusable="false">${picture}</svg>${name}</li>`;
  return markup`<ul class="legend">
    ${sample("queued", markup`<line class="q" x1="0" x2="34" y1="8" y2="8" />`)}
    ${sample("running", markup`<rect class="r" x="0" y="2" width="34" height="12" rx="2" />`)}
    ${steps.some(({ checkedSeconds }) => checkedSeconds !== undefined) ? sample("checking", markup`<rect class="c" x="0" y="2" width="34" height="12" rx="2" />`) : undefined}
    ${steps.some(({ result }) => result === "failed" || result === "cancelled") ? sample("failed or cancelled", markup`<rect class="r bad" x="0" y="2" width="22" height="12" rx="2" /><path class="x" d="M26 4l8 8M34 4l-8 8" />`) : undefined}
    ${report.waves.some(({ between }) => between !== undefined) ? sample("other resources in between", markup`<rect class="b" x="0" y="2" width="34" height="12" rx="2" />`) : undefined}${steps.some(({ result }) => result === "unfinished") ? sample("end not known", markup`<rect class="r open" x="1" y="2" width="32" height="12" rx="2" />`) : undefined}
    ${report.goals.some(({ scope, goal }) => scope === "restore" && goal === "recoveryTime") ? sample("a restore’s goal", markup`<line class="g" x1="14" x2="14" y1="1" y2="15" /><rect class="flag" x="14" y="1" width="6" height="5" />`) : undefined}
    ${hasWholeGoal ? sample("goal of the whole plan", markup`<g class="grid"><line class="goal" x1="16" x2="16" y1="0" y2="16" /></g>`) : undefined}
  </ul>`;
}

/** Maps seconds since the first request to places on the page. */
interface Scale {
  readonly from: string;
  readonly until: number;
  readonly ticks: readonly number[];
  /** The nearest goal that lies outside the scale. */
  readonly beyond?: number;
  readonly at: (iso: string | undefined) => number | undefined;
  percent(seconds: number): number;
  x(seconds: number): string;
}

const tickSizes = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400];

/** Undefined without any time. A goal stretches the scale, but at most to twice the length of the run. */
function scaleOf(all: readonly Step[], goals: readonly Goal[]): Scale | undefined {
  const first = earliestStamp(all.map(({ requestedAt }) => requestedAt));
  if (first === undefined) return undefined;
  const origin = Date.parse(first);
  const at = (iso: string | undefined): number | undefined =>
    iso === undefined ? undefined : Math.max(0, (Date.parse(iso) - origin) / 1_000);
  const end = all.reduce((most, step) => Math.max(most, endOf(step, at)), 1);
  const requestOf = new Map(all.toReversed().map(({ name, requestedAt }) => [name, requestedAt]));
  const targets = goals
    .filter(({ goal }) => goal === "recoveryTime")
    .map(({ scope, restore, targetSeconds }) => {
      const from = scope === "whole" ? 0 : (at(requestOf.get(restore ?? "")) ?? 0);
      return { targetSeconds, at: from + targetSeconds };
    });
  const near = targets.filter((target) => target.at <= end * 2).map((target) => target.at);
  const far = targets.filter((target) => target.at > end * 2).map(({ targetSeconds }) => targetSeconds);
  const most = near.reduce((a, b) => Math.max(a, b), end);
  const step = tickSizes.find((size) => most / size <= 7) ?? Math.ceil(most / 7 / 86_400) * 86_400;
  const until = most * 1.03;
  const ticks = Array.from({ length: Math.floor(until / step) + 1 }, (_, index) => index * step);
  const toPercent = (seconds: number): number => (Math.min(seconds, until) / until) * 100;
  return {
    from: timeText(first),
    until,
    ticks,
    ...(far.length > 0 && { beyond: far.reduce((a, b) => Math.min(a, b)) }),
    at,
    percent: toPercent,
    x: (seconds) => percent(toPercent(seconds)),
  };
}

function endOf(step: Step, at: (iso: string | undefined) => number | undefined): number {
  const finished = at(step.finishedAt);
  if (finished !== undefined)
    return finished + (step.checkedSeconds === undefined ? 0 : (step.noticedAfterSeconds ?? 0) + step.checkedSeconds);
  return at(step.startedAt) ?? at(step.requestedAt) ?? 0;
}

function percent(value: number): string {
  return `${String(Math.round(value * 100) / 100)}%`;
}
