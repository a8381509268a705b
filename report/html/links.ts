import type { NotCarriedOut, Report, Step } from "../model/model";
import { stepsOf } from "../model/summary";
import { ReportError } from "../state/read-state";
import { link, markup, dash, type Part } from "./parts";

/** Options of the HTML page. */
export interface HtmlOptions {
  /**
   * The address of a transaction's page on the panel, with `{id}` in place of the id: `https://panel.example.com/transactions/{id}`.
   * Each transaction then links there. Only http and https are allowed, without user name and password.
   */
  readonly panelLink?: string;
}

/** The page's links to its own rows and to the panel. */
export interface Links {
  /** Numbers a row, because its name may hold anything. */
  idOf(row: Step | NotCarriedOut): string | undefined;
  toRow(name: string): Part;
  transactions(ids: readonly string[]): Part;
}

export function linksOf(report: Report, { panelLink }: HtmlOptions): Links {
  const rows = [
    ...stepsOf(report).map((step, index) => [step, step.name, `restore-${String(index + 1)}`] as const),
    ...report.notCarriedOut.map((one, index) => [one, one.restore, `missing-${String(index + 1)}`] as const),
  ];
  const ids = new Map<Step | NotCarriedOut, string>(rows.map(([row, , id]) => [row, id]));
  const byName = new Map(rows.toReversed().map(([, name, id]) => [name, id]));
  const urlOf = panelLink === undefined ? () => undefined : transactionUrl(panelLink);
  return {
    idOf: (row) => ids.get(row),
    toRow(name) {
      const id = byName.get(name);
      return id === undefined ? name : markup`<a href="#${id}">${name}</a>`;
    },
    transactions: (ids) => (ids.length === 0 ? dash : separated(ids.map((id) => link(urlOf(id), id)))),
  };
}

function separated(parts: readonly Part[]): readonly Part[] {
  return parts.flatMap((part, index): Part[] => (index === 0 ? [part] : [", ", part]));
}

/** The id may not be a part of the host: a state must not decide where a link leads. */
const form = /^https?:\/\/[^\s/?#@{}\\]+[/?#][^\s{}]*\{id\}[^\s{}]*$/i;

/** Throws a `ReportError` if the template is invalid. */
export function transactionUrl(template: string): (id: string) => string {
  if (!form.test(template) || !URL.canParse(template.replace("{id}", "1"))) {
    throw new ReportError(
      `"${template}" is not the address of a transaction's page: give one with http or https, without a user name, and with {id} once in place of the id, ` +
        "like https://panel.example.com/transactions/{id}",
    );
  }
  return (id) => template.replace("{id}", () => encodeURIComponent(id));
}
