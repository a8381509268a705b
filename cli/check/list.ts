import { PanelError } from "../../provider/panel/errors";
import { orderOf } from "../../provider/rows/order";
import { count } from "../parts/words";
import type { CheckFinding } from "./result";
import { pagingOf, type SurveyedList } from "./survey";

/** What is known about the panel's list: how many rows it shows at once, whether it can be paged, and how it is sorted. */
export function listFindings(list: SurveyedList): readonly CheckFinding[] {
  if (list.rows.length === 0) {
    const says = "The list of transactions is empty.";
    const why = "An empty list says nothing about how this panel behaves. Restores are still sent.";
    const then = "Do something harmless on the panel, such as starting a machine, then check again.";
    return [{ code: "list.rows", verdict: "question", says, why, then }];
  }
  return [rowsFinding(list), pagingFinding(list), orderFinding(list), detailedFinding(list)];
}

function rowsFinding({ rows, top, thousand, refusedSizes }: SurveyedList): CheckFinding {
  const refused = refusedSizes.length === 0 ? "" : `; it rejects page size ${refusedSizes.map(String).join(" or ")}`;
  const more =
    thousand === undefined || thousand instanceof PanelError
      ? ""
      : `, and ${String(thousand.items.length)} when asked for 1000`;
  const says = `${count(rows.length, "row")} read. When asked for ${String(top.size)} rows, the panel returns ${String(top.items.length)}${more}${refused}.`;
  return { code: "list.rows", verdict: "fine", says };
}

function pagingFinding(list: SurveyedList): CheckFinding {
  const code = "list.paging";
  const shown = String(list.top.items.length);
  switch (pagingOf(list)) {
    case "one page":
      return { code, verdict: "fine", says: "So far, the list fits on a single page." };
    case "pages":
      return { code, verdict: "fine", says: "The list can be paged." };
    case "none": {
      const why = `It never shows more than ${shown} rows, so only half as many restores run at once. If newer rows push a restore off the page, \`up\` asks you what became of it.`;
      return { code, verdict: "question", says: "The list cannot be paged: page 2 repeats page 1.", why };
    }
    case "refused":
      return {
        code,
        verdict: "question",
        says: "Page 2 of the list cannot be read.",
        why: `Rows below the newest ${shown} cannot be read. If a restore is there, \`up\` asks you what became of it.`,
      };
  }
}

/** How many restores may run at once. Unlimited unless the list cannot be paged, because new rows then push older rows out of sight. */
export function atMostAtOnce(list: SurveyedList): number | undefined {
  return pagingOf(list) === "none" ? Math.max(1, Math.floor(list.top.items.length / 2)) : undefined;
}

function orderFinding({ top, pages, rows }: SurveyedList): CheckFinding {
  const code = "list.order";
  const orders = [top, ...pages].map((page) =>
    page instanceof PanelError ? undefined : orderOf(page.items.map(({ facts }) => facts)),
  );
  if (!orders.includes("pages")) {
    const says = orders.includes("numbers")
      ? "Ids are numbers, in the same order as the list."
      : "Ids are numbers, but there are too few rows to show whether the list is sorted by id.";
    return { code, verdict: "fine", says };
  }
  const says = rows.every(({ id }) => /^\d+$/.test(id))
    ? "Ids are numbers, but the list is not sorted by id, so rows are compared by position instead."
    : "Not all ids are numbers, so rows are compared by position instead.";
  const why = "A restore is searched for page by page. If it is over 500 pages down, `up` asks you what became of it.";
  return { code, verdict: "fine", says, why };
}

function detailedFinding({ detailed }: SurveyedList): CheckFinding {
  const code = "list.detailed";
  if (detailed instanceof PanelError)
    return {
      code,
      verdict: "fine",
      says: "With `?detailed`, the list cannot be read, so the log of a failed restore is not shown.",
      then: 'Set captureLog: "never" to stop requesting logs.',
    };
  const hasLogs = detailed.items.some(({ logOutput = "" }) => logOutput !== "");
  const says = hasLogs
    ? "With `?detailed`, rows include their logs, so the last log lines of a failed restore are shown."
    : "With `?detailed`, the newest rows have no log.";
  return { code, verdict: "fine", says };
}
