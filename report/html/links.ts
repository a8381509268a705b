import type { Report, Step } from "../model/model";
import { stepsOf } from "../model/summary";
import { ReportError } from "../read-state";
import { link, markup, type Part } from "./parts";

/** Options of the HTML page. */
export interface HtmlOptions {
  /**
   * The address of a transaction's page on the panel, with `{id}` in place of the id: `https://panel.example.com/transactions/{id}`.
   * Each transaction then links there. Only http and https are allowed, without user name and password.
   */
  readonly panelLink?: string;
}

/** The page's links to its own restores and to the panel. */
export interface Links {
  /** Numbers a restore, because its name may contain anything. */
  idOf(step: Step): string | undefined;
  toRestore(name: string): Part;
  /** A reason begins with the name of its restore. */
  inReason(reason: string): Part;
  transactions(ids: readonly string[]): Part;
}

export function linksOf(report: Report, { panelLink }: HtmlOptions): Links {
  const rows = stepsOf(report).map((step, index) => [step, `restore-${String(index + 1)}`] as const);
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

/** The id may not be a part of the host: a state must not decide where a link leads. */
const form = /^https?:\/\/[^\s/?#@{}\\]+[/?#][^\s{}]*\{id\}[^\s{}]*$/i;

/** Throws a `ReportError` if the template is invalid. */
export function transactionUrl(template: string): (id: string) => string {
  if (!form.test(template) || !URL.canParse(template.replace("{id}", "1")))
    throw new ReportError(
      `"${template}" is not the address of a transaction's page: give one with http or https, without a user name, and with {id} once in place of the id, ` +
        "like https://panel.example.com/transactions/{id}",
    );
  return (id) => template.replace("{id}", () => encodeURIComponent(id));
}
