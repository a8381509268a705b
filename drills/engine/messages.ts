import { type HelpWord, messageText } from "../../provider/plain/message";
import { firstFew } from "../../provider/plain/text";
import type { Verdict } from "../judge/judge";

/** One is left for the number of further restores. */
const mostLines = 9;

/** Why a wave fails, by the names of its restores: the messages of the first restores, and the help of the first. */
export function notCompleteText(reasons: Readonly<Record<string, readonly string[]>>, total: number): string {
  const failed = Object.entries(reasons);
  const names = failed.map(([name]) => name);
  const blocks = failed.map(([name, all]) => all.flatMap((reason) => linesOf(name, reason)));
  let shown = blocks.length;
  while (shown > 1 && blocks.slice(0, shown).flat().length > mostLines) shown -= 1;
  const more = blocks.length - shown;
  const [, word] = /\nnpx pulumi-recovery help (\w+)$/.exec(failed[0]?.[1][0] ?? "") ?? [];
  return messageText({
    what: `${String(failed.length)} of ${String(total)} restores of the wave ${failed.length === 1 ? "is" : "are"} not complete and checked: ${firstFew(names)}`,
    next: "The next `pulumi up` continues with them; `npx pulumi-recovery report` shows all of the run",
    lines: [...blocks.slice(0, shown).flat(), ...(more > 0 ? [`and ${String(more)} more`] : [])],
    help: (word as HelpWord | undefined) ?? "plan",
  });
}

/** A restore's own message, which mostly begins with its name, without its help. */
function linesOf(name: string, reason: string): readonly string[] {
  const [sentences = "", ...rows] = reason.split("\n").filter((line) => !line.startsWith("npx pulumi-recovery help "));
  return [sentences.includes(`"${name}"`) ? sentences : `${name}: ${sentences}`, ...rows];
}

/** The verdict that fails an `up`, with its first reasons. */
export function verdictText(run: string, { verdict, reasons }: Pick<Verdict, "verdict" | "reasons">): string {
  return messageText({
    what: `run ${run} ${verdict === "incomplete" ? "is incomplete" : verdict}, for the reasons below`,
    next: "`npx pulumi-recovery report` shows all of the run; the next `pulumi up` continues what is open, and only a new run measures again",
    lines: reasons,
    help: "plan",
  });
}
