import { firstFew } from "../../provider/plain/text";
import { escapeMarkdown as asText, markdownTable } from "../../report/to-markdown";
import { count, displayNames, roughly, tableLines, type Terminal, wrapped } from "../parts/words";
import { isAccepted, type ReadyFinding, type ReadyRestore, type ReadyResult, worstFirst } from "./result";

const signs = { "not ready": "!!", "cannot be judged": "??", ready: "ok" } as const;
const colours = { "not ready": "red", "cannot be judged": "yellow", ready: "green" } as const;

/** Formats a result for a terminal: a row for each restore, worst first, then what to do. */
export function printReady(ready: ReadyResult, terminal: Terminal): readonly string[] {
  const { columns = 80 } = terminal;
  const restores = worstFirst(ready.restores);
  const name = displayNames(restores);
  const hasProofs = ready.provenWithinSeconds !== undefined;
  const rows = restores.map((one) => ({
    sign: signs[one.readiness],
    colour: colours[one.readiness],
    cells: cellsOf(one, name(one), columns, hasProofs),
  }));
  const heads = ["RESTORE", "MACHINE", "POINT", "AGE", "LEFT", ...(hasProofs ? ["PROVEN"] : []), ""];
  return [
    ...tableLines(heads, rows, terminal, [
      [0, 12],
      [2, 8],
      [1, 8],
    ]),
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

/** `1009, the newest`: the point and the rule that chooses it, shortened if there is little room. */
function pointOf({ recoveryPointId, rule }: ReadyRestore, columns = wideColumns): string {
  if (rule === undefined) return recoveryPointId ?? "–";
  const [first = rule] = rule.replace("the ", "").split(/ before |, /);
  const short = columns >= wideColumns ? rule : first;
  return recoveryPointId === undefined ? short : `${recoveryPointId}, ${short}`;
}

/** Advice for each kind of finding, with the names of the restores concerned. */
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
      ({ finding: { code, verdict, short, then = "" }, names }) =>
        `${firstFew([...names], 3)}: ${short}. ${then}${verdict === "cannot be judged" ? ` [${code}]` : ""}`,
    ),
  ];
}

/** The result in sentences. */
function summaryText({ counts, requests, panel, verdict }: ReadyResult): string {
  const { ready, notReady, cannotBeJudged, accepted } = counts;
  const all = ready + notReady + cannotBeJudged;
  const open = cannotBeJudged - accepted;
  return [
    ...(notReady > 0
      ? [`${String(notReady)} of ${count(all, "restore")} ${notReady === 1 ? "is" : "are"} not ready.`]
      : []),
    ...(open > 0 ? [`${String(open)} cannot be judged.`] : []),
    ...(accepted > 0 ? [`${String(accepted)} cannot be judged (accepted).`] : []),
    ...(verdict === "ready" ? [`${count(all, "restore")} ready.`] : []),
    ...(all === 0 ? [`No restore on ${panel} was judged.`] : []),
    `${count(requests, "GET")}, nothing posted.`,
  ].join(" ");
}

const marks = { ready: "✅", "not ready": "❌", "cannot be judged": "❓" } as const;

/** Formats a result for a job summary or a ticket. */
export function readyMarkdown(ready: ReadyResult): string {
  const { verdict, stack, restores, unreadable } = ready;
  const title = stack === undefined ? "Ready?" : `Ready? ${asText(stack)}`;
  const name = displayNames(restores);
  return [
    `### ${marks[verdict]} ${title}: ${verdict}${ready.isAccepted ? " (accepted)" : ""}`,
    "",
    asText(summaryText(ready)),
    "",
    ...unreadable.map((text) => `- ${asText(text)}`),
    ...markdownTable(
      ["", "Restore", "Machine", "Recovery point", "Age", "Time left", "Proven", "Why"],
      worstFirst(restores).map((one) => rowOf(one, name(one))),
    ),
  ].join("\n");
}

function rowOf(restore: ReadyRestore, name: string): readonly string[] {
  const { readiness, virtualMachineId, ageSeconds, leftSeconds, provenAt, provenIn, findings } = restore;
  const why = findings.map(({ says, then, accepted }) =>
    accepted === undefined ? [says, then ?? ""].join(" ") : `${says} Accepted: ${accepted}`,
  );
  return [
    `${marks[readiness]}${isAccepted(restore) ? " (accepted)" : ""}`,
    asText(name),
    asText(virtualMachineId),
    asText(pointOf(restore)),
    ageSeconds === undefined ? "–" : roughly(ageSeconds),
    leftSeconds === undefined ? "–" : roughly(leftSeconds),
    provenAt === undefined ? "–" : asText([provenAt.slice(0, 10), provenIn ?? []].flat().join(", ")),
    asText(why.join(" ").trim()),
  ];
}
