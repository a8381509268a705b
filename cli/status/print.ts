import { formatDuration } from "../../provider/inputs/duration";
import type { RestoreState } from "../../drills/judge/history";
import { type Clock, pause } from "../../provider/plain/clock";
import { firstFew } from "../../provider/plain/text";
import { timeText } from "../../report/model/format";
import { CommandError, type ExitCode, exitCodes, type Io } from "../parts/command";
import { count, displayNames, tableLines, type Terminal, wrapped } from "../parts/words";
import { stateNow } from "./look";
import type { RestoreNow, StatusResult } from "./result";

type Sign = "ok" | ">>" | "!!" | "??" | "  ";

/** In the order in which the summary lists them. */
const signs: Readonly<Record<RestoreState, Sign>> = {
  complete: "ok",
  running: ">>",
  pending: ">>",
  sent: "??",
  "perhaps sent": "??",
  "not sent": "  ",
  "not checked": "??",
  failed: "!!",
  cancelled: "!!",
  overwritten: "!!",
};

const colours = { ok: "green", ">>": "cyan", "!!": "red", "??": "yellow", "  ": undefined } as const;

/** A line for each restore, in the order of the plan, then a summary. */
export function printStatus(result: StatusResult, terminal: Terminal): readonly string[] {
  const { restores } = result;
  const nameOf = displayNames(restores);
  const rows = restores.map((one) => {
    const sign = one.probably.length === 0 ? signs[one.state] : "??";
    return { sign, colour: colours[sign], cells: [nameOf(one), ...cellsOf(one)] };
  });
  const heads = ["RESTORE", "MACHINE", "PHASE", "FOR", "TRANSACTION", "THE NEXT UP"];
  const lines = tableLines(heads, rows, terminal, [
    [0, 10],
    [4, 14],
    [1, 8],
    [2, 9],
  ]);
  return [
    ...lines,
    ...(lines.length === 0 ? [] : [""]),
    ...summary(result).flatMap((text) => wrapped(text, terminal.columns ?? 80, "")),
    ...(result.panelProblem?.split("\n") ?? []),
  ];
}

function cellsOf(one: RestoreNow): readonly string[] {
  const { machine, seconds, next } = one;
  return [
    machine,
    `${stateNow(one)}${one.probably.length === 1 ? "?" : ""}`,
    seconds === undefined ? "–" : formatDuration(seconds),
    transactionsOf(one),
    next,
  ];
}

function transactionsOf({ transactions, probably, perhaps }: RestoreNow): string {
  const likely = probably.flatMap((job) => job.transactions);
  const [word, ids] = likely[0] ? ["probably ", likely] : transactions[0] ? ["", transactions] : ["perhaps ", perhaps];
  return ids.length === 0 ? "–" : `${word}${firstFew(ids, 3)}`;
}

function summary(result: StatusResult): readonly string[] {
  const { lookedAt, restores, runs, isUnderWay, panelProblem, requests, unreadable } = result;
  return [
    ...unreadable,
    restores.length === 0 ? "There are no restores." : `${count(restores.length, "restore")}: ${countsText(restores)}.`,
    ...runs.map(({ plan, run, verdict }) => `Run ${run} of ${plan}: ${verdict}${verdict === "passed" ? "" : why}.`),
    ...(isUnderWay ? ["An `up` is under way or was interrupted: the state does not show which."] : []),
    `As of ${timeText(lookedAt)}: ${
      panelProblem === undefined
        ? `${count(requests, "GET")}, nothing posted.`
        : "all of this is from the stored state, because the panel was not read."
    }`,
  ];
}

const why = " (`npx pulumi-recovery report` says why)";

/** A restore whose row says "probably" is counted only as probable. */
function countsText(restores: readonly RestoreNow[]): string {
  const probable = restores.filter(({ probably }) => probably.length > 0);
  const certain = restores.filter(({ probably }) => probably.length === 0);
  return [
    ...Object.keys(signs).map((word) => [certain.filter(({ state }) => state === word).length, word] as const),
    [probable.length, "probably sent"] as const,
  ]
    .flatMap(([number, word]) => (number === 0 ? [] : [`${String(number)} ${word}`]))
    .join(", ");
}

const everyMs = 10_000;

export function exitCodeOf({ panelProblem }: StatusResult): ExitCode {
  return panelProblem === undefined ? exitCodes.done : exitCodes.incomplete;
}

/** Repeats the reading until nobody reads the output any more. A terminal shows only the latest result; elsewhere, results are printed one after another. */
export async function watch(
  lookOnce: () => Promise<StatusResult>,
  output: "text" | "json",
  io: Io,
  clock: Clock,
): Promise<ExitCode> {
  for (let isFirst = true; io.isOpen?.() !== false; isFirst = false) {
    if (!isFirst) await pause(clock, everyMs);
    try {
      const result = await lookOnce();
      const text = output === "json" ? JSON.stringify(result) : [...printStatus(result, io), ""].join("\n");
      if (output === "text" && io.redraw !== undefined) io.redraw(text);
      else io.say(text);
    } catch (error) {
      // Keeps watching after a failed read, unless it was the first read, which may have failed because an option is wrong.
      if (isFirst || !(error instanceof CommandError)) throw error;
      io.warn(`the status could not be read: ${error.message}`);
    }
  }
  return exitCodes.done;
}
