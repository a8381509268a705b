import type { GoalWord, StepResult, VerdictWord } from "../model/model";
import { capital } from "../model/show";
import { markup, type Markup } from "./markup";

export type Tone = "good" | "warn" | "bad" | "open";

export const tones: Readonly<
  Record<
    | VerdictWord
    | StepResult
    | GoalWord
    | "not run"
    | "check failed"
    | "not checked"
    | "not begun"
    | "outcome not stored",
    Tone
  >
> = {
  passed: "good",
  "passed with warnings": "warn",
  failed: "bad",
  incomplete: "open",
  complete: "good",
  cancelled: "bad",
  unfinished: "open",
  met: "good",
  missed: "bad",
  "not measured": "open",
  "not run": "open",
  "check failed": "bad",
  "not checked": "open",
  "not begun": "open",
  "outcome not stored": "open",
};

/** Each tone has a shape of its own: tick, exclamation, cross, open circle. */
export function mark(tone: Tone, className: string): Markup {
  return markup`<svg class="${className}" width="20" height="20" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${shapes[tone]}</svg>`;
}

const shapes: Readonly<Record<Tone, Markup>> = {
  good: markup`<circle cx="12" cy="12" r="10" /><path d="M7.5 12.4l3 3 6-6.6" />`,
  warn: markup`<path d="M12 2.8L22.4 21H1.6z" /><path d="M12 9.5v5M12 17.6v.1" />`,
  bad: markup`<circle cx="12" cy="12" r="10" /><path d="M8.2 8.2l7.6 7.6M15.8 8.2l-7.6 7.6" />`,
  open: markup`<circle cx="12" cy="12" r="10" stroke-dasharray="4.2 3.2" /><path d="M12 7.5v5.2M12 16.4v.1" />`,
};

/** A word of judgement with its shape and colour. */
export function word(text: keyof typeof tones): Markup {
  const tone = tones[text];
  return markup`<span class="word ${tone}">${mark(tone, "mark")}${capital(text)}</span>`;
}
