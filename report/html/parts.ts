import type { RestoreState } from "../../drills/judge/history";
import { capitalized, escapeMarkup } from "../../provider/plain/text";
import { isUtc, timeText } from "../model/format";
import type { Check, GoalWord, Report, Step, ReportVerdictWord } from "../model/model";
import { allSteps } from "../model/summary";
import { ReportError } from "../read-state";

/** HTML from the template tag `markup`, which escapes every value that is not `Markup` itself. */
export class Markup {
  constructor(readonly text: string) {}
}

export type Part = string | number | undefined | Markup | readonly Part[];

export function markup(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  let text = strings[0] ?? "";
  parts.forEach((part, index) => {
    text += rendered(part) + (strings[index + 1] ?? "");
  });
  return new Markup(text);
}

function rendered(part: Part): string {
  if (part === undefined) return "";
  if (part instanceof Markup) return part.text;
  if (typeof part === "object") return part.map(rendered).join("");
  return escapeMarkup(String(part));
}

/** Shows a timestamp without a time zone as the panel wrote it, because the exact moment is unknown. */
export function time(stamp: string): Part {
  return isUtc(stamp) ? markup`<time datetime="${stamp}">${timeText(stamp)}</time>` : stamp;
}

export function subline(part: Part): Markup | undefined {
  return part === undefined ? undefined : markup`<span class="sub">${part}</span>`;
}

/** A table in a frame that scrolls and can be reached by keyboard. */
export function table(label: string, head: Part, body: Part): Markup {
  return markup`<div class="scroll" role="region" aria-label="Table: ${label}" tabindex="0"><table>
<thead><tr>${head}</tr></thead>
${body}
</table></div>`;
}

export function columnHead(text: string, className = ""): Markup {
  return markup`<th scope="col" class="${className}">${text}</th>`;
}

/** A collapsible part. When printed, it is always open. */
export function fold(summary: string, body: Part): Markup {
  return markup`<details class="fold"><summary>${summary}</summary>${body}</details>
`;
}

/** A part of the page with its own heading, listed in the contents. */
export class Section extends Markup {
  constructor(
    readonly id: string,
    readonly title: string,
    { text }: Markup,
  ) {
    super(text);
  }
}

export function section(id: string, title: string, about: Part, body: Part): Section {
  return new Section(
    id,
    title,
    markup`<section aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
${about === undefined ? undefined : markup`<p class="about">${about}</p>`}
${body}
</section>
`,
  );
}

export function contents(sections: readonly (Section | undefined)[]): Markup {
  const links = sections
    .filter((one) => one !== undefined)
    .map(({ id, title }) => markup`<li><a href="#${id}">${title}</a></li>`);
  return markup`<nav class="contents screen" aria-label="Contents"><ul>${links}</ul></nav>
`;
}

export function fact(name: string, value: Part): Markup | undefined {
  return value === undefined ? undefined : markup`<div><dt>${name}</dt><dd>${value}</dd></div>`;
}

/** A link if the address is http or https; text otherwise. */
export function link(url: string | undefined, text: Part): Part {
  return url !== undefined && /^https?:\/\/[^\s]+$/.test(url)
    ? markup`<a href="${url}" rel="noopener noreferrer">${text}</a>`
    : text;
}

export const dash = markup`<span class="soft">–</span>`;

export type Tone = "good" | "warn" | "bad" | "open";

type Word = ReportVerdictWord | RestoreState | GoalWord | Check["result"];

export const tones: Readonly<Record<Word, Tone>> = {
  passed: "good",
  "passed with warnings": "warn",
  failed: "bad",
  incomplete: "open",
  complete: "good",
  "not sent": "open",
  "perhaps sent": "open",
  sent: "open",
  pending: "open",
  running: "open",
  cancelled: "bad",
  "not checked": "warn",
  overwritten: "warn",
  met: "good",
  missed: "bad",
  "not measured": "open",
  "not run": "open",
};

/** Each tone has a shape of its own: tick, exclamation mark, cross, open circle. */
export function icon(tone: Tone, className: string): Markup {
  return markup`<svg class="${className}" width="20" height="20" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${shapes[tone]}</svg>`;
}

const shapes: Readonly<Record<Tone, Markup>> = {
  good: markup`<path d="M2 12a10 10 0 1 0 20 0a10 10 0 1 0-20 0M7.5 12.4l3 3 6-6.6" />`,
  warn: markup`<path d="M12 2.8L22.4 21H1.6z" /><path d="M12 9.5v5M12 17.6v.1" />`,
  bad: markup`<circle cx="12" cy="12" r="10" /><path d="M8.2 8.2l7.6 7.6M15.8 8.2l-7.6 7.6" />`,
  open: markup`<circle cx="12" cy="12" r="10" stroke-dasharray="4.2 3.2" /><path d="M12 7.5v5.2M12 16.4v.1" />`,
};

/** A status with its icon and color. */
export function statusWord(text: Word): Markup {
  const tone = tones[text];
  return markup`<span class="word ${tone}">${icon(tone, "mark")}${capitalized(text)}</span>`;
}

/** Options of the HTML page. */
export interface HtmlOptions {
  /**
   * The address of a transaction's page on the panel, with `{id}` in place of the id: `https://panel.example.com/transactions/{id}`.
   * Each transaction then links there. Only http and https are allowed, without a user name or password.
   */
  readonly panelLink?: string;
}

/** The page's links to its own restores and to the panel. */
export interface Links {
  /** The id is made from the restore's number, because the restore's name may contain anything. */
  idOf(step: Step): string | undefined;
  toRestore(name: string): Part;
  /** Turns the restore's name at the beginning of a reason into a link. */
  inReason(reason: string): Part;
  transactions(ids: readonly string[]): Part;
}

export function pageLinks(report: Report, { panelLink }: HtmlOptions): Links {
  const rows = allSteps(report).map((step, index) => [step, `restore-${String(index + 1)}`] as const);
  const ids = new Map<Step, string>(rows);
  const byName = new Map(rows.toReversed().map(([{ name }, id]) => [name, id]));
  const urlOf = panelLink === undefined ? () => undefined : transactionUrl(panelLink);
  const toRestore = (name: string): Part => {
    const id = byName.get(name);
    return id === undefined ? name : markup`<a href="#${id}">${name}</a>`;
  };
  return {
    idOf: (step) => ids.get(step),
    toRestore,
    inReason(reason) {
      const name = /^[^\s:]+(?=[\s:])/.exec(reason)?.[0] ?? "";
      return byName.has(name) ? [toRestore(name), reason.slice(name.length)] : reason;
    },
    transactions: (all) => all.map((id, index) => [index === 0 ? "" : ", ", link(urlOf(id), id)]),
  };
}

/** The id must not be part of the host: it comes from a state, which must not decide where a link leads. */
const form = /^https?:\/\/[^\s/?#@{}\\]+[/?#][^\s{}]*\{id\}[^\s{}]*$/i;

/** Throws a `ReportError` if the template is invalid. */
export function transactionUrl(template: string): (id: string) => string {
  if (!form.test(template) || !URL.canParse(template.replace("{id}", "1")))
    throw new ReportError(
      `"${template}" is not the address of a transaction's page: use http or https, without a user name, and with {id} once in place of the id, ` +
        "like https://panel.example.com/transactions/{id}",
    );
  return (id) => template.replace("{id}", () => encodeURIComponent(id));
}
