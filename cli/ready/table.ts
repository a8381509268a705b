import { styleText } from "node:util";
import { count, some, wrapped } from "../parts/words";
import type { Readiness, ReadyFinding, ReadyPlan, ReadyResult, ReadyRestore } from "./result";
import { isEveryQuestionKnown } from "./assess";
import { formatRoughly } from "./point-source";

type Sign = "!!" | "??" | "ok";

const colours = { "!!": "red", "??": "yellow", ok: "green" } as const;

export interface Terminal {
  readonly columns: number;
  readonly colours: "in colour" | "plain";
}

/** Formats a result for a terminal: a row for each restore, the worst first, then what to do. */
export function printReady(ready: ReadyResult, terminal: Terminal): readonly string[] {
  const { columns } = terminal;
  const restores = worstFirst(ready.restores);
  const name = displayNames(restores);
  const proofs = ready.provenWithinSeconds === undefined ? "without proofs" : "with proofs";
  const rows = restores.map((restore) => cellsOf(restore, name(restore), columns, proofs));
  const heads = ["RESTORE", "MACHINE", "POINT", "AGE", "LEFT", ...(proofs === "with proofs" ? ["PROVEN"] : []), ""];
  const widths = widthsOf([heads, ...rows.map(({ cells }) => cells)], columns);
  const line = (cells: readonly string[], mark: string): string =>
    ` ${mark}  ${cells.map((cell, index) => fitToWidth(cell, widths[index] ?? 0, index === 0 ? "middle" : "end")).join("  ")}`.trimEnd();
  return [
    ...(rows.length === 0 ? [] : [line(heads, "  ")]),
    ...rows.map(({ mark, cells }) => line(cells, mark).replace(mark, coloured(mark, terminal))),
    "",
    ...advice({ ...ready, restores }, name).flatMap((text) => wrapped(text, columns, " → ", "   ")),
    ...summaryLines(ready).flatMap((text) => wrapped(text, columns, "")),
  ];
}

function coloured(mark: Sign, { colours: how }: Terminal): string {
  return how === "plain" ? mark : styleText(["bold", colours[mark]], mark);
}

function markOf(restore: ReadyRestore): Sign {
  if (restore.readiness === "not ready") return "!!";
  return restore.readiness === "ready" || isEveryQuestionKnown(restore) ? "ok" : "??";
}

/** From this width on, a row has room for sentences. */
const wideColumns = 120;

function cellsOf(
  restore: ReadyRestore,
  name: string,
  columns: number,
  proofs: "with proofs" | "without proofs",
): { readonly mark: Sign; readonly cells: readonly string[] } {
  const { virtualMachineId, ageSeconds, leftSeconds, provenAt, findings } = restore;
  const open = findings.filter(({ known }) => known === undefined);
  const isWide = columns >= wideColumns;
  const why = open.map(({ short, says }) => (isWide ? says : short)).join(isWide ? " " : ", ");
  return {
    mark: markOf(restore),
    cells: [
      name,
      virtualMachineId ?? "–",
      pointOf(restore, columns),
      ageSeconds === undefined ? "–" : formatRoughly(ageSeconds),
      leftSeconds === undefined ? "–" : formatRoughly(leftSeconds),
      ...(proofs === "with proofs" ? [provenAt?.slice(0, 10) ?? "–"] : []),
      why,
    ],
  };
}

const readinessOrder: readonly Readiness[] = ["not ready", "cannot be told", "ready"];

/** Not ready first, and ready ones with a warning before the others. */
export function worstFirst(restores: readonly ReadyRestore[]): readonly ReadyRestore[] {
  const keyOf = ({ readiness, findings }: ReadyRestore): number =>
    readinessOrder.indexOf(readiness) * 2 + (findings.length > 0 ? 0 : 1);
  return [...restores].sort((a, b) => keyOf(a) - keyOf(b));
}

/** A restore's name, after its plan's name if the rows are not all of one plan. */
export function displayNames(restores: readonly ReadyRestore[]): (restore: ReadyRestore) => string {
  const isOfOnePlan = new Set(restores.map(({ plan }) => plan)).size === 1;
  return ({ plan, name, kind }) =>
    `${plan === undefined || isOfOnePlan ? "" : `${plan}/`}${name}${kind === "FileRestore" ? " (files)" : ""}`;
}

/** `1009, the newest`: the point, and the rule that chooses it, short if there is little room. */
export function pointOf({ recoveryPointId, rule }: ReadyRestore, columns = wideColumns): string {
  if (rule === undefined) return recoveryPointId ?? "–";
  const short = columns >= wideColumns ? rule : (/^(?:the )?(.+?)(?: before |, within |$)/.exec(rule)?.[1] ?? rule);
  return recoveryPointId === undefined ? short : `${recoveryPointId}, ${short}`;
}

/** Each column gets the width it needs while enough is left for the reason. Names give way first. */
function widthsOf(rows: readonly (readonly string[])[], columns: number): readonly number[] {
  const last = (rows[0]?.length ?? 1) - 1;
  const needs = [...(rows[0] ?? []).keys()].map((index) =>
    Math.max(...rows.map((cells) => (cells[index] ?? "").length)),
  );
  const fixed = 5 + 2 * last;
  const why = Math.min(needs[last] ?? 0, 24);
  for (const [index, least] of [
    [0, 12],
    [2, 8],
    [1, 8],
  ] as const) {
    const over = fixed + why + needs.slice(0, last).reduce((sum, need) => sum + need, 0) - columns;
    if (over > 0) needs[index] = Math.max(Math.min(needs[index] ?? 0, least), (needs[index] ?? 0) - over);
  }
  const left = columns - fixed - needs.slice(0, last).reduce((sum, need) => sum + need, 0);
  return [...needs.slice(0, last), Math.max(left, 8)];
}

/** Cuts names in the middle: names of machines often differ in their last letters only. */
function fitToWidth(text: string, width: number, cutAt: "middle" | "end"): string {
  if (text.length <= width) return text.padEnd(width);
  const after = cutAt === "end" ? 0 : Math.floor((width - 1) / 2);
  return `${text.slice(0, Math.max(0, width - 1 - after))}…${after === 0 ? "" : text.slice(-after)}`;
}

/** Advice for each kind of finding, with the restores it is about. */
function advice({ restores, unreadable }: ReadyResult, name: (restore: ReadyRestore) => string): readonly string[] {
  const open = restores.flatMap((restore) =>
    restore.findings
      .filter(({ verdict, known }) => verdict !== "warning" && known === undefined)
      .map((finding) => ({ restore, finding })),
  );
  const advised = new Map<string, typeof open>();
  for (const one of open) {
    const { code, then } = one.finding;
    if (then !== undefined) advised.set(`${code} ${then}`, [...(advised.get(`${code} ${then}`) ?? []), one]);
  }
  return [
    ...unreadable,
    ...[...advised.values()].flatMap((those) => {
      const whom = some([...new Set(those.map(({ restore }) => name(restore)))], 3);
      return those.slice(0, 1).map(({ finding }) => `${whom}: ${shortKindOf(finding)}. ${finding.then ?? ""}`);
    }),
  ];
}

/** The short text without the part that belongs to one restore. */
function shortKindOf({ code, short }: ReadyFinding): string {
  if (code === "restore.other-panel") return "on another panel";
  return short.replace(/^point \S+ is gone$/, "the point is gone");
}

/** The result in sentences. */
export function summaryLines({
  counts,
  requests,
  panel,
  restores,
  verdict,
  plans,
  withoutRestore = [],
}: ReadyResult): readonly string[] {
  const { ready, notReady, cannotBeTold, known } = counts;
  const all = ready + notReady + cannotBeTold;
  const openQuestions = restores.filter(
    (one) => one.readiness === "cannot be told" && !isEveryQuestionKnown(one),
  ).length;
  const parts = [
    ...(notReady > 0
      ? [`${String(notReady)} of ${count(all, "restore")} ${notReady === 1 ? "is" : "are"} not ready (!!).`]
      : []),
    ...(openQuestions > 0 ? [`${count(openQuestions, "restore")} cannot be judged (??).`] : []),
    ...(verdict === "ready" ? [all === 1 ? "The restore is ready." : `All ${count(all, "restore")} are ready.`] : []),
    ...(withoutRestore.length > 0
      ? [
          `${count(withoutRestore.length, "machine of the inventory has", "machines of the inventory have")} no restore: ${some(withoutRestore, 10)}.`,
        ]
      : []),
    ...(all === 0 ? [`This state has no restore of ${panel}.`] : []),
    ...(known > 0 ? [`${count(known, "known question is", "known questions are")} not asked again.`] : []),
    `${count(requests, "GET")}, nothing posted.`,
  ];
  return [...plans.flatMap(expectedText), parts.join(" ")];
}

/** `Plan shop takes 34m by its last measurements; its goal is 2h.` */
function expectedText({ plan, expectedSeconds, notMeasured, goalSeconds }: ReadyPlan): readonly string[] {
  if (expectedSeconds === undefined)
    return goalSeconds === undefined
      ? []
      : [
          `How long plan ${plan} takes is not known: ${count(notMeasured, "restore was", "restores were")} never measured.`,
        ];
  const isOver = goalSeconds !== undefined && expectedSeconds > goalSeconds;
  const goal =
    goalSeconds === undefined
      ? ""
      : `${isOver ? ", longer than its goal of" : "; its goal is"} ${formatRoughly(goalSeconds)}`;
  return [`Plan ${plan} takes ${formatRoughly(expectedSeconds)} by its last measurements${goal}.`];
}
