import { mask } from "../../provider/panel/secrets";
import { knownStatus } from "../../provider/panel/conventions";
import { isKnownEnd } from "../../provider/panel/facts";
import type { RowState } from "../../provider/panel/types";
import { mayBeRestore } from "../../provider/rows/jobs";
import type { Row } from "../../provider/rows/order";
import { firstFew, setWords } from "../../provider/plain/text";
import { count } from "../parts/words";
import { type CheckFinding, type SeenWord, shortened } from "./result";
import { naming, type Survey, type SurveyedList } from "./survey";

type Words = Pick<Survey, "settings"> & { readonly list: SurveyedList };

/** Every status seen, and what it means for a restore. Rows with the same status may have had different outcomes. */
export function statusesSeen(words: Words): readonly SeenWord[] {
  const meanings = new Set(words.list.rows.map(({ state }) => state));
  return [...meanings]
    .flatMap((meaning) =>
      wordsOf(words, meaning, ({ status }) => status).map(([word, rows]) => ({ word, rows, meaning })),
    )
    .sort((one, other) => other.rows - one.rows);
}

/** The words in the rows with this meaning, most frequent first. */
function wordsOf(
  { list }: Words,
  meaning: RowState,
  wordOf: (row: Row) => string | undefined,
): readonly (readonly [string, number])[] {
  return byFrequency(list.rows.filter(({ state }) => state === meaning).map(wordOf));
}

const wordOf = ({ word }: Row): string | undefined => word;

const restoreNames = /restor|recover|roll[-_ ]?back|revert|rewind|reset[-_ ]?to/i;

/** Every action seen, and whether a row with that action may be a restore. */
export function actionsSeen({ list }: Words): readonly SeenWord[] {
  const restores = new Set(list.rows.filter(mayBeRestore).map(({ action }) => action));
  return byFrequency(list.rows.map(({ action }) => action)).map(([word, rows]) => ({
    word,
    rows,
    meaning: restores.has(word)
      ? "a restore"
      : restoreNames.test(word)
        ? "not a restore but looks like one"
        : "not a restore",
  }));
}

export function wordFindings(words: Words): readonly CheckFinding[] {
  return words.list.rows.length === 0 ? [] : [...statusFindings(words), ...actionFindings(words)];
}

function statusFindings(words: Words): readonly CheckFinding[] {
  const { settings, list } = words;
  const [unknown, unclear] = [wordsOf(words, "unknown", wordOf), wordsOf(words, "unclear", wordOf)];
  const known = statusesSeen(words).filter(({ meaning }) => meaning !== "unknown" && meaning !== "unclear");
  const listed = firstFew(
    known.map(({ word, rows, meaning }) => `${shortened(word)} ${String(rows)} (${meaning})`),
    8,
  );
  const linesFor = (word: string): readonly string[] => [
    wordsLine("completeStatuses", [...settings.completeStatuses, word]),
    // No command is suggested for a word that means the same on every panel, because the settings reject it.
    ...(knownStatus(word) === undefined ? [wordsLine("failedStatuses", [...settings.failedStatuses, word])] : []),
  ];
  const open = [...unknown, ...unclear].map(([word]) => word);
  const fine =
    known.length === 0 ? [] : [{ code: "words.statuses", verdict: "fine", says: `Statuses: ${listed}.` } as const];
  if (open.length > 0 && !list.rows.some((row) => isKnownEnd(row.state)))
    return [
      ...fine,
      {
        code: "words.no-end",
        verdict: "fault",
        says: `No row has a status that is known to be final (${firstFew(open.map((word) => shortened(word)))}).`,
        why: "`up` could never tell that a restore had ended, so no restore is sent.",
        ...(open.some(isSettable)
          ? {
              then: "Set the words that mean success and those that mean failure (if a word means both, first set recovery:fields):",
              set: open.filter(isSettable).flatMap(linesFor),
            }
          : { then: "These words cannot be written in a setting; ask whoever runs the panel." }),
      },
    ];
  return [
    ...fine,
    ...unknown.map(([word, rows]): CheckFinding => ({
      code: "words.unknown-status",
      verdict: "question",
      says: `The status "${shortened(word)}" (${count(rows, "row")}) is not known.`,
      why: "A restore with this status counts as unfinished, so the run waits for it until the time limit.",
      ...(isSettable(word) && { then: "If it is final, run the command that applies:", set: linesFor(word) }),
    })),
    ...unclear.map(([word, rows]): CheckFinding => ({
      code: "words.unclear-status",
      verdict: "question",
      says: `The status "${shortened(word)}" (${count(rows, "row")}) means that the job has ended, but the row does not show whether it succeeded.`,
      why: "If a restore ends with this status, `up` asks you how it ended, and never sends it again automatically.",
      ...(isSettable(word) && {
        then: "If it always means the same thing, run the command that applies:",
        set: linesFor(word),
      }),
    })),
  ];
}

function actionFindings(words: Words): readonly CheckFinding[] {
  const { settings, list } = words;
  const seen = actionsSeen(words);
  const listed = (meaning: string): readonly string[] =>
    seen.filter((one) => one.meaning === meaning).map(({ word, rows }) => `${shortened(word)} ${String(rows)}`);
  const suspects = seen.filter(({ meaning }) => meaning === "not a restore but looks like one").map(({ word }) => word);
  const settable = suspects.filter(isSettable);
  const restores = listed("a restore");
  const findings: CheckFinding[] = [];
  const without = list.rows.filter(({ action }) => action === undefined).length;
  const others = firstFew(listed("not a restore"), 8);
  const parts = [
    restores.length === 0 ? "none of the rows is a restore" : `restores: ${firstFew(restores, 8)}`,
    ...(others === "" ? [] : [`other work: ${others}`]),
    ...(without === 0 ? [] : [`${count(without, "row")} without an action (each may be a restore)`]),
  ];
  findings.push({ code: "words.actions", verdict: "fine", says: `Actions: ${parts.join("; ")}.` });
  const named = naming(list, "word for what a job does", "action", settings);
  if (without > 0 && without === list.rows.length && named.set !== undefined)
    findings.push({
      code: "words.no-actions",
      verdict: "question",
      says: "No row shows what its job does.",
      why: "Any new job of the machine, such as a backup, may be taken for a restore, or `up` asks you which job is the restore.",
      ...named,
    });
  if (suspects.length > 0)
    findings.push({
      code: "words.suspects",
      verdict: "question",
      says: `Some actions look like restores, but do not count as restores: ${firstFew(listed("not a restore but looks like one"))}.`,
      why: "A restore with such an action is recognized only when nothing else appears within timeouts.listed.",
      ...(settable.length > 0 && {
        then: "If these words mean restores, run this command (leave out those that do not):",
        set: [wordsLine("restoreActions", [...settings.restoreActions, ...settable])],
      }),
    });
  return findings;
}

/** Whether the word can be copied unchanged from a terminal into a setting. */
export function isSettable(word: string): boolean {
  return !word.includes(mask) && /^[\p{L}\p{N}\p{P}\p{S} ]{1,100}$/u.test(word) && word === word.trim();
}

export const wordsLine = (name: string, words: readonly string[]): string =>
  setWords(name, [...new Set(words.map((word) => word.toLowerCase()))]);

/** Words as the panel spells them, most frequent first. */
export function byFrequency(words: readonly (string | undefined)[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const word of words.toSorted()) if (word?.trim()) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one);
}
