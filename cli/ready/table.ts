import { styleText } from "node:util";
import { firstFew } from "../../provider/plain/text";
import { tableLines } from "../parts/terminal-table";
import { count, roughly, wrapped } from "../parts/words";
import { type Readiness, type ReadyFinding, type ReadyResult, type ReadyRestore } from "./result";

const signs = { "not ready": "!!", "cannot be judged": "??", ready: "ok" } as const;
const colours = { "not ready": "red", "cannot be judged": "yellow", ready: "green" } as const;

export interface Terminal {
  readonly columns: number;
  readonly isColourful: boolean;
}

/** Formats a result for a terminal: a row for each restore, worst first, then what to do. */
export function printReady(ready: ReadyResult, { columns, isColourful }: Terminal): readonly string[] {
  const restores = worstFirst(ready.restores);
  const name = displayNames(restores);
  const hasProofs = ready.provenWithinSeconds !== undefined;
  const rows = restores.map((one) => ({
    sign: signs[one.readiness],
    cells: cellsOf(one, name(one), columns, hasProofs),
  }));
  const heads = ["RESTORE", "MACHINE", "POINT", "AGE", "LEFT", ...(hasProofs ? ["PROVEN"] : []), ""];
  const lines = tableLines(heads, rows, columns, [
    [0, 12],
    [2, 8],
    [1, 8],
  ]).map((line, index) => {
    const { readiness } = restores[index - 1] ?? {};
    if (!isColourful || readiness === undefined) return line;
    return line.replace(signs[readiness], styleText(["bold", colours[readiness]], signs[readiness]));
  });
  return [
    ...lines,
    "",
    ...advice({ ...ready, restores }, name).flatMap((text) => wrapped(text, columns, " → ", "   ")),
    ...wrapped(summaryText(ready), columns, ""),
  ];
}

/** From this width on, a row has room for sentences. */
const wideColumns = 120;

function cellsOf(one: ReadyRestore, name: string, columns: number, hasProofs: boolean): readonly string[] {
  const { virtualMachineId, ageSeconds, leftSeconds, provenAt, findings } = one;
  const isWide = columns >= wideColumns;
  const whyOf = ({ short, says, accepted }: ReadyFinding): string =>
    accepted === undefined ? (isWide ? says : short) : `${short} (accepted)`;
  return [
    name,
    virtualMachineId,
    pointOf(one, columns),
    ageSeconds === undefined ? "–" : roughly(ageSeconds),
    leftSeconds === undefined ? "–" : roughly(leftSeconds),
    ...(hasProofs ? [provenAt?.slice(0, 10) ?? "–"] : []),
    findings.map(whyOf).join(isWide ? " " : ", "),
  ];
}

const readinessOrder: readonly Readiness[] = ["not ready", "cannot be judged", "ready"];

/** Not ready first, and ready ones with a warning before the others. */
export function worstFirst(restores: readonly ReadyRestore[]): readonly ReadyRestore[] {
  const keyOf = ({ readiness, findings }: ReadyRestore): number =>
    readinessOrder.indexOf(readiness) * 2 + (findings.length > 0 ? 0 : 1);
  return [...restores].sort((a, b) => keyOf(a) - keyOf(b));
}

/** A restore's name, after its plan's name if the rows belong to several plans. */
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

/** Advice for each kind of finding, with the restores concerned. */
function advice({ restores, unreadable }: ReadyResult, name: (restore: ReadyRestore) => string): readonly string[] {
  const advised = new Map<string, { readonly finding: ReadyFinding; readonly names: Set<string> }>();
  for (const restore of restores)
    for (const finding of restore.findings) {
      if (finding.verdict === "warning" || finding.accepted !== undefined || finding.then === undefined) continue;
      const key = `${finding.code} ${finding.then}`;
      const known = advised.get(key) ?? { finding, names: new Set() };
      known.names.add(name(restore));
      advised.set(key, known);
    }
  return [
    ...unreadable,
    ...[...advised.values()].map(
      ({ finding: { short, then = "" }, names }) =>
        `${firstFew([...names], 3)}: ${short.replace(/^point \S+ is gone$/, "the point is gone")}. ${then}`,
    ),
  ];
}

/** The result in sentences. */
export function summaryText({ counts, requests, panel, verdict }: ReadyResult): string {
  const { ready, notReady, cannotBeJudged, accepted } = counts;
  const all = ready + notReady + cannotBeJudged;
  const open = cannotBeJudged - accepted;
  return [
    ...(notReady > 0
      ? [`${String(notReady)} of ${count(all, "restore")} ${notReady === 1 ? "is" : "are"} not ready.`]
      : []),
    ...(open > 0 ? [`${String(open)} cannot be judged.`] : []),
    ...(accepted > 0 ? [`${String(accepted)} cannot be judged (accepted).`] : []),
    ...(verdict === "ready" ? [all === 1 ? "The restore is ready." : `All ${count(all, "restore")} are ready.`] : []),
    ...(all === 0 ? [`This state has no restore of ${panel}.`] : []),
    `${count(requests, "GET")}, nothing posted.`,
  ].join(" ");
}
