import type { Redact } from "../../provider/panel/secrets";
import { namedPoints } from "../../provider/rows/whose-row";
import { mayBeRestore, normalizeStatus, type TransactionStatus } from "../../provider/rows/words";
import { shellQuoted } from "../parts/command";
import { count, some } from "../parts/words";
import { type CheckFinding, type SeenWord, shortened } from "./result";
import type { Survey } from "./survey";

type SurveyedList = Pick<Survey, "settings" | "list" | "redact">;

const meaningOf: Readonly<Record<TransactionStatus, string>> = {
  pending: "queued",
  running: "running",
  complete: "ended well",
  failed: "ended badly",
  cancelled: "cancelled",
  unrecognized: "not known",
};

/** Every status seen, and what it means to a waiting restore. */
export function statusesSeen({ list, settings }: SurveyedList): readonly SeenWord[] {
  return byFrequency(list.rows.map(({ status }) => status)).map(([word, rows]) => ({
    word,
    rows,
    takenAs: meaningOf[normalizeStatus(word, settings)],
  }));
}

/** Every action seen, and whether a row with it can be a restore. */
export function actionsSeen(survey: SurveyedList): readonly SeenWord[] {
  const suspects = new Set(
    survey.list.rows.filter((row) => looksLikeRestore(row)).map(({ action }) => action?.trim().toLowerCase()),
  );
  return byFrequency(survey.list.rows.map(({ action }) => action)).map(([word, rows]) => ({
    word,
    rows,
    takenAs: mayBeRestore({ action: word }, survey.settings)
      ? "a restore"
      : suspects.has(word.toLowerCase())
        ? "no restore, but looks like one"
        : "no restore",
  }));
}

const restoreNames = /restor|recover|roll[-_ ]?back|revert|rewind|reset[-_ ]?to/i;
/** Work on recovery points other than restoring them. */
const otherPointWork = /take|create|make|build|backup|convert|destroy|delete|remove|copy|export|verify|schedule/i;

/** Guesses by the action's name, or because it does unknown work on a recovery point. A guess is only shown. */
function looksLikeRestore(row: Survey["list"]["rows"][number]): boolean {
  const action = row.action ?? "";
  return restoreNames.test(action) || (action !== "" && namedPoints(row).length > 0 && !otherPointWork.test(action));
}

export function wordFindings(survey: SurveyedList): readonly CheckFinding[] {
  if (survey.list.rows.length === 0) return [];
  return [...statusFindings(survey), ...actionFindings(survey)];
}

function statusFindings(survey: SurveyedList): readonly CheckFinding[] {
  const { settings, list, redact } = survey;
  const seen = statusesSeen(survey);
  const unknown = seen.filter((one) => one.takenAs === meaningOf["unrecognized"]);
  const known = seen.filter((one) => !unknown.includes(one));
  const without = list.rows.filter(({ status }) => (status ?? "").trim() === "").length;
  const listed = some(
    known.map(
      ({ word, rows, takenAs: as }) =>
        `${shortened(word, redact)} ${String(rows)}${needsNoExplanation(word, as) ? "" : ` (${as})`}`,
    ),
  );
  return [
    ...(known.length > 0 ? [{ code: "words.statuses", verdict: "fine", says: `Statuses: ${listed}.` } as const] : []),
    ...(without > 0
      ? [
          {
            code: "words.no-status",
            verdict: "fault",
            says: `${count(without, "row has", "rows have")} no status.`,
            why: "Such a row does not say how a restore ended.",
          } as const,
        ]
      : []),
    ...unknown.slice(0, maxUnknownShown).map(({ word, rows }): CheckFinding => {
      const settable = isSettable(word, redact);
      return {
        code: "words.unknown-status",
        verdict: "question",
        says: `The status "${shortened(word, redact)}" (${count(rows, "row")}) is not known.`,
        why: "A restore with this status counts as unfinished: it would neither succeed nor fail, and be waited for up to its limit.",
        then: settable
          ? "If it means that the work has ended, set the one that is true:"
          : "No setting can hold this word: ask whoever runs the panel.",
        ...(settable && {
          set: [
            configSetCommand("completeStatuses", [...settings.completeStatuses, word]),
            configSetCommand("failedStatuses", [...settings.failedStatuses, word]),
          ],
        }),
      };
    }),
    ...(unknown.length > maxUnknownShown
      ? [
          {
            code: "words.unknown-status",
            verdict: "question",
            says: `${count(unknown.length - maxUnknownShown, "further status is", "further statuses are")} not known: ${some(unknown.slice(maxUnknownShown).map(({ word }) => shortened(word, redact)))}.`,
          } as const,
        ]
      : []),
  ];
}

/** Each gets a finding with its settings. A panel with more has another kind of trouble. */
const maxUnknownShown = 4;

function needsNoExplanation(word: string, as: string): boolean {
  const plain: Readonly<Record<string, string>> = {
    complete: meaningOf.complete,
    failed: meaningOf.failed,
    running: meaningOf.running,
    pending: meaningOf.pending,
    cancelled: meaningOf.cancelled,
    canceled: meaningOf.cancelled,
  };
  return plain[word.trim().toLowerCase()] === as;
}

function actionFindings(survey: SurveyedList): readonly CheckFinding[] {
  const { settings, list, redact } = survey;
  const seen = actionsSeen(survey);
  const takenFor = (as: string): readonly SeenWord[] => seen.filter((one) => one.takenAs === as);
  const [restores, suspects, others] = [
    takenFor("a restore"),
    takenFor("no restore, but looks like one"),
    takenFor("no restore"),
  ];
  const listed = (words: readonly SeenWord[]): string =>
    some(words.map(({ word, rows }) => `${shortened(word, redact)} ${String(rows)}`));
  const without = list.rows.filter(({ action }) => (action ?? "").trim() === "").length;
  return [
    restores.length > 0
      ? { code: "words.restores", verdict: "fine", says: `Taken for restores: ${listed(restores)}.` }
      : {
          code: "words.restores",
          verdict: "question",
          says: `No row counts as a restore${settings.restoreActions.length > 0 ? `: recovery:restoreActions names ${some(settings.restoreActions.map((word) => shortened(word, redact)))}` : ""}.`,
          why: "Perhaps there was none lately. If there was, this panel has another name for it, and a restore would be sent and not found.",
          ...(suspects.length === 0 && { then: "Restore something harmless by hand on the panel, then check again." }),
        },
    ...(others.length > 0
      ? [{ code: "words.others", verdict: "fine", says: `Taken for other work: ${listed(others)}.` } as const]
      : []),
    ...(suspects.length > 0 ? [suspectsFinding(survey, suspects, restores, listed(suspects))] : []),
    ...(without > 0
      ? [
          {
            code: "words.no-action",
            verdict: "question",
            says: `${count(without, "row does", "rows do")} not say which action they are.`,
            why: "Each of them may be a restore, so a restore also waits for other work on its machine at that time.",
          } as const,
        ]
      : []),
  ];
}

function suspectsFinding(
  { settings, redact }: SurveyedList,
  suspects: readonly SeenWord[],
  restores: readonly SeenWord[],
  listed: string,
): CheckFinding {
  const words = suspects
    .map(({ word }) => word)
    .filter((word) => isSettable(word, redact))
    .slice(0, 8);
  // The setting replaces the default rule, so it has to name what counts today as well.
  const all =
    settings.restoreActions.length > 0
      ? settings.restoreActions
      : restores.map(({ word }) => word).filter((word) => isSettable(word, redact));
  return {
    code: "words.suspects",
    verdict: "question",
    says: `Looks like a restore but does not count as one: ${listed}.`,
    why: "If it is one, a restore would be sent and not found in the list.",
    then: "If it is one, set (leave out those that are not):",
    ...(words.length > 0 && { set: [configSetCommand("restoreActions", [...all, ...words])] }),
  };
}

/** The word survives a terminal and a comma-separated setting unchanged. */
export function isSettable(word: string, redact: Redact): boolean {
  return redact(word) === word && /^[\p{L}\p{N}\p{P}\p{S} ]{1,100}$/u.test(word) && word === word.trim();
}

export function configSetCommand(name: string, words: readonly string[]): string {
  const list = [...new Set(words.map((word) => word.toLowerCase()))];
  return `pulumi config set recovery:${name} ${shellQuoted(list.some((word) => /[,[]/.test(word)) ? JSON.stringify(list) : list.join(","))}`;
}

/** Words as the panel spells them, most frequent first. */
export function byFrequency(words: readonly (string | undefined)[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const word of words) if (word !== undefined && word.trim() !== "") counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}
