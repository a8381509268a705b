import { table, escapeMarkdown as asText } from "../../report/to-markdown";
import type { Ready, ReadyRestore } from "./outcome";
import { isAccepted } from "./judge";
import { roughly } from "./source";
import { closing, namer, pointOf } from "./table";

const marks = { ready: "✅", "not ready": "❌", "cannot be told": "❓", "other panel": "➖" } as const;

/** For a job's summary or a ticket. */
export function toMarkdown(ready: Ready): string {
  const { verdict, stack, restores, unreadable } = ready;
  const title = stack === undefined ? "Ready?" : `Ready? ${asText(stack)}`;
  return [
    `### ${marks[verdict]} ${title}: ${verdict}`,
    "",
    // The marks are those of the terminal.
    ...closing(ready).map((text) => asText(text.replaceAll(/ \((?:!!|\?\?)\)/g, ""))),
    "",
    ...unreadable.map((text) => `- ${asText(text)}`),
    ...(restores.length === 0
      ? []
      : table(
          ["", "Restore", "Machine", "Recovery point", "Age", "Left of the goal", "Why"],
          restores.map((restore) => rowOf(restore, namer(restores)(restore))),
        )),
  ].join("\n");
}

function rowOf(restore: ReadyRestore, name: string): readonly string[] {
  const { readiness, virtualMachineId, ageSeconds, leftSeconds, findings, panel } = restore;
  const why =
    readiness === "other panel"
      ? `on ${panel ?? "another panel"}`
      : findings
          .map(({ says, then, known }) =>
            known === undefined ? [says, then ?? ""].join(" ") : `${says} Known: ${known}`,
          )
          .join(" ");
  return [
    isAccepted(restore) && readiness === "cannot be told" ? marks.ready : marks[readiness],
    asText(name),
    asText(virtualMachineId ?? "–"),
    asText(pointOf(restore)),
    ageSeconds === undefined ? "–" : roughly(ageSeconds),
    leftSeconds === undefined ? "–" : roughly(leftSeconds),
    asText(why.trim()),
  ];
}
