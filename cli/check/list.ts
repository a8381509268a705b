import { isNewestFirst } from "../../provider/feed/newest-first";
import { pauseMs } from "../../provider/feed/pace";
import { compareIds } from "../../provider/panel/types";
import { parseStamp } from "../../provider/plain/clock";
import { chainsOf, rowOf, type Chain, chainStatus, hasEnded, mayBeRestore } from "../../provider/rows/chains";
import { restoreTimes } from "../../provider/restore/build-record";
import { count } from "../parts/words";
import { type CheckFinding, formatSpan } from "./result";
import { maxRequests, type PastEnd, type Survey } from "./survey";

export function listFindings(survey: Survey): readonly CheckFinding[] {
  const { rows } = survey.list;
  if (rows.length === 0) {
    const why = "Of a list without rows nothing can be learned. Restores work on it.";
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
        says: `${says}; there are more. A check makes no more than ${String(maxRequests)} requests, and this panel gives few rows for each.`,
      };
    case "error": {
      const message = list.error?.message.replace(/\s+/g, " ") ?? "it cannot be read";
      const verdict = list.rows.length < settings.pageSize ? "fault" : "question";
      const why = "A restore that other people's work pushes further down than that could not be followed any more.";
      return { code, verdict, says: `${says}, then: ${message}`, why };
    }
  }
}

/** Whether the panel gave fewer rows than a page was asked to have, though there are more. */
function isCapped({ list, settings }: Survey): boolean {
  return list.firstRows < settings.pageSize && list.rows.length > list.firstRows;
}

function pageSizeFinding(survey: Survey): CheckFinding {
  const { list, settings } = survey;
  const code = "list.page-size";
  const asked = String(settings.pageSize);
  if (isCapped(survey)) {
    const says = `Asked for ${asked} rows, it gives ${String(list.firstRows)}: pages are capped, which the walk has noticed.`;
    return { code, verdict: "fine", says };
  }
  if (list.firstRows > settings.pageSize) {
    return {
      code,
      verdict: "fine",
      says: `Asked for ${asked} rows, it gives ${String(list.firstRows)}: sizes are not honoured, which does no harm.`,
    };
  }
  return list.firstRows === settings.pageSize
    ? { code, verdict: "fine", says: `A page of ${asked} rows is honoured (recovery:pageSize).` }
    : {
        code,
        verdict: "fine",
        says: `The list is shorter than a page of ${asked} rows: whether pages are capped does not show yet.`,
      };
}

function pageAndSizeFinding({ list }: Survey): CheckFinding {
  const code = "list.page-and-size";
  const { form } = list.paging;
  if (form === "numbered and sized")
    return { code, verdict: "fine", says: "Page number and page size together are honoured." };
  const says =
    form !== undefined
      ? "Page number and page size together are not honoured: further down it is read by larger pages, then by the panel's own ten."
      : "Whether page number and page size together are honoured did not show: too few rows.";
  return { code, verdict: "fine", says };
}

function pastEndFinding({ pastEnd: far = "unknown" }: Survey): CheckFinding {
  const said: Readonly<Record<PastEnd, string>> = {
    empty: "A page past the end is empty.",
    repeats: "A page past the end is the last page again, which the walk notices.",
    "begins again": "A page past the end is the first page again, which the walk notices.",
    refused: "A page past the end is refused, which the walk takes for the end.",
    longer: "The list has more than a million rows: what lies past its end was not looked for.",
    unknown: "What lies past the end of the list did not show.",
  };
  return { code: "list.past-the-end", verdict: "fine", says: said[far] };
}

function orderFinding({ list }: Survey): CheckFinding {
  const code = "list.order";
  // As an intent judges its page; further down a list sorted by change shows it as well.
  if (!isNewestFirst(list.rows.slice(0, list.firstRows)) || !isNewestFirst(list.rows)) {
    return {
      code,
      verdict: "fault",
      says: "The list is not sorted newest first: perhaps by the last change.",
      why: "It does not tell what was made after a moment, so no restore is sent.",
      then: "If the panel lets you choose, sort transactions by when they were made. A panel that cannot do that cannot be used.",
    };
  }
  const steps = list.rows.slice(1).map((row, index) => compareIds(row.id, list.rows[index]?.id ?? row.id));
  if (compareIds(list.rows[0]?.id ?? ("" as never), "0" as never) === undefined || steps.includes(undefined)) {
    return {
      code,
      verdict: "question",
      says: "Ids of transactions are not decimal numbers.",
      why: "What came after a restore is told by its place in the list and by stamps. A restore far down is walked to, not searched for: after a long pause on a busy panel it may be out of reach.",
      then: "Run `pulumi up` again soon after a run that broke off.",
    };
  }
  if (steps.some((step) => (step ?? 0) > 0)) {
    return {
      code,
      verdict: "question",
      says: "Ids are decimal and do not quite fall from row to row, as on a list that is sorted by the last change.",
      why: "Restores bear rows that are a moment out of order. A panel that sorts by the last change cannot be used.",
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
      says: `Logs cannot be asked for: ${asked?.error.message.replace(/\s+/g, " ") ?? "it was not tried"}`,
      why: "After a restore that failed its log would not be shown.",
      then: 'With captureLog: "never" it is not asked for.',
    };
  }
  if (asked.rows === 0) {
    return { code, verdict: "fine", says: "`?detailed` is accepted; the newest rows have no log yet." };
  }
  if (asked.withLog > 0) {
    return {
      code,
      verdict: "fine",
      says: "With `?detailed`, rows come with their log: a failed restore's last lines are shown.",
    };
  }
  return {
    code,
    verdict: "question",
    says: "With `?detailed`, the newest rows come without a log.",
    why: "Perhaps they have none yet, or this user may not read it. After a restore that failed, its log would not be shown.",
    then: "Look at a finished transaction's log on the panel, as this user.",
  };
}

/** What is assumed where the list shows no restore that ended. */
const usualSeconds = 600;
/** Looks that take more requests than this are slow, and a burden for the panel. */
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
    `Waiting for a restore of ${formatSpan(runs)}${seen === undefined ? "" : " (the middle of those seen)"} takes some ${count(looks, "look")} ` +
    `of ${perLook === 1 ? "one request" : `up to ${String(perLook)} requests`} each; restores that wait together share them.`;
  if (perLook <= maxRequestsPerLook) return { code: "list.cost", verdict: "fine", says };
  const larger = settings.pageSize < 1_000 && !isCapped(survey) && list.firstRows >= settings.pageSize;
  return {
    code: "list.cost",
    verdict: "question",
    says,
    why: `Some ${String(Math.round(arriving))} rows come in meanwhile, and this panel gives few of them for a request.`,
    ...(larger
      ? { set: ["pulumi config set recovery:pageSize 1000"] }
      : { then: "Larger pages are the panel's to allow: ask whoever runs it." }),
  };
}

/** The middle duration of the restores that ended well. */
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

/** By the way the walk was seen to take on this panel. */
function requestsDownTo(rows: number, survey: Survey): number {
  const { firstRows, paging } = survey.list;
  const page = isCapped(survey) ? firstRows : survey.settings.pageSize;
  if (rows <= page) return 1;
  if (paging.form === "numbered and sized") return Math.ceil(rows / page);
  return 1 + Math.ceil((rows - page) / (isCapped(survey) ? Math.min(page, 10) : page));
}

/** The pace that the feed would take, from the POST to the end. */
function countLooks(ms: number, lookMs: number): number {
  let [at, looks] = [0, 0];
  while (at < ms && looks < 100_000) {
    looks++;
    at += lookMs + pauseMs({ ageMs: at, lastScanMs: lookMs, failures: 0, retryAfterMs: 0, random: () => 0.5 });
  }
  return looks;
}
