import { isNewestFirst } from "../../provider/feed/newest-first";
import { pauseMs } from "../../provider/feed/pace";
import { compareIds } from "../../provider/panel/types";
import { parseStamp } from "../../provider/plain/clock";
import { chainsOf, rowOf, type Chain, chainStatus } from "../../provider/rows/chains";
import { hasEnded, mayBeRestore } from "../../provider/rows/words";
import { restoreTimes } from "../../provider/restore/build-record";
import { count } from "../parts/words";
import { type CheckFinding, formatSpan } from "./result";
import { maxRequests, type PastEnd, type Survey } from "./survey";

export function listFindings(survey: Survey): readonly CheckFinding[] {
  const { rows } = survey.list;
  if (rows.length === 0) {
    const why = "An empty list teaches nothing about this panel. Restores work on it all the same.";
    const then = "Do something harmless on the panel (start a machine), then check again.";
    return [{ code: "list.rows", verdict: "question", says: "The list of transactions is empty.", why, then }];
  }
  return [
    rowsReadFinding(survey),
    pageSizeFinding(survey),
    pageAndSizeFinding(survey),
    pastEndFinding(survey),
    orderFinding(survey),
    detailedFinding(survey),
    costFinding(survey),
  ];
}

function rowsReadFinding({ list, settings }: Survey): CheckFinding {
  const code = "list.rows";
  const says = `${count(list.rows.length, "row")} read in ${count(list.requests, "request")}`;
  switch (list.stoppedBy) {
    case "end":
      return { code, verdict: "fine", says: `${says}: all there are.` };
    case "enough":
      return { code, verdict: "fine", says: `${says}; there are more.` };
    case "requests":
      return {
        code,
        verdict: "fine",
        says: `${says}; there are more. A check makes at most ${String(maxRequests)} requests, and this panel gives few rows per request.`,
      };
    case "error": {
      const message = list.error?.message.replace(/\s+/g, " ") ?? "it cannot be read";
      const verdict = list.rows.length < settings.pageSize ? "fault" : "question";
      const why = "Once other people's work pushes a restore further down than that, it cannot be followed any more.";
      return { code, verdict, says: `${says}, then: ${message}`, why };
    }
  }
}

/** The panel gave fewer rows than were asked for, though there are more. */
function isCapped({ list, settings }: Survey): boolean {
  return list.firstRows < settings.pageSize && list.rows.length > list.firstRows;
}

function pageSizeFinding(survey: Survey): CheckFinding {
  const { list, settings } = survey;
  const code = "list.page-size";
  const asked = String(settings.pageSize);
  if (isCapped(survey)) {
    const says = `Asked for ${asked} rows, it gives ${String(list.firstRows)}: the panel caps its pages, which does no harm.`;
    return { code, verdict: "fine", says };
  }
  if (list.firstRows > settings.pageSize) {
    return {
      code,
      verdict: "fine",
      says: `Asked for ${asked} rows, it gives ${String(list.firstRows)}: the panel ignores the page size, which does no harm.`,
    };
  }
  return list.firstRows === settings.pageSize
    ? { code, verdict: "fine", says: `A page of ${asked} rows is honoured (recovery:pageSize).` }
    : {
        code,
        verdict: "fine",
        says: `The list is shorter than a page of ${asked} rows, so it does not show yet whether the panel caps its pages.`,
      };
}

function pageAndSizeFinding({ list }: Survey): CheckFinding {
  const code = "list.page-and-size";
  const { form } = list.paging;
  if (form === "numbered and sized")
    return { code, verdict: "fine", says: "Page number and page size together are honoured." };
  const says =
    form !== undefined
      ? "Page number and page size together are not honoured: further down, the list is read in larger pages, then in the panel's own pages of ten."
      : "There are too few rows to see whether page number and page size together are honoured.";
  return { code, verdict: "fine", says };
}

function pastEndFinding({ pastEnd: far = "unknown" }: Survey): CheckFinding {
  const said: Readonly<Record<PastEnd, string>> = {
    empty: "A page past the end is empty.",
    repeats: "A page past the end is the last page again, which is recognised.",
    "begins again": "A page past the end is the first page again, which is recognised.",
    refused: "A page past the end is refused, which counts as the end.",
    longer: "The list has more than a million rows: the check did not look past its end.",
    unknown: "The check could not see what lies past the end of the list.",
  };
  return { code: "list.past-the-end", verdict: "fine", says: said[far] };
}

function orderFinding({ list }: Survey): CheckFinding {
  const code = "list.order";
  // First as an intent checks its page, then over all rows: a list sorted by change may show it only further down.
  if (!isNewestFirst(list.rows.slice(0, list.firstRows)) || !isNewestFirst(list.rows)) {
    return {
      code,
      verdict: "fault",
      says: "The list is not sorted newest first: perhaps by the last change.",
      why: "Such a list does not show what was made after a given moment, so no restore is sent.",
      then: "If the panel lets you choose, sort transactions by when they were made. A panel that cannot do that cannot be used.",
    };
  }
  const steps = list.rows.slice(1).map((row, index) => compareIds(row.id, list.rows[index]?.id ?? row.id));
  if (compareIds(list.rows[0]?.id ?? ("" as never), "0" as never) === undefined || steps.includes(undefined)) {
    return {
      code,
      verdict: "question",
      says: "Transaction ids are not decimal numbers.",
      why: "New rows are told from old ones by their place in the list and their time stamps. A restore far down is reached page by page: after a long pause on a busy panel it may be out of reach.",
      then: "Run `pulumi up` again soon after a run that broke off.",
    };
  }
  if (steps.some((step) => (step ?? 0) > 0)) {
    return {
      code,
      verdict: "question",
      says: "Ids are decimal but do not quite fall from row to row, as on a list sorted by the last change.",
      why: "Rows a moment out of order do no harm. A panel that sorts by the last change cannot be used.",
      then: "Check again when more has happened on the panel. If it lets you choose, sort transactions by when they were made.",
    };
  }
  return { code, verdict: "fine", says: "Ids are decimal and fall from row to row: newest first." };
}

function detailedFinding({ detailed: asked }: Survey): CheckFinding {
  const code = "list.detailed";
  if (asked === undefined || "error" in asked) {
    return {
      code,
      verdict: "question",
      says: `Logs cannot be read: ${asked?.error.message.replace(/\s+/g, " ") ?? "it was not tried"}`,
      why: "The log of a failed restore would not be shown.",
      then: 'Set captureLog: "never" on restores, and no log is asked for.',
    };
  }
  if (asked.rows === 0) {
    return { code, verdict: "fine", says: "`?detailed` is accepted; the newest rows have no log yet." };
  }
  if (asked.withLog > 0) {
    return {
      code,
      verdict: "fine",
      says: "With `?detailed`, rows come with their log: the last lines of a failed restore are shown.",
    };
  }
  return {
    code,
    verdict: "question",
    says: "With `?detailed`, the newest rows come without a log.",
    why: "Perhaps they have none yet, or this user may not read it. Then the log of a failed restore is not shown.",
    then: "Look at a finished transaction's log on the panel, as this user.",
  };
}

/** Assumed when the list shows no restore that has ended. */
const usualSeconds = 600;
/** More requests than this make a look slow, and a burden for the panel. */
const maxRequestsPerLook = 5;

function costFinding(survey: Survey): CheckFinding {
  const { list, settings, exchanges } = survey;
  const seen = restoreSeconds(survey);
  const runs = seen ?? usualSeconds;
  const arriving = rowsPerSecond(survey) * runs;
  const perLook = requestsDownTo(Math.ceil(arriving) + 10, survey);
  const slowest = Math.max(0, ...exchanges.map(({ tookMs }) => tookMs));
  const looks = countLooks(runs * 1_000, slowest * perLook);
  const says =
    `Waiting for a restore of ${formatSpan(runs)}${seen === undefined ? "" : " (the median of those seen)"} takes some ${count(looks, "look")} ` +
    `of ${perLook === 1 ? "one request" : `up to ${String(perLook)} requests`} each; restores that wait together share them.`;
  if (perLook <= maxRequestsPerLook) return { code: "list.cost", verdict: "fine", says };
  const larger = settings.pageSize < 1_000 && !isCapped(survey) && list.firstRows >= settings.pageSize;
  return {
    code: "list.cost",
    verdict: "question",
    says,
    why: `Some ${String(Math.round(arriving))} rows are added meanwhile, and this panel gives few rows per request.`,
    ...(larger
      ? { set: ["pulumi config set recovery:pageSize 1000"] }
      : { then: "Only the panel can allow larger pages: ask whoever runs it." }),
  };
}

/** The median duration of the restores that have ended. */
function restoreSeconds({ list, settings }: Survey): number | undefined {
  const isOne = (chain: Chain): boolean =>
    chain.some((row) => row.action !== undefined && mayBeRestore(row, settings)) &&
    hasEnded(chainStatus(chain, settings));
  const took = chainsOf(list.rows.map(rowOf))
    .filter(isOne)
    .flatMap((chain) => restoreTimes(chain, "ended").durationSeconds ?? [])
    .sort((a, b) => a - b);
  const middle = took[Math.floor(took.length / 2)];
  return middle === undefined ? undefined : Math.max(1, middle);
}

function rowsPerSecond({ list }: Survey): number {
  const made = list.rows.flatMap(({ createdAt }) => parseStamp(createdAt)?.at ?? []);
  const over = Math.max(...made) - Math.min(...made);
  return made.length < 2 || over <= 0 ? 0 : (made.length - 1) / (over / 1_000);
}

/** Counts by the way of paging that this panel allows. */
function requestsDownTo(rows: number, survey: Survey): number {
  const { firstRows, paging } = survey.list;
  const page = isCapped(survey) ? firstRows : survey.settings.pageSize;
  if (rows <= page) return 1;
  if (paging.form === "numbered and sized") return Math.ceil(rows / page);
  return 1 + Math.ceil((rows - page) / (isCapped(survey) ? Math.min(page, 10) : page));
}

/** Counts by the feed's own pace, from the POST to the end. */
function countLooks(ms: number, lookMs: number): number {
  let [at, looks] = [0, 0];
  while (at < ms && looks < 100_000) {
    looks++;
    at += lookMs + pauseMs({ ageMs: at, lastScanMs: lookMs, failures: 0, retryAfterMs: 0, random: () => 0.5 });
  }
  return looks;
}
