import { formatDuration } from "../../provider/inputs/duration";
import { earliestStamp, parseStamp } from "../../provider/plain/clock";
import { timeText } from "../model/format";
import type { Goal, Step } from "../model/model";
import { markup, type Markup } from "./parts";
import { omitUndefined } from "../../provider/plain/plain";

/** Maps the panel's timestamps to positions on the page. */
export interface Scale {
  readonly from: string;
  readonly untilSeconds: number;
  readonly ticks: readonly number[];
  readonly goalSeconds?: number;
  /** Seconds since the first request. Undefined if there is no timestamp, or if it cannot be compared with the first. */
  readonly at: (stamp: string | undefined) => number | undefined;
  percent(seconds: number): number;
}

const tickSizes = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400];

/** The scale for all bars. Undefined if bars would show nothing, because there are no timestamps, or because the restores are too far apart. */
export function scaleOf(steps: readonly Step[], goals: readonly Goal[]): Scale | undefined {
  const first = earliestStamp(steps.flatMap((step) => attemptsOf(step).map(({ requestedAt }) => requestedAt)));
  const origin = parseStamp(first);
  if (first === undefined || origin === undefined) return undefined;
  const at = (text: string | undefined): number | undefined => {
    const stamp = parseStamp(text);
    return stamp?.namesZone === origin.namesZone ? Math.max(0, (stamp.at - origin.at) / 1_000) : undefined;
  };
  let [end, longest] = [1, 0];
  for (const step of steps) {
    const to = endOf(step, at);
    const from = at(attemptsOf(step)[0]?.requestedAt);
    if (from === undefined || to === undefined) continue;
    end = Math.max(end, to);
    longest = Math.max(longest, to - from);
  }
  if (longest < end / 100) return undefined;
  const whole = goals.find(({ restore }) => restore === undefined)?.targetSeconds;
  // A goal of more than twice the length of the run is not shown, because the bars would become too short.
  const goalSeconds = whole !== undefined && whole <= end * 2 ? whole : undefined;
  const most = Math.max(end, goalSeconds ?? 0);
  const size = tickSizes.find((one) => most / one <= 7) ?? most;
  const untilSeconds = most * 1.03;
  return {
    from: timeText(first),
    untilSeconds,
    ticks: Array.from({ length: Math.floor(untilSeconds / size) + 1 }, (_, index) => index * size),
    ...omitUndefined({ goalSeconds }),
    at,
    percent: (seconds) => (Math.min(seconds, untilSeconds) / untilSeconds) * 100,
  };
}

/** Earlier attempts whose times are known, then the last attempt. */
function attemptsOf(step: Step): readonly Pick<Step, "state" | "requestedAt" | "finishedAt">[] {
  const earlier = step.earlierAttempts ?? [];
  return [...earlier.filter(({ requestedAt, finishedAt }) => requestedAt && finishedAt), step];
}

/** A bar ends with the recovery time, which includes checks and the delay until the end was seen. If that time is unknown, the bar ends with the checks. */
function endOf(step: Step, at: Scale["at"]): number | undefined {
  const [from, finished] = [at(step.recoveredFrom), at(step.finishedAt)];
  if (finished === undefined) return at(step.startedAt) ?? at(step.requestedAt);
  if (from === undefined || step.recoveredSeconds === undefined) return finished + checkingSeconds(step);
  return from + step.recoveredSeconds;
}

/** The duration of the longest check, because checks run in parallel. Checks added later are left out, because they ran at a different time. */
function checkingSeconds({ checks }: Step): number {
  return checks.reduce((most, { seconds = 0, later }) => (later === true ? most : Math.max(most, seconds)), 0);
}

function percent(value: number): string {
  return `${String(Math.round(value * 100) / 100)}%`;
}

export function axis(scale: Scale): Markup {
  const { goalSeconds } = scale;
  const goal =
    goalSeconds === undefined
      ? undefined
      : { at: scale.percent(goalSeconds), text: `goal ${formatDuration(goalSeconds)}` };
  const labels = scale.ticks.map((tick, index) => {
    const away = goal === undefined ? 100 : Math.abs(scale.percent(tick) - goal.at);
    // Leaves out labels that are too close to the goal's label and, on a narrow page, every second label.
    if (away < 13) return undefined;
    const crowded = away < 24 || index % 2 === 1 ? "tick wide" : "tick";
    return label(scale.percent(tick), tick === 0 ? "0" : formatDuration(tick), crowded);
  });
  return markup`<div class="axis" aria-hidden="true"><svg aria-hidden="true" focusable="false">${labels}${goal && label(goal.at, goal.text, "goal")}</svg></div>
`;
}

function label(at: number, text: string, className: string): Markup {
  const anchor = at < 4 ? "start" : at > 92 ? "end" : "middle";
  return markup`<text class="${className}" x="${percent(at)}" y="16" text-anchor="${anchor}">${text}</text>`;
}

/** The scale's lines and the hatching of checks, shared by all bars. */
export function definitions(scale: Scale): Markup {
  const { goalSeconds } = scale;
  const line = (seconds: number, className?: Markup): Markup => {
    const x = percent(scale.percent(seconds));
    return markup`<line${className} x1="${x}" x2="${x}" y1="0" y2="100%" />`;
  };
  return markup`<svg class="defs" aria-hidden="true" focusable="false"><defs><symbol id="grid" class="grid">${scale.ticks.map((tick) => line(tick))}${goalSeconds === undefined ? undefined : line(goalSeconds, markup` class="goal"`)}</symbol><pattern id="checking" width="6" height="6" patternUnits="userSpaceOnUse"><path d="M-1 1l2 -2M0 6l6 -6M5 7l2 -2" stroke-width="1.6" /></pattern></defs></svg>
`;
}

export function legend(scale: Scale, steps: readonly Step[]): Markup {
  const sample = (name: string, picture: Markup): Markup =>
    markup`<li><svg aria-hidden="true" focusable="false">${picture}</svg>${name}</li>`;
  const isChecked = steps.some((step) => (endOf(step, scale.at) ?? 0) > (scale.at(step.finishedAt) ?? Infinity));
  const isOpen = steps.some(({ requestedAt, finishedAt }) => requestedAt !== undefined && finishedAt === undefined);
  return markup`<ul class="legend">
${sample("queued", markup`<line class="q" x1="0" x2="34" y1="8" y2="8" />`)}
${sample("running", markup`<rect class="r" x="0" y="2" width="34" height="12" rx="2" />`)}
${isChecked ? sample("being checked", markup`<rect class="c" x="0" y="2" width="34" height="12" rx="2" />`) : undefined}
${isOpen ? sample("outcome not known", markup`<rect class="r open" x="1" y="2" width="32" height="12" rx="2" />`) : undefined}
${scale.goalSeconds === undefined ? undefined : sample("goal of the whole plan", markup`<g class="grid"><line class="goal" x1="16" x2="16" y1="0" y2="16" /></g>`)}
</ul>`;
}

/** A restore's bar, plus one bar for each earlier attempt. Bars scale with the page, but text does not. */
export function bar(step: Step, scale: Scale): Markup | undefined {
  const requested = scale.at(step.requestedAt);
  if (requested === undefined) return undefined;
  const [started, finished] = [scale.at(step.startedAt), scale.at(step.finishedAt)];
  const runs = started ?? requested;
  const end = endOf(step, scale.at);
  return markup`<svg class="bar" aria-hidden="true" focusable="false"><use href="#grid" width="100%" height="100%" />${attemptsOf(
    step,
  )
    .slice(0, -1)
    .map((one) => ended(one.state, scale.at(one.requestedAt) ?? 0, scale.at(one.finishedAt) ?? 0, scale))}${
    runs > requested
      ? markup`<line class="q" x1="${percent(scale.percent(requested))}" x2="${percent(scale.percent(runs))}" y1="50%" y2="50%" />`
      : undefined
  }${finished === undefined ? box("r open", runs, scale.untilSeconds, scale) : ended(step.state, runs, finished, scale)}${
    finished !== undefined && end !== undefined && end > finished ? box("c", finished, end, scale) : undefined
  }</svg>
`;
}

function ended(state: Step["state"], from: number, to: number, scale: Scale): Markup {
  const isBad = state === "failed" || state === "cancelled";
  return markup`${box(isBad ? "r bad" : "r", from, to, scale)}${isBad ? cross(to, scale) : undefined}`;
}

function box(className: string, from: number, to: number, scale: Scale): Markup {
  // Even a second stays visible on a scale of hours.
  const width = Math.max(scale.percent(to) - scale.percent(from), 0.3);
  return markup`<rect class="${className}" x="${percent(scale.percent(from))}" y="22%" width="${percent(width)}" height="56%" rx="2" />`;
}

/** A cross whose size is fixed while its position scales. The nested SVG moves the origin to that position. */
function cross(at: number, scale: Scale): Markup {
  return markup`<svg x="${percent(scale.percent(at))}" y="50%" width="1" height="1"><path class="x" d="M3 -4l8 8M11 -4l-8 8" /></svg>`;
}
