import { table, escapeMarkdown as asText } from "../../report/to-markdown";
import { roughly } from "../parts/words";
import { isAccepted, type ReadyResult, type ReadyRestore } from "./result";
import { displayNames, pointOf, summaryText, worstFirst } from "./table";

const marks = { ready: "✅", "not ready": "❌", "cannot be judged": "❓" } as const;

/** Formats a result for a job's summary or a ticket. */
export function toMarkdown(ready: ReadyResult): string {
  const { verdict, stack, restores, unreadable } = ready;
  const title = stack === undefined ? "Ready?" : `Ready? ${asText(stack)}`;
  const name = displayNames(restores);
  return [
    `### ${marks[verdict]} ${title}: ${verdict}${ready.isAccepted ? " (accepted)" : ""}`,
    "",
    asText(summaryText(ready)),
    "",
    ...unreadable.map((text) => `- ${asText(text)}`),
    ...(restores.length === 0
      ? []
      : table(
          ["", "Restore", "Machine", "Recovery point", "Age", "Left of the goal", "Proven", "Why"],
          worstFirst(restores).map((one) => rowOf(one, name(one))),
        )),
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
