import { isDecimalId } from "../../provider/panel/types";
import { zonedTime } from "../../provider/plain/clock";
import { hasEnded, linksOf, saysRestore } from "../../provider/rows/jobs";
import type { Row } from "../../provider/rows/order";
import { namesMachine, pointsIn } from "../../provider/rows/whose";
import { namedTransactions } from "../../provider/restore/machine-log";
import { count } from "../parts/words";
import { atMostAtOnce } from "./list";
import type { CheckFinding, Outlook } from "./result";
import { naming, type Survey, type SurveyedList } from "./survey";

type Rows = Pick<Survey, "settings" | "machine"> & { readonly list: SurveyedList };

/** Sample names: searching for `1` finds rows that name a machine or point by a number; searching for `a` finds rows that use a name with letters. */
const kinds = { number: "1", letters: "a" } as const;
type Kind = keyof typeof kinds;

export function rowFindings(rows: Rows): readonly CheckFinding[] {
  return rows.list.rows.length === 0 ? [] : [machineFinding(rows), linksFinding(rows.list), ...timeFindings(rows.list)];
}

function timeFindings({ rows }: SurveyedList): readonly CheckFinding[] {
  const ended = rows.filter(hasEnded);
  const isTimed = ended.some(({ finishedAt, updatedAt }) => (finishedAt ?? updatedAt) !== undefined);
  const says =
    "No row shows when its job ended, so durations are not measured, unless recovery:fields names that field (`finished`).";
  return ended.length === 0 || isTimed ? [] : [{ code: "rows.ends", verdict: "fine", says }];
}

/** The rows that should name a machine: the restores if there are any, otherwise all rows. */
function examined({ list }: Rows): readonly Row[] {
  const restores = list.rows.filter(saysRestore);
  return restores.length > 0 ? restores : list.rows;
}

/** How many rows use each kind of name for their machine. If `--machine` is given, counts only names of that machine's kind. */
function namedBy(rows: Rows): ReadonlyMap<Kind, number> {
  const { machine } = rows;
  const wanted: readonly Kind[] =
    machine === undefined ? ["number", "letters"] : [isDecimalId(machine.id) ? "number" : "letters"];
  const tally = wanted.map(
    (kind) => [kind, examined(rows).filter((row) => namesMachine(row, machine?.id ?? kinds[kind])).length] as const,
  );
  return new Map(tally.filter(([, named]) => named > 0));
}

function machineFinding(rows: Rows): CheckFinding {
  const code = "rows.machine";
  const all = examined(rows).length;
  const found = [...namedBy(rows)];
  if (found.length > 0) {
    const by = found
      .map(
        ([kind, named]) =>
          `${count(named, "names its machine", "name their machine")} by ${kind === "number" ? "a number" : "an id with letters"}`,
      )
      .join(", ");
    const says = `Of ${count(all, "row")}, ${by}. Programs must use the same kind of id.`;
    return { code, verdict: "fine", says };
  }
  const { machine } = rows;
  const other = examined(rows)
    .flatMap(({ machines }) => machines)
    .find((name) => machine !== undefined && isDecimalId(name) !== isDecimalId(machine.id));
  const says = `None of ${count(all, "row")} names its machine${machine === undefined ? "" : ` by an id like ${machine.id}`}`;
  if (other !== undefined)
    return {
      code,
      verdict: "question",
      says: `${says}, but rows name machines like ${other}.`,
      why: "A row is recognized only if it names the machine as the program does.",
      then: `If this panel also accepts such a name as the id of a virtual machine, use it in programs and in --machine.`,
    };
  return {
    code,
    verdict: "question",
    says: `${says}.`,
    why: `Restores are posted one at a time, and ${logNames(rows) ? "recognized by the machine's log" : "after an interrupted run, the next `up` asks you to identify the restore. It helps if the machine's log names transactions"}.`,
    ...naming(rows.list, "machine", "machine", rows.settings),
  };
}

function linksFinding({ rows }: SurveyedList): CheckFinding {
  const linked = rows.filter((row) => linksOf(row).length > 0).length;
  const says =
    linked === 0
      ? "No row links to another, so each row is its own job."
      : `${count(linked, "row links", "rows link")} to another row; linked rows form one job.`;
  return { code: "rows.links", verdict: "fine", says };
}

/** Whether the log of the machine given with `--machine` names transactions. Undefined if the log was not read or is empty. */
function logNames({ machine }: Rows): boolean | undefined {
  if (machine === undefined || "whyNotAllowed" in machine || "error" in machine.log) return undefined;
  if (machine.log.items.length === 0) return undefined;
  return namedTransactions(machine.log.items).length > 0;
}

/**
 * A later run adopts a job only if its row names the recovery point, or shows both a restore action and a creation time. If the list contains no restore,
 * the panel's word for a restore is unknown.
 */
function afterKillOf(rows: Rows): Outlook["afterKill"] {
  const seen = examined(rows);
  if (seen.some((row) => Object.values(kinds).some((name) => pointsIn(row, name).length > 0))) return "taken";
  if (!seen.some((row) => zonedTime(row.createdAt ?? row.startedAt) !== undefined)) return "question";
  return seen.some(saysRestore) ? "taken" : "not known";
}

/** How a restore will proceed on this panel, as far as reading alone can show. */
export function outlookOf(rows: Rows): Outlook {
  const atOnce = atMostAtOnce(rows.list);
  const common = atOnce === undefined ? {} : { atOnce };
  if (rows.list.rows.length === 0) return { ...common, knownBy: "not known", afterKill: "not known" };
  const afterKill = afterKillOf(rows);
  if (namedBy(rows).size > 0) return { ...common, knownBy: "machine", afterKill };
  const byLog = logNames(rows);
  if (byLog === undefined) return { ...common, knownBy: "log or turn", afterKill: "not known" };
  return byLog ? { ...common, knownBy: "log", afterKill } : { ...common, knownBy: "turn", afterKill: "question" };
}

const oneByOne = "Each restore is posted only after the previous restore is listed.";
const byTurn =
  "as the next job to appear, with a warning, because it may be the wrong job if others restore on this panel meanwhile";

/** The outlook in words. */
export function outlookFindings({ knownBy, atOnce, afterKill }: Outlook): readonly CheckFinding[] {
  const known = {
    machine: "A restore is recognized by the machine that its row names.",
    log: `A restore is recognized by the machine's own log, which names its transaction. ${oneByOne}`,
    turn: `A restore is recognized only ${byTurn}. ${oneByOne}`,
    "log or turn": `A restore is recognized by its machine's own log if that names its transaction; otherwise, only ${byTurn}. ${oneByOne} To find out which, pass --machine with a machine whose log has items.`,
    "not known": "Only the first restore will show how restores are recognized.",
  }[knownBy];
  const together = atOnce === undefined ? "" : ` At most ${count(atOnce, "restore")} at a time.`;
  const killed = {
    taken:
      "After an interrupted run, the next `up` adopts what was sent, or asks which job is the restore if two match; it sends nothing twice.",
    question: "After an interrupted run, the next `up` asks you whether the job it finds is the restore.",
    "not known":
      "After an interrupted run, the next `up` adopts what was sent if something names the machine; otherwise, it asks you to identify the restore.",
  }[afterKill];
  return [
    { code: "restores.known-by", verdict: "fine", says: `${known}${together}` },
    { code: "restores.cut-off", verdict: "fine", says: killed },
  ];
}
