import type { Goal, Step } from "../model/model";
import { stamp } from "../model/show";
import { earliest } from "../state/stamps";

/** Seconds since the first request, and where they lie on the page. */
export interface Scale {
  readonly from: string;
  readonly until: number;
  readonly ticks: readonly number[];
  /** The nearest goal that is too far to be drawn. */
  readonly beyond?: number;
  at(iso: string | undefined): number | undefined;
  percent(seconds: number): number;
  x(seconds: number): string;
}

const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400];

/** Undefined when nothing has a time. A goal stretches the scale, but not so far that the bars become specks. */
export function scaleOf(all: readonly Step[], goals: readonly Goal[]): Scale | undefined {
  const first = earliest(all.map(({ requestedAt }) => requestedAt));
  if (first === undefined) return undefined;
  const origin = Date.parse(first);
  const at = (iso: string | undefined): number | undefined =>
    iso === undefined ? undefined : Math.max(0, (Date.parse(iso) - origin) / 1_000);
  const end = all.reduce((most, step) => Math.max(most, endOf(step, at)), 1);
  const targets = goals
    .filter(({ goal }) => goal === "recoveryTime")
    .map(({ scope, restore, targetSeconds }) => {
      const from = scope === "whole" ? 0 : (at(all.find(({ name }) => name === restore)?.requestedAt) ?? 0);
      return { targetSeconds, at: from + targetSeconds };
    });
  const near = targets.filter((target) => target.at <= end * 2).map((target) => target.at);
  const far = targets.filter((target) => target.at > end * 2).map(({ targetSeconds }) => targetSeconds);
  const most = near.reduce((a, b) => Math.max(a, b), end);
  const step = steps.find((size) => most / size <= 7) ?? Math.ceil(most / 7 / 86_400) * 86_400;
  const until = most * 1.03;
  const ticks = Array.from({ length: Math.floor(until / step) + 1 }, (_, index) => index * step);
  const toPercent = (seconds: number): number => (Math.min(seconds, until) / until) * 100;
  return {
    from: stamp(first),
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

export function percent(value: number): string {
  return `${String(Math.round(value * 100) / 100)}%`;
}
