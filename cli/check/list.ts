import { PanelError } from "../../provider/panel/errors";
import { orderOf } from "../../provider/rows/order";
import { count } from "../parts/words";
import type { CheckFinding } from "./result";
import { pagingOf, type SurveyedList } from "./survey";

/** What the panel shows about its list: how many rows at once, whether it can be paged, and in which order. */
export function listFindings(list: SurveyedList): readonly CheckFinding[] {
  if (list.rows.length === 0) {
    const says = "The list of transactions is empty.";
    const why = "An empty list shows nothing about this panel. Restores are still sent.";
    const then = "Do something harmless on the panel (start a machine), then check again.";
    return [{ code: "list.rows", verdict: "question", says, why, then }];
  }
  return [rowsFinding(list), pagingFinding(list), orderFinding(list), detailedFinding(list)];
}

function rowsFinding({ rows, top, thousand, refusedSizes }: SurveyedList): CheckFinding {
  const refused = refusedSizes.length === 0 ? "" : `; it refuses ${refusedSizes.map(String).join(" and ")}`;
  const more =
    thousand === undefined || thousand instanceof PanelError
      ? ""
      : `, and ${String(thousand.items.length)} when asked for 1000`;
  const says = `${count(rows.length, "row")} read. Asked for ${String(top.size)} rows, the panel returns ${String(top.items.length)}${more}${refused}.`;
  return { code: "list.rows", verdict: "fine", says };
}

function pagingFinding(list: SurveyedList): CheckFinding {
  const code = "list.paging";
  const shown = String(list.top.items.length);
  switch (pagingOf(list)) {
    case "one page":
      return { code, verdict: "fine", says: "The list is one page so far." };
    case "pages":
      return { code, verdict: "fine", says: "The list can be paged." };
    case "none": {
      const why = `It shows ${shown} rows and no more, so at most ${String(atMostAtOnce(list) ?? 1)} restores are under way at once. A restore that other rows push off this page is a question.`;
      return { code, verdict: "question", says: "The list cannot be paged: page 2 shows the top again.", why };
    }
    case "refused":
      return {
        code,
        verdict: "question",
        says: "Page 2 of the list cannot be read.",
        why: `Rows below the newest ${shown} cannot be read: a restore there becomes a question.`,
      };
  }
}

/** If a list cannot be paged, restores push each other's rows out of sight. */
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
      ? "Ids are numbers, and their order is the order of the list."
      : "Ids are numbers, but too few to show whether their order is the order of the list.";
    return { code, verdict: "fine", says };
  }
  const says = rows.every(({ id }) => /^\d+$/.test(id))
    ? "Ids are numbers, but not in the order of the list: pages are the order."
    : "Ids are not all numbers: pages are the order.";
  const why = "A restore is followed from page to page. Further than 500 pages down it is a question.";
  return { code, verdict: "fine", says, why };
}

function detailedFinding({ detailed }: SurveyedList): CheckFinding {
  const code = "list.detailed";
  if (detailed === undefined || detailed instanceof PanelError)
    return {
      code,
      verdict: "fine",
      says: "With `?detailed` the list cannot be read: the log of a failed restore is not shown.",
      then: 'captureLog: "never" on restores requests no log.',
    };
  const hasLogs = detailed.items.some(({ logOutput = "" }) => logOutput !== "");
  const says = hasLogs
    ? "With `?detailed`, rows include their logs, so the last log lines of a failed restore are shown."
    : "With `?detailed`, the newest rows have no log.";
  return { code, verdict: "fine", says };
}
