import { sha256Of } from "../model/canonical";
import type { Report } from "../model/model";
import { claim, titleOf } from "../model/summary";
import { deviations, evidence } from "./evidence";
import { markup } from "./parts";
import { page } from "./page";
import { checks, notCarriedOut, restores } from "./tables";
import { timeline } from "./timeline";
import { figures, findings, goals, masthead, verdict } from "./top";

/** One page that loads nothing and runs nothing: the verdict first, what it rests on last. */
export function toHtml(report: Report): string {
  return page(
    `${titleOf(report)}: ${report.verdict.result}`,
    markup`${masthead(report)}<main>
${verdict(report)}${figures(report)}${findings(report)}${goals(report)}${timeline(report)}${restores(report)}${checks(report)}${notCarriedOut(report)}${deviations(report)}${evidence(report, sha256Of(report))}
</main>
<footer><p>${claim}</p></footer>`,
  );
}
