import { table, escapeMarkdown as asText } from "../../report/to-markdown";
import type { ReadyResult, ReadyRestore } from "./result";
import { isEveryQuestionKnown } from "./assess";
import { formatRoughly } from "./point-source";
import { summaryLines, displayNames, pointOf, worstFirst } from "./table";

const marks = { ready: "✅", "not ready": "❌", "cannot be told": "❓" } as const;

/** Formats a result for a job's summary or a ticket. */
export function toMarkdown(ready: ReadyResult): string {
  const { verdict, stack, restores, unreadable } = ready;
  const title = stack === undefined ? "Ready?" : `Ready? ${asText(stack)}`;
  return [
    `### ${marks[verdict]} ${title}: ${verdict}`,
    "",
    // The terminal's marks mean nothing here.
    ...summaryLines(ready).map((text) => asText(text.replaceAll(/ \((?:!!|\?\?)\)/g, ""))),
    "",
    ...unreadable.map((text) => `- ${asText(text)}`),
    ...(restores.length === 0
      ? []
      : table(
          ["", "Restore", "Machine", "Recovery point", "Age", "Left of the goal", "Proven", "Why"],
          worstFirst(restores).map((restore) => rowOf(restore, displayNames(restores)(restore))),
        )),
  ].join("\n");
}

function rowOf(restore: ReadyRestore, name: string): readonly string[] {
  const { readiness, virtualMachineId, ageSeconds, leftSeconds, provenAt, provenIn, findings } = restore;
  const why = findings
    .map(({ says, then, known }) => (known === undefined ? [says, then ?? ""].join(" ") : `${says} Known: ${known}`))
    .join(" ");
  return [
    isEveryQuestionKnown(restore) && readiness === "cannot be told" ? marks.ready : marks[readiness],
    asText(name),
    asText(virtualMachineId ?? "–"),
    asText(pointOf(restore)),
    ageSeconds === undefined ? "–" : formatRoughly(ageSeconds),
    leftSeconds === undefined ? "–" : formatRoughly(leftSeconds),
    provenAt === undefined ? "–" : asText([provenAt.slice(0, 10), provenIn ?? []].flat().join(", ")),
    asText(why.trim()),
  ];
}
